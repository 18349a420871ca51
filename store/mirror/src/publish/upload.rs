//! Uploading objects that the store does not have.

use std::collections::HashSet;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;

use futures_util::{StreamExt, TryStreamExt, stream};
use object_store::path::Path;
use object_store::{Error as ObjectError, MultipartUpload, ObjectStoreExt};
use sha2::{Digest, Sha256};

use crate::blocking::blocking;
use crate::layout::{Chunk, RemoteManifest, hexadecimal};
use crate::pace::Pacer;
use crate::remote::Remote;
use crate::{Error, Result};

/// The size of one part of an upload. S3 requires parts of at least 5 MiB, all of the same size
/// except the last.
const PART_BYTES: u64 = 8 << 20;

/// The number of objects uploaded at the same time. Each takes the memory of a part.
const UPLOADS_AT_ONCE: usize = 4;

/// The number of objects looked up at the same time.
const LOOKUPS_AT_ONCE: usize = 16;

/// An object that the store lacks, and the file and offset of its bytes.
#[derive(Clone, Debug)]
pub(super) struct Upload {
    file: PathBuf,
    offset: u64,
    pub(super) chunk: Chunk,
}

/// Returns the objects of a generation that the store does not have in their full length.
pub(super) async fn missing(remote: &Remote, folder: &FilePath, manifest: &RemoteManifest) -> Result<Vec<Upload>> {
    let mut seen = HashSet::new();
    let distinct: Vec<_> = manifest
        .chunks()
        .filter(|(_, _, chunk)| seen.insert(*chunk))
        .map(|(file, offset, chunk)| Upload { file: folder.join(&file.path), offset, chunk: chunk.clone() })
        .collect();
    let look_up = |upload: Upload| async move {
        let path = upload.chunk.path();
        match remote.objects.head(&Path::from(&*path)).await {
            Ok(found) if found.size == upload.chunk.size_bytes => Ok(None),
            Ok(_) | Err(ObjectError::NotFound { .. }) => Ok(Some(upload)),
            Err(error) => Err(Error::remote("ask for", &path)(error)),
        }
    };
    let lookups = stream::iter(distinct).map(look_up).buffered(LOOKUPS_AT_ONCE);
    lookups.try_filter_map(async |upload| Ok(upload)).try_collect().await
}

/// Uploads objects, several at a time.
pub(super) async fn upload(remote: &Remote, uploads: Vec<Upload>, pacer: &Pacer) -> Result<()> {
    let sending = stream::iter(uploads).map(|upload| async move { upload.send(remote, pacer).await });
    sending.buffer_unordered(UPLOADS_AT_ONCE).try_collect().await
}

impl Upload {
    /// Sends the object. It appears in the store when it is complete and its bytes are unchanged
    /// since they were first read.
    async fn send(&self, remote: &Remote, pacer: &Pacer) -> Result<()> {
        let path = self.chunk.path();
        let location = Path::from(&*path);
        let failed = || Error::remote("write", &path);
        let file = self.file.clone();
        let opened = blocking(move || Ok(File::open(&file).map_err(store::Error::io("cannot open", &file))?)).await?;
        let opened = Arc::new(opened);
        if self.chunk.size_bytes <= PART_BYTES {
            let bytes = self.read(&opened, 0, self.chunk.size_bytes).await?;
            pacer.pass(bytes.len()).await;
            self.check(Sha256::new_with_prefix(&bytes))?;
            return remote.objects.put(&location, bytes.into()).await.map(drop).map_err(failed());
        }
        let mut parts = remote.objects.put_multipart(&location).await.map_err(failed())?;
        match self.send_parts(&opened, &mut *parts, pacer).await {
            Ok(()) => parts.complete().await.map(drop).map_err(failed()),
            Err(error) => {
                // The first error is the one to report.
                let _ = parts.abort().await;
                Err(error)
            }
        }
    }

    async fn send_parts(&self, file: &Arc<File>, parts: &mut dyn MultipartUpload, pacer: &Pacer) -> Result<()> {
        let (mut sha256, mut sent) = (Sha256::new(), 0);
        while sent < self.chunk.size_bytes {
            let bytes = self.read(file, sent, PART_BYTES.min(self.chunk.size_bytes - sent)).await?;
            sent += bytes.len() as u64;
            pacer.pass(bytes.len()).await;
            sha256.update(&bytes);
            parts.put_part(bytes.into()).await.map_err(Error::remote("write", &self.chunk.path()))?;
        }
        self.check(sha256)
    }

    async fn read(&self, file: &Arc<File>, from: u64, num_bytes: u64) -> Result<Vec<u8>> {
        let (file, path, offset) = (Arc::clone(file), self.file.clone(), self.offset + from);
        blocking(move || {
            let mut bytes = vec![0; usize::try_from(num_bytes).unwrap_or(usize::MAX)];
            file.read_exact_at(&mut bytes, offset).map_err(store::Error::io("cannot read", &path))?;
            Ok(bytes)
        })
        .await
    }

    fn check(&self, sha256: Sha256) -> Result<()> {
        if hexadecimal(&sha256.finalize()) == self.chunk.sha256 {
            return Ok(());
        }
        Err(store::Error::altered(&self.file, "its bytes are not those that were published before").into())
    }
}
