//! What was asked, as a file that runs again to the same bytes.

use sha2::{Digest, Sha256};

/// A scenario with every default filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolved {
    /// The TOML text; read again, it gives the identical scenario.
    pub text: String,
    /// SHA-256 of the text in hexadecimal: two runs with the same hash were asked the same.
    pub hash: String,
}

const FILE_HEAD: &str =
    "# Every value of this run, defaults included.\n# Run it again with: stiction run scenario.toml\n\n";

impl Resolved {
    /// A resolved scenario by its text.
    pub fn of(text: String) -> Self {
        let hash = Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
        Self { text, hash }
    }

    /// A resolved scenario by the text of its file.
    pub(crate) fn of_file(text: &str) -> Self {
        Self::of(text.strip_prefix(FILE_HEAD).unwrap_or(text).to_owned())
    }

    /// The text as a file, with a comment in front that says what it is and how it is run.
    ///
    /// The comment does not say where the scenario came from: the file, run again, leaves the same file behind.
    pub fn file(&self) -> String {
        format!("{FILE_HEAD}{}", self.text)
    }
}
