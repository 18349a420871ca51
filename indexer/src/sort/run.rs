//! Runs: sorted entries in a file.

use std::fs::File;
use std::io::{BufReader, BufWriter, IntoInnerError, Read, Write};
use std::path::{Path, PathBuf};

use super::SortKey;
use super::key::length_of;
use crate::{Error, Result};

/// Low: runs are written and read once.
const ZSTD_LEVEL: i32 = 1;

const BUFFER_BYTES: usize = 1 << 15;

pub(super) struct RunWriter {
    path: PathBuf,
    /// Many small pieces are passed to the encoder at once, which is quicker.
    encoder: BufWriter<zstd::Encoder<'static, File>>,
}

impl RunWriter {
    pub(super) fn create(path: PathBuf) -> Result<Self> {
        let open = || {
            let mut encoder = zstd::Encoder::new(File::create(&path)?, ZSTD_LEVEL)?;
            encoder.include_checksum(true)?;
            Ok(BufWriter::with_capacity(BUFFER_BYTES, encoder))
        };
        let encoder = open().map_err(Error::io("cannot create", &path))?;
        Ok(Self { path, encoder })
    }

    pub(super) fn write(&mut self, key: &impl SortKey, payload: &[u8]) -> Result<()> {
        let mut write = || {
            key.write(&mut self.encoder)?;
            self.encoder.write_all(&length_of(payload)?)?;
            self.encoder.write_all(payload)
        };
        write().map_err(Error::io("cannot write", &self.path))
    }

    pub(super) fn finish(self) -> Result<PathBuf> {
        let encoder = self.encoder.into_inner().map_err(IntoInnerError::into_error);
        encoder.and_then(zstd::Encoder::finish).map_err(Error::io("cannot write", &self.path))?;
        Ok(self.path)
    }
}

pub(super) struct RunReader {
    path: PathBuf,
    decoder: BufReader<zstd::Decoder<'static, BufReader<File>>>,
    /// The payload of the entry whose key [`RunReader::advance`] has returned.
    pub(super) payload: Vec<u8>,
}

impl RunReader {
    pub(super) fn open(path: &Path) -> Result<Self> {
        let decoder = File::open(path).and_then(zstd::Decoder::new).map_err(Error::io("cannot open", path))?;
        let decoder = BufReader::with_capacity(BUFFER_BYTES, decoder);
        Ok(Self { path: path.to_owned(), decoder, payload: Vec::new() })
    }

    /// Reads the next entry and returns its key, or `None` at the end.
    pub(super) fn advance<K: SortKey>(&mut self) -> Result<Option<K>> {
        let mut read = || {
            let Some(key) = K::read(&mut self.decoder)? else { return Ok(None) };
            let mut length = [0; 4];
            self.decoder.read_exact(&mut length)?;
            self.payload.resize(u32::from_le_bytes(length) as usize, 0);
            self.decoder.read_exact(&mut self.payload)?;
            Ok(Some(key))
        };
        read().map_err(Error::io("cannot read", &self.path))
    }
}
