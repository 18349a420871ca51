//! Runs: sorted entries in a file.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use super::SortKey;
use super::key::length_of;
use crate::{Error, Result};

/// Low: runs are written and read once.
const ZSTD_LEVEL: i32 = 1;

pub(super) struct RunWriter {
    path: PathBuf,
    encoder: zstd::Encoder<'static, BufWriter<File>>,
}

impl RunWriter {
    pub(super) fn create(path: PathBuf) -> Result<Self> {
        let open = || {
            let mut encoder = zstd::Encoder::new(BufWriter::new(File::create(&path)?), ZSTD_LEVEL)?;
            encoder.include_checksum(true)?;
            Ok(encoder)
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
        self.encoder.finish().and_then(|mut file| file.flush()).map_err(Error::io("cannot write", &self.path))?;
        Ok(self.path)
    }
}

pub(super) struct RunReader {
    path: PathBuf,
    decoder: zstd::Decoder<'static, BufReader<File>>,
    /// The payload of the entry whose key [`RunReader::advance`] has returned.
    pub(super) payload: Vec<u8>,
}

impl RunReader {
    pub(super) fn open(path: &Path) -> Result<Self> {
        let decoder = File::open(path).and_then(zstd::Decoder::new).map_err(Error::io("cannot open", path))?;
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
