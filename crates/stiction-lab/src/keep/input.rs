//! Files that a scenario reads, known by their contents: an answer belongs to what was in them, not to their names.

use crate::files::open;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs::Metadata;
use std::io::{self, Read};
use std::path::Path;
use std::time::SystemTime;

/// A file that the scenario reads, and what is in it. The program writes these entries into the `scenario.toml` of a run; a
/// file whose contents differ from its entry is refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InputFile {
    /// Path of the file, relative to the scenario file.
    pub file: String,
    /// SHA-256 of its contents, in hexadecimal.
    pub sha256: String,
    /// What the system said of the file while it was read.
    #[serde(skip)]
    stamp: Option<Stamp>,
}

/// A file that is not what it was when the run began.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file} {what} since the run began; restore it and run the same command again, or begin again with --restart")]
pub struct ChangedInput {
    /// The file.
    pub file: String,
    what: String,
}

/// Size and times of a file: whoever writes to it changes one of them.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
    /// Number of the file and time of its last change of any kind, where the system has them.
    identity: Option<(u64, i64, i64)>,
}

impl Stamp {
    fn of(found: &Metadata) -> Self {
        #[cfg(unix)]
        let identity = {
            use std::os::unix::fs::MetadataExt;
            Some((found.ino(), found.ctime(), found.ctime_nsec()))
        };
        #[cfg(not(unix))]
        let identity = None;
        Self { length: found.len(), modified: found.modified().ok(), identity }
    }
}

/// Bytes that are read at a time: a large file is never in memory as a whole.
const PIECE: usize = 1 << 16;

impl InputFile {
    /// Reads a file and hashes its contents.
    ///
    /// # Errors
    /// What the system says; anything but a regular file is refused.
    pub fn of(path: &Path) -> io::Result<Self> {
        let mut file = open(path)?;
        let before = Stamp::of(&file.metadata()?);
        let mut hash = Sha256::new();
        let mut piece = vec![0; PIECE];
        loop {
            match file.read(&mut piece)? {
                0 => break,
                read => hash.update(&piece[..read]),
            }
        }
        if Stamp::of(&file.metadata()?) != before {
            return Err(io::Error::new(io::ErrorKind::ResourceBusy, "is being written; wait until it is finished"));
        }
        Ok(Self {
            file: path.to_string_lossy().into_owned(),
            sha256: hexadecimal(&hash.finalize()),
            stamp: Some(before),
        })
    }

    /// Refuses a file whose contents are not those of this entry. One that nobody has touched is not read again.
    fn check(&self) -> Result<(), ChangedInput> {
        let path = Path::new(&self.file);
        if self.stamp.is_some() && path.metadata().ok().map(|found| Stamp::of(&found)) == self.stamp {
            return Ok(());
        }
        let changed = |what: String| ChangedInput { file: self.file.clone(), what };
        match Self::of(path) {
            Ok(found) if found.sha256 == self.sha256 => Ok(()),
            Ok(_) => Err(changed("has changed".to_owned())),
            Err(error) => Err(changed(format!("can no longer be read ({error})"))),
        }
    }
}

/// Refuses files that are not what they were when they were hashed.
///
/// # Errors
/// [`ChangedInput`] names the first of them.
pub fn check_inputs(inputs: &[InputFile]) -> Result<(), ChangedInput> {
    inputs.iter().try_for_each(InputFile::check)
}

/// The entries `[[input]]` of the text of a scenario.
pub(super) fn inputs_of(text: &str) -> Vec<InputFile> {
    #[derive(Deserialize)]
    struct Inputs {
        #[serde(default)]
        input: Vec<InputFile>,
    }
    if !text.contains("[[input]]") {
        return Vec::new();
    }
    toml::from_str::<Inputs>(text).map(|found| found.input).unwrap_or_default()
}

/// Bytes in hexadecimal.
pub(super) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_file_is_known_by_its_contents_and_a_change_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("map.csv");
        fs::write(&path, "abc").unwrap();
        let input = InputFile::of(&path).unwrap();
        // FIPS 180-2, appendix B.1
        assert_eq!(input.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        let inputs = [input];
        check_inputs(&inputs).unwrap();
        // touched, but the same
        fs::write(&path, "abc").unwrap();
        check_inputs(&inputs).unwrap();
        // the same length, and the time set back
        let modified = path.metadata().unwrap().modified().unwrap();
        fs::write(&path, "abd").unwrap();
        fs::File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
        assert!(check_inputs(&inputs).unwrap_err().to_string().contains("map.csv has changed since the run began"));
        fs::remove_file(&path).unwrap();
        assert!(check_inputs(&inputs).unwrap_err().to_string().contains("can no longer be read"));
        assert!(InputFile::of(folder.path()).is_err());
    }

    #[test]
    fn a_file_of_many_pieces_has_the_hash_of_the_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("map.csv");
        let bytes: Vec<u8> = (0..3 * PIECE + 17).map(|place| (place % 251) as u8).collect();
        fs::write(&path, &bytes).unwrap();
        assert_eq!(InputFile::of(&path).unwrap().sha256, hexadecimal(&Sha256::digest(&bytes)));
    }
}
