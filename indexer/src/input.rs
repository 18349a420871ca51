//! Inputs: files, standard input, or data inside the program; plain, gzip or zstd.

mod folder;
mod md5_sum;

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufReader, Cursor, ErrorKind, Read};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use flate2::bufread::MultiGzDecoder;
use store::InputEntry;

use crate::Error;

pub use folder::{expand, is_of_harvester, visible};
pub(crate) use md5_sum::SumMismatch;
pub use md5_sum::{ListedSum, Md5Sum, SummingReader};

const READ_BUFFER_BYTES: usize = 128 * 1024;

const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// The first bytes of files that are often passed instead of text, and the kinds of these files.
const NO_TEXTS: [(&[u8], &str); 6] = [
    (b"PAR1", "a Parquet file: `mgdex index --release` reads a folder of them"),
    (b"BZh", "compressed by bzip2: unpack it, or compress it by gzip or zstd"),
    (&[0xfd, b'7', b'z', b'X'], "compressed by xz: unpack it, or compress it by gzip or zstd"),
    (b"PK\x03\x04", "a ZIP archive or a spreadsheet: unpack it, or save it as CSV or TSV"),
    (&[0xff, 0xfe], "UTF-16 text: convert it to UTF-8"),
    (&[0xfe, 0xff], "UTF-16 text: convert it to UTF-8"),
];

/// An input of a run.
///
/// ```
/// use std::ffi::OsString;
/// use indexer::Input;
///
/// assert_eq!(Input::from(OsString::from("-")), Input::Stdin);
/// assert_eq!(Input::from(OsString::from("rows.csv.gz")).name(), "rows.csv.gz");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A file, or anything else that can be read at a path.
    Path(PathBuf),
    /// Standard input.
    Stdin,
    /// Data inside the program.
    Bundled {
        /// Its name in reports.
        name: &'static str,
        /// The bytes, compressed or not.
        bytes: &'static [u8],
    },
}

/// The size of an input on disk.
#[derive(Clone, Copy, Debug, Default)]
pub struct InputSize {
    /// The number of bytes, possibly compressed.
    pub size_bytes: u64,
    pub(crate) is_compressed: bool,
}

/// The number of bytes read from inputs, before decompression. Shared with the thread that shows
/// the progress.
pub type BytesRead = Arc<AtomicU64>;

impl From<OsString> for Input {
    /// Converts a path from a command line: `-` is standard input.
    fn from(argument: OsString) -> Self {
        if argument == "-" { Self::Stdin } else { Self::Path(argument.into()) }
    }
}

impl Input {
    /// Returns the name of the input in reports.
    pub fn name(&self) -> String {
        match self {
            Self::Path(path) => path.display().to_string(),
            Self::Stdin => "standard input".to_owned(),
            Self::Bundled { name, .. } => (*name).to_owned(),
        }
    }

    /// Returns the size of the input on the disk. The size of a stream, which can be read only
    /// once, is unknown.
    pub(crate) fn size(&self) -> io::Result<InputSize> {
        let mut head = Vec::new();
        let size_bytes = match self {
            Self::Path(path) => {
                let metadata = path.metadata()?;
                if metadata.is_dir() {
                    return Err(io::Error::new(ErrorKind::IsADirectory, "it is a folder, not a file"));
                }
                if !metadata.is_file() {
                    return Ok(InputSize::default());
                }
                File::open(path)?.take(ZSTD_MAGIC.len() as u64).read_to_end(&mut head)?;
                metadata.len()
            }
            Self::Stdin => 0,
            Self::Bundled { bytes, .. } => {
                head.extend(bytes.iter().take(ZSTD_MAGIC.len()));
                bytes.len() as u64
            }
        };
        let is_compressed = head.starts_with(&GZIP_MAGIC) || head.starts_with(&ZSTD_MAGIC);
        Ok(InputSize { size_bytes, is_compressed })
    }

    /// Returns the error of an input that could not be read after a line, 1-based, or 0 for its
    /// start.
    pub fn error(&self, line: u64, source: io::Error) -> Error {
        Error::Input { name: self.name(), line, source }
    }

    /// Returns the entry of the input in the manifest.
    pub fn entry(&self, size_bytes: u64) -> InputEntry {
        match self {
            Self::Path(path) => InputEntry::of_file(path, size_bytes),
            Self::Stdin | Self::Bundled { .. } => InputEntry::of_stream(self.name(), size_bytes),
        }
    }

    /// Opens the input, and decompresses it if its first bytes are those of gzip or zstd.
    ///
    /// # Errors
    ///
    /// * The file is missing or cannot be read.
    pub fn read(&self) -> io::Result<Box<dyn Read + Send>> {
        self.open(&BytesRead::default(), None)
    }

    /// Opens the input and decompresses it if its first bytes are those of gzip (with any number of
    /// members) or zstd. If the bytes before decompression do not have the listed sum, the read at
    /// their end fails with the error of a wrong sum.
    pub fn open(&self, bytes_read: &BytesRead, expected: Option<&ListedSum>) -> io::Result<Box<dyn Read + Send>> {
        let raw: Box<dyn Read + Send> = match self {
            Self::Path(path) => Box::new(File::open(path)?),
            Self::Stdin => Box::new(io::stdin()),
            Self::Bundled { bytes, .. } => Box::new(Cursor::new(*bytes)),
        };
        let mut counted = SummingReader::new(raw, bytes_read, expected);
        let mut head = Vec::new();
        counted.by_ref().take(ZSTD_MAGIC.len() as u64).read_to_end(&mut head)?;
        if let Some((_, what)) = NO_TEXTS.iter().find(|(magic, _)| head.starts_with(magic)) {
            return Err(io::Error::new(ErrorKind::InvalidData, format!("this is {what}")));
        }
        let is_gzip = head.starts_with(&GZIP_MAGIC);
        let is_zstd = head.starts_with(&ZSTD_MAGIC);
        let whole = BufReader::with_capacity(READ_BUFFER_BYTES, Cursor::new(head).chain(counted));
        Ok(if is_gzip {
            Box::new(MultiGzDecoder::new(whole))
        } else if is_zstd {
            Box::new(zstd::Decoder::with_buffer(whole)?)
        } else {
            Box::new(whole)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use std::sync::atomic::Ordering;

    use super::*;

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text).expect("in memory");
        encoder.finish().expect("in memory")
    }

    fn read(bytes: Vec<u8>) -> io::Result<String> {
        let input = Input::Bundled { name: "test", bytes: bytes.leak() };
        let bytes_read = BytesRead::default();
        let mut text = String::new();
        input.open(&bytes_read, None)?.read_to_string(&mut text)?;
        assert_eq!(bytes_read.load(Ordering::Relaxed), input.size()?.size_bytes);
        Ok(text)
    }

    #[test]
    fn first_bytes_show_the_compression() {
        assert_eq!(read(b"one\ntwo\n".to_vec()).expect("plain"), "one\ntwo\n");
        assert_eq!(read(b"".to_vec()).expect("empty"), "");
        assert_eq!(read(b"\x1f".to_vec()).expect("shorter than any magic"), "\x1f");
        assert_eq!(read(gzip(b"one\n")).expect("gzip"), "one\n");
        assert_eq!(read(zstd::encode_all(&b"one\n"[..], 1).expect("in memory")).expect("zstd"), "one\n");
    }

    #[test]
    fn all_members_and_frames_are_read() {
        assert_eq!(read([gzip(b"one\n"), gzip(b"two\n")].concat()).expect("two members"), "one\ntwo\n");
        let frame = |text: &[u8]| zstd::encode_all(text, 1).expect("in memory");
        assert_eq!(read([frame(b"one\n"), frame(b"two\n")].concat()).expect("two frames"), "one\ntwo\n");
    }

    #[test]
    fn other_kinds_of_files_are_named() {
        for (bytes, expected) in [
            (&b"PAR1..."[..], "this is a Parquet file: `mgdex index --release` reads a folder of them"),
            (b"BZh91AY", "this is compressed by bzip2: unpack it, or compress it by gzip or zstd"),
            (b"PK\x03\x04xl", "this is a ZIP archive or a spreadsheet: unpack it, or save it as CSV or TSV"),
            (b"\xff\xfem\0g\0", "this is UTF-16 text: convert it to UTF-8"),
        ] {
            let input = Input::Bundled { name: "test", bytes };
            let error = input.read().map(|_| ()).expect_err(expected);
            assert_eq!(input.error(0, error).to_string(), format!("test: cannot read: {expected}"));
        }
    }

    #[test]
    fn cut_streams_are_errors() {
        let mut cut = gzip(b"one\ntwo\nthree\n");
        cut.truncate(cut.len() - 6);
        assert_eq!(read(cut).expect_err("no end").kind(), ErrorKind::UnexpectedEof);
        let mut cut = zstd::encode_all(&b"one\ntwo\nthree\n"[..], 1).expect("in memory");
        cut.truncate(cut.len() - 3);
        assert_eq!(read(cut).expect_err("no end").kind(), ErrorKind::UnexpectedEof);
    }
}
