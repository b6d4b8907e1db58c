//! How files are opened and written: the one place that knows what a path made by somebody else can be.
//!
//! Only regular files are read: a FIFO would be waited for, a device never ends. New files are created under names that do not
//! exist yet, so that a symbolic link prepared under that name is replaced, never followed.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

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
    let file = options.open(path)?;
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
    let mut bytes = Vec::new();
    open(path)?.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let message = format!("is larger than {most} bytes");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

/// Longest text that this program writes for itself (summary, plan, heartbeat) and reads again \[bytes\].
pub const OWN_TEXT: u64 = 1 << 30;

/// Creates a file under a name that is ours; what stands there (the leftover of a killed run, or a link) is removed first.
///
/// # Errors
/// What the system says.
pub(crate) fn create(path: &Path) -> io::Result<File> {
    match fs::remove_file(path) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    OpenOptions::new().write(true).create_new(true).open(path)
}

/// Creates a file with this content under a name that is ours, and waits until the disk has it.
///
/// # Errors
/// What the system says.
pub(crate) fn write_synced(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = create(path)?;
    file.write_all(content)?;
    file.sync_all()
}

/// Opens a file that serves as a lock, or creates it; a link is refused.
///
/// # Errors
/// What the system says; `InvalidInput` for anything but a regular file.
pub(crate) fn open_lock(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NOFOLLOW | libc::O_NONBLOCK);
    let file = options.open(path).map_err(|error| match path.symlink_metadata() {
        Ok(found) if found.is_symlink() => special("a symbolic link"),
        _ => error,
    })?;
    refuse_special(&file.metadata()?)?;
    Ok(file)
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
    Err(special(if found.is_dir() { "a folder" } else { "a FIFO, a socket or a device" }))
}

fn special(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, format!("is {what}, not a file"))
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
        for path in [folder.path(), Path::new("/dev/zero"), &fifo] {
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
