//! Flat files: gzip with several members, as real ones may have.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::mpsc::Receiver;
use std::thread::Scope;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::background::Background;
use indexer::{Error, Result};

/// How much text a member has.
const MEMBER_BYTES: usize = 1 << 20;

/// A gzip file.
pub(crate) struct GzipFile<'scope> {
    /// Compresses and writes.
    members: Background<'scope, Vec<u8>>,
    /// The text of the next member.
    text: Vec<u8>,
}

impl<'scope> GzipFile<'scope> {
    /// Makes the file.
    ///
    /// # Errors
    ///
    /// * The file cannot be made.
    pub(crate) fn create(scope: &'scope Scope<'scope, '_>, path: &Path) -> Result<Self> {
        let mut file = BufWriter::new(File::create_new(path).map_err(Error::io("cannot create", path))?);
        let own_path = path.to_owned();
        let members = Background::start(scope, path, move |members: Receiver<Vec<u8>>| {
            let write = || {
                for text in members {
                    let mut encoder = GzEncoder::new(&mut file, Compression::fast());
                    encoder.write_all(&text)?;
                    encoder.finish()?;
                }
                file.flush()
            };
            write().map_err(Error::io("cannot write", &own_path))
        });
        Ok(Self { members, text: Vec::new() })
    }

    /// Appends text.
    ///
    /// # Errors
    ///
    /// * The file cannot be written.
    pub(crate) fn write(&mut self, text: &[u8]) -> Result<()> {
        self.text.extend(text);
        if self.text.len() >= MEMBER_BYTES {
            self.members.send(std::mem::take(&mut self.text))?;
        }
        Ok(())
    }

    /// Writes what is still in memory.
    ///
    /// # Errors
    ///
    /// * The file cannot be written.
    pub(crate) fn finish(mut self) -> Result<()> {
        // A file without text needs a member too.
        self.members.send(self.text)?;
        self.members.finish()
    }
}
