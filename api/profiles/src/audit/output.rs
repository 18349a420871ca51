//! The output of the audit log.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// Readable by its owner only.
const FILE_MODE: u32 = 0o600;

/// Limits of the size of the log.
#[derive(Clone, Copy, Debug)]
pub struct AuditLimits {
    /// A file that would become larger is rotated: it is renamed to end in `.1`, the previous one
    /// in `.2`, and so on.
    pub file_bytes_max: u64,
    /// The number of rotated files that are kept.
    pub files_kept: usize,
    /// The free space that a line needs on the disk. Below that, lines are lost.
    pub free_bytes_min: u64,
}

impl Default for AuditLimits {
    fn default() -> Self {
        Self { file_bytes_max: 64 << 20, files_kept: 10, free_bytes_min: 2 * store_profiles::PROFILES_FREE_BYTES_MIN }
    }
}

pub(super) struct Output {
    /// `None` until the file can be opened.
    writer: Option<Box<dyn Write + Send>>,
    /// `true` if the last line may be incomplete.
    is_torn: bool,
    /// `None` for standard output, devices and pipes.
    file: Option<LogFile>,
}

struct LogFile {
    path: PathBuf,
    limits: AuditLimits,
    /// `None` until the end of the file was checked.
    size_bytes: Option<u64>,
}

impl Output {
    /// Writes to an output whose last line is complete.
    pub(super) fn new(writer: impl Write + Send + 'static) -> Self {
        Self { writer: Some(Box::new(writer)), is_torn: false, file: None }
    }

    /// Writes to a file that is opened for the first line, and for each line after a failure.
    pub(super) fn unopened(path: &Path, limits: AuditLimits) -> Self {
        let log = LogFile { path: path.to_owned(), limits, size_bytes: None };
        Self { writer: None, is_torn: false, file: Some(log) }
    }

    /// Opens a file to append to, creating it if needed.
    pub(super) fn to_file(path: &Path, limits: AuditLimits) -> io::Result<Self> {
        let file = OpenOptions::new().append(true).create(true).mode(FILE_MODE).open(path)?;
        let is_torn = is_torn(&file, path)?;
        // A device or a pipe has no size, and no disk to fill.
        let is_file = file.metadata()?.is_file();
        let log = LogFile { path: path.to_owned(), limits, size_bytes: None };
        Ok(Self { is_torn, file: is_file.then_some(log), ..Self::new(file) })
    }

    /// Appends a line in one write, unless the system splits it. A line that was cut off by a full
    /// disk is ended first.
    pub(super) fn append(&mut self, line: &[u8]) -> io::Result<()> {
        if let (None, Some(LogFile { path, limits, .. })) = (&self.writer, &self.file) {
            *self = Self::to_file(path, *limits)?;
        }
        self.make_room(line.len() as u64)?;
        let Some(writer) = &mut self.writer else { return Err(io::ErrorKind::NotFound.into()) };
        let was_torn = std::mem::replace(&mut self.is_torn, true);
        if was_torn {
            writer.write_all(&[b"\n", line].concat())?;
        } else {
            writer.write_all(line)?;
        }
        writer.flush()?;
        self.is_torn = false;
        Ok(())
    }

    /// Checks that there is room for more bytes, and rotates the file if it would become too large.
    fn make_room(&mut self, num_bytes: u64) -> io::Result<()> {
        let Some(log) = &mut self.file else { return Ok(()) };
        if log.size_bytes.is_none() {
            // The previous output may have been the same file.
            self.is_torn = File::open(&log.path).and_then(|file| is_torn(&file, &log.path)).unwrap_or(self.is_torn);
        }
        if store::available_bytes(&log.path).is_ok_and(|available| available < log.limits.free_bytes_min) {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let known = log.size_bytes.or_else(|| fs::metadata(&log.path).ok().map(|metadata| metadata.len()));
        let size_bytes = known.unwrap_or_default();
        if size_bytes > 0 && size_bytes + num_bytes > log.limits.file_bytes_max {
            log.rotate()?;
            let (path, limits) = (log.path.clone(), log.limits);
            *self = Self::to_file(&path, limits)?;
            return self.make_room(num_bytes);
        }
        log.size_bytes = Some(size_bytes + num_bytes);
        Ok(())
    }
}

impl LogFile {
    /// Renames the file and the older ones. The oldest is removed.
    fn rotate(&self) -> io::Result<()> {
        // If the last rotation could not create a new file, there is nothing to rotate.
        if !self.path.try_exists()? {
            return Ok(());
        }
        let name = |number: usize| match number {
            0 => self.path.clone(),
            number => {
                let mut name = self.path.clone().into_os_string();
                name.push(format!(".{number}"));
                PathBuf::from(name)
            }
        };
        if self.limits.files_kept == 0 {
            return fs::remove_file(&self.path);
        }
        for number in (0..self.limits.files_kept).rev() {
            match fs::rename(name(number), name(number + 1)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }
}

fn is_torn(file: &File, path: &Path) -> io::Result<bool> {
    let metadata = file.metadata()?;
    if !metadata.is_file() || metadata.len() == 0 {
        return Ok(false);
    }
    let mut last = [0];
    File::open(path)?.read_exact_at(&mut last, metadata.len() - 1)?;
    Ok(last != *b"\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_files_are_rotated_and_the_last_are_kept() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("audit.jsonl");
        let limits = AuditLimits { file_bytes_max: 8, files_kept: 2, free_bytes_min: 0 };
        for numbers in [0..5, 5..9] {
            let mut output = Output::to_file(&path, limits).expect("writable");
            for number in numbers {
                output.append(format!("{number}..\n").as_bytes()).expect("room");
            }
        }
        let read = |suffix: &str| fs::read_to_string(folder.path().join(format!("audit.jsonl{suffix}")));
        assert_eq!(read("").expect("there"), "8..\n");
        assert_eq!(read(".1").expect("there"), "6..\n7..\n");
        assert_eq!(read(".2").expect("there"), "4..\n5..\n");
        assert!(read(".3").is_err());
    }

    #[test]
    fn unopenable_files_are_opened_later() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("full/audit.jsonl");
        let mut output = Output::unopened(&path, AuditLimits { free_bytes_min: 0, ..AuditLimits::default() });
        output.append(b"lost\n").expect_err("it cannot be made");
        fs::create_dir(folder.path().join("full")).expect("writable");
        output.append(b"1\n").and_then(|()| output.append(b"2\n")).expect("it can");
        assert_eq!(fs::read_to_string(&path).expect("there"), "1\n2\n");
    }

    #[test]
    fn the_log_leaves_free_space_to_the_store() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("audit.jsonl");
        let limits = AuditLimits { free_bytes_min: u64::MAX, ..AuditLimits::default() };
        let mut output = Output::to_file(&path, limits).expect("writable");
        let error = output.append(b"lost\n").expect_err("no room");
        assert_eq!((error.kind(), fs::metadata(&path).expect("there").len()), (io::ErrorKind::StorageFull, 0));
    }
}
