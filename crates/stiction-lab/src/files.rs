//! How files are opened and written: the one place that knows what a path made by somebody else can be.
//!
//! Only regular files are read: a FIFO would be waited for, a device never ends. New files are created under names that do not
//! exist yet, so that a symbolic link prepared under that name is replaced, never followed; folders of our own inside the folder
//! that the user chose are real folders. In tests any call that writes can fail (`faults`).

#[cfg(test)]
pub(crate) mod faults;

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// Opens a regular file for reading, without waiting for anybody.
///
/// # Errors
/// What the system says; `InvalidInput` for a folder, a FIFO, a socket or a device.
pub fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    // a FIFO without a writer opens at once, and is then refused
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
    // a socket cannot be opened at all
    let file = options.open(path).map_err(|error| match path.metadata() {
        Ok(found) => refuse_special(&found).err().unwrap_or(error),
        Err(_) => error,
    })?;
    refuse_special(&file.metadata()?)?;
    Ok(file)
}

/// Reads a regular file of at most `most` bytes as text.
///
/// # Errors
/// What the system says; `FileTooLarge` for a longer file, `InvalidData` for bytes that are not UTF-8.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    let bytes = read(path, most)?;
    String::from_utf8(bytes).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "is not UTF-8 text"))
}

/// Reads a regular file of at most `most` bytes.
///
/// # Errors
/// What the system says; `FileTooLarge` for a longer file.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    let larger = || io::Error::new(io::ErrorKind::FileTooLarge, format!("is larger than {most} bytes"));
    if file.metadata()?.len() > most {
        return Err(larger());
    }
    let mut bytes = Vec::new();
    // the file may grow meanwhile
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(larger()) } else { Ok(bytes) }
}

/// Longest text that this program writes for itself (summary, plan, heartbeat) and reads again \[bytes\]. As JSON it takes some
/// twenty times as much memory.
pub const OWN_TEXT: u64 = 32 << 20;

/// Whether a name is that of a file in a folder itself, and not a way out of it.
pub fn is_plain_name(name: &str) -> bool {
    !name.is_empty() && name != "." && name != ".." && !name.contains(['/', '\\', ':', '\0'])
}

/// A new file that is being written.
#[derive(Debug)]
pub(crate) struct Output {
    file: File,
    path: PathBuf,
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        may_fail(&self.path)?;
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Output {
    /// Waits until the disk has everything.
    ///
    /// # Errors
    /// What the system says.
    pub(crate) fn sync(&self) -> io::Result<()> {
        may_fail(&self.path)?;
        self.file.sync_all()
    }
}

/// Creates a file under a name that is ours; what stands there (the leftover of a killed run, or a link) is removed first.
///
/// # Errors
/// What the system says.
pub(crate) fn create(path: &Path) -> io::Result<Output> {
    match remove(path) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    may_fail(path)?;
    let file = OpenOptions::new().write(true).create_new(true).open(path)?;
    Ok(Output { file, path: path.to_owned() })
}

/// Creates a file with this content under a name that is ours, and waits until the disk has it.
///
/// # Errors
/// What the system says.
pub(crate) fn write_synced(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = create(path)?;
    file.write_all(content)?;
    file.sync()
}

/// Writes a file by way of a temporary name in the same folder, so that no crash leaves it half-written; a link is replaced.
///
/// # Errors
/// What the system says. The temporary file is then removed.
pub(crate) fn replace(path: &Path, temporary: &Path, content: &[u8]) -> io::Result<()> {
    let written = write_synced(temporary, content).and_then(|()| rename(temporary, path));
    if written.is_err() {
        let _ = remove(temporary);
    }
    written
}

/// Gives a file another name; what stands there is replaced.
///
/// # Errors
/// What the system says.
pub(crate) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    may_fail(to)?;
    fs::rename(from, to)
}

/// Removes a file, or a link to one.
///
/// # Errors
/// What the system says.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    may_fail(path)?;
    fs::remove_file(path)
}

/// Removes an empty folder.
///
/// # Errors
/// What the system says.
pub(crate) fn remove_empty(path: &Path) -> io::Result<()> {
    may_fail(path)?;
    fs::remove_dir(path)
}

/// Opens a folder itself, to lock it.
///
/// # Errors
/// What the system says; some systems open no folders.
pub(crate) fn open_folder(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Makes a folder that the user chose, and those above it. Links are the user's own, and are followed.
///
/// # Errors
/// What the system says.
pub fn chosen_folder(path: &Path) -> io::Result<()> {
    may_fail(path)?;
    fs::create_dir_all(path)
}

/// Makes a folder of our own inside one that exists; a link is refused, because it leads out of the folder that the user chose.
///
/// # Errors
/// What the system says; `InvalidInput` for a link.
pub fn own_folder(path: &Path) -> io::Result<()> {
    match path.symlink_metadata() {
        Ok(found) if found.is_dir() => return Ok(()),
        Ok(found) if found.is_symlink() => return Err(special("a symbolic link, which is not followed; remove it")),
        Ok(_) => return Err(io::ErrorKind::NotADirectory.into()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => may_fail(path)?,
        Err(error) => return Err(error),
    }
    match fs::create_dir(path) {
        // somebody else who works here was quicker
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => own_folder(path),
        made => made,
    }
}

/// Opens a file that serves as a lock, or creates it; a link is refused.
///
/// # Errors
/// What the system says; `InvalidInput` for anything but a regular file with one name.
pub(crate) fn open_lock(path: &Path) -> io::Result<File> {
    may_fail(path)?;
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NOFOLLOW | libc::O_NONBLOCK);
    let file = options.open(path).map_err(|error| match path.symlink_metadata() {
        Ok(found) if found.is_symlink() => special("a symbolic link, not a file; remove it"),
        Ok(found) => refuse_special(&found).err().unwrap_or(error),
        Err(_) => error,
    })?;
    let found = file.metadata()?;
    refuse_special(&found)?;
    // what is written to it would also be written to a file elsewhere
    #[cfg(unix)]
    if std::os::unix::fs::MetadataExt::nlink(&found) > 1 {
        return Err(special("a hard link to another file; remove it"));
    }
    Ok(file)
}

/// Gives a file that serves as a lock another content, and waits until the disk has it.
///
/// # Errors
/// What the system says.
pub(crate) fn rewrite(file: &mut File, path: &Path, content: &[u8]) -> io::Result<()> {
    may_fail(path)?;
    file.set_len(0)?;
    file.rewind()?;
    may_fail(path)?;
    file.write_all(content)?;
    may_fail(path)?;
    file.sync_all()
}

/// Makes the names in a folder last through a power cut, where the system can do that.
pub(crate) fn sync_folder(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}

fn refuse_special(found: &fs::Metadata) -> io::Result<()> {
    if found.is_file() {
        return Ok(());
    }
    Err(special(if found.is_dir() { "a folder, not a file" } else { "a FIFO, a socket or a device, not a file" }))
}

fn special(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, format!("is {what}"))
}

/// A test may let any call that writes fail.
#[cfg(test)]
fn may_fail(path: &Path) -> io::Result<()> {
    faults::strike(path)
}

#[cfg(not(test))]
#[allow(clippy::unnecessary_wraps, reason = "in tests it can fail")]
fn may_fail(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn folders_devices_and_fifos_are_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let fifo = folder.path().join("fifo");
        assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
        let socket = folder.path().join("socket");
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        for path in [folder.path(), Path::new("/dev/zero"), &fifo, &socket] {
            let error = open(path).unwrap_err();
            assert!(error.to_string().contains("not a file"), "{}: {error}", path.display());
        }
    }

    #[test]
    fn a_prepared_link_is_replaced_and_its_target_stays_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let (target, link) = (folder.path().join("precious"), folder.path().join(".stiction-a.tmp"));
        fs::write(&target, "mine").unwrap();
        symlink(&target, &link).unwrap();
        write_synced(&link, b"new").unwrap();
        assert_eq!(fs::read_to_string(&target).unwrap(), "mine");
        assert_eq!(fs::read_to_string(&link).unwrap(), "new");
        fs::remove_file(&link).unwrap();
        symlink(&target, &link).unwrap();
        assert!(open_lock(&link).unwrap_err().to_string().contains("symbolic link"));
        fs::remove_file(&link).unwrap();
        fs::hard_link(&target, &link).unwrap();
        assert!(open_lock(&link).unwrap_err().to_string().contains("hard link"));
        write_synced(&link, b"new").unwrap();
        assert_eq!(fs::read_to_string(&target).unwrap(), "mine");
    }

    #[test]
    fn a_folder_of_our_own_is_no_link() {
        let folder = tempfile::tempdir().unwrap();
        let (elsewhere, link) = (folder.path().join("elsewhere"), folder.path().join(".campaign"));
        fs::create_dir(&elsewhere).unwrap();
        for target in [&elsewhere, &folder.path().join("nowhere")] {
            symlink(target, &link).unwrap();
            assert!(own_folder(&link).unwrap_err().to_string().contains("symbolic link"));
            fs::remove_file(&link).unwrap();
        }
        own_folder(&link).unwrap();
        own_folder(&link).unwrap();
        assert!(link.symlink_metadata().unwrap().is_dir());
    }

    #[test]
    fn a_file_larger_than_allowed_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text");
        fs::write(&path, "12345").unwrap();
        assert_eq!(read_text(&path, 5).unwrap(), "12345");
        assert_eq!(read_text(&path, 4).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        fs::write(&path, [0xff, 0xfe]).unwrap();
        assert_eq!(read_text(&path, 4).unwrap_err().kind(), io::ErrorKind::InvalidData);
    }
}
