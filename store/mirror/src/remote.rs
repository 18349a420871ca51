//! An object store, with the documents that are read and written as a whole.

mod opening;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use futures_util::TryStreamExt;
use object_store::path::Path;
use object_store::{
    Extensions, GetOptions, GetResult, ObjectStore, ObjectStoreExt, PutMode, PutOptions, UpdateVersion,
};
use store::GenerationName;
use tokio::time::timeout;
use uuid::Uuid;

use crate::foreign::cleaned;
use crate::layout::{GENERATIONS, Pointer, RemoteManifest, from_json, manifest_path, pointer_path, sha256_text};
use crate::transport::Counted;
use crate::{Error, Result};

/// The longest manifest that is read: that of a million files.
const MANIFEST_BYTES_MAX: u64 = 256 << 20;

/// The longest of the other documents. Each has a few lines.
const DOCUMENT_BYTES_MAX: u64 = 64 << 10;

/// A store of objects below a URL. [`Remote::open`] lists the kinds of stores.
#[derive(Clone, Debug)]
pub struct Remote {
    pub(crate) objects: Arc<dyn ObjectStore>,
    /// The folder of a store on a file system.
    pub(crate) folder: Option<PathBuf>,
    is_writable: bool,
    is_in_clear: bool,
    conditions: Conditions,
    url: String,
    /// The time limit for a whole document, and for the beginning of an object.
    document_time_max: Duration,
}

/// The way in which a store treats puts with conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Conditions {
    /// It supports them, or its library says which it does not.
    Known,
    /// It may ignore or reject them, as some S3-compatible stores do.
    Unproven,
    Unsupported,
}

/// The outcome of reading a document that may have been read before.
enum Reading {
    Missing,
    Unchanged,
    Read(Vec<u8>, Version),
}

/// The version of a document when it was read.
#[derive(Clone, Debug)]
pub(crate) struct Version {
    pub(crate) e_tag: Option<String>,
    pub(crate) version: Option<String>,
}

impl From<Version> for PutMode {
    fn from(Version { e_tag, version }: Version) -> Self {
        Self::Update(UpdateVersion { e_tag, version })
    }
}

impl Remote {
    /// Returns the URL, without user, password and query.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Returns whether the connection to the store is unencrypted.
    pub fn is_in_clear(&self) -> bool {
        self.is_in_clear
    }

    /// Rejects a store that can only be read.
    pub(crate) fn check_writable(&self) -> Result<()> {
        if self.is_writable {
            return Ok(());
        }
        Err(Error::url(&self.url, "a web server is read-only: publish to the folder or bucket behind it"))
    }

    /// Reads a document, or returns `None` if it does not exist.
    pub(crate) async fn read(&self, path: &str) -> Result<Option<(Vec<u8>, Version)>> {
        match self.read_unless(path, None).await? {
            Reading::Read(bytes, version) => Ok(Some((bytes, version))),
            Reading::Missing | Reading::Unchanged => Ok(None),
        }
    }

    /// Reads a document unless it has not changed. Its size and the time for it are bounded.
    async fn read_unless(&self, path: &str, known: Option<String>) -> Result<Reading> {
        self.in_time(path, self.read_bounded(path, known)).await
    }

    async fn read_bounded(&self, path: &str, known: Option<String>) -> Result<Reading> {
        let bytes_max = if path.starts_with(GENERATIONS) { MANIFEST_BYTES_MAX } else { DOCUMENT_BYTES_MAX };
        let read = match self.get(path, known).await {
            Ok(read) => read,
            Err(object_store::Error::NotFound { .. }) => return Ok(Reading::Missing),
            Err(object_store::Error::NotModified { .. }) => return Ok(Reading::Unchanged),
            Err(error) => return Err(Error::remote("read", path)(error)),
        };
        let version = Version { e_tag: read.meta.e_tag.clone(), version: read.meta.version.clone() };
        let (mut parts, mut bytes) = (read.into_stream(), Vec::new());
        while let Some(part) = parts.try_next().await.map_err(Error::remote("read", path))? {
            bytes.extend_from_slice(&part);
            if bytes.len() as u64 > bytes_max {
                return Err(Error::refused(path, format_args!("it is longer than {bytes_max} bytes")));
            }
        }
        Ok(Reading::Read(bytes, version))
    }

    /// Begins to read an object.
    pub(crate) async fn open_object(&self, path: &str) -> Result<GetResult> {
        let opened = self.in_time(path, async {
            self.get(path, None).await.map_err(|error| match error {
                object_store::Error::NotFound { .. } => Error::refused(path, "it is missing"),
                error => Error::remote("read", path)(error),
            })
        });
        opened.await
    }

    /// Requests an object. The caller bounds the bytes that it reads.
    async fn get(&self, path: &str, if_none_match: Option<String>) -> object_store::Result<GetResult> {
        let mut extensions = Extensions::new();
        extensions.insert(Counted);
        let options = GetOptions { if_none_match, extensions, ..GetOptions::default() };
        self.objects.get_opts(&Path::from(path), options).await
    }

    async fn in_time<T>(&self, path: &str, reading: impl Future<Output = Result<T>>) -> Result<T> {
        let late = |_| Error::remote("read", path)(format!("it took longer than {:?}", self.document_time_max));
        timeout(self.document_time_max, reading).await.map_err(late)?
    }

    /// Finds out whether the store supports puts with conditions. They are not sent to a store that
    /// does not.
    ///
    /// # Errors
    ///
    /// * It does not, and other processes may publish to it.
    pub(crate) async fn with_conditions(&self, is_single_publisher: bool) -> Result<Self> {
        if self.conditions == Conditions::Known {
            return Ok(self.clone());
        }
        let path = format!("PROBE-{}", Uuid::new_v4());
        self.write(&path, Vec::new()).await?;
        let problem = self.problem_with_conditions(&path).await;
        self.remove(&path).await?;
        match problem {
            None => Ok(Self { conditions: Conditions::Known, ..self.clone() }),
            Some(problem) if is_single_publisher => {
                tracing::info!("the object store {problem}: they are not used, since no other process publishes to it");
                Ok(Self { conditions: Conditions::Unsupported, ..self.clone() })
            }
            Some(problem) => Err(Error::Unconditional { problem }),
        }
    }

    /// Returns the answer of the store to puts whose conditions an existing object does not meet,
    /// unless it is the right one.
    async fn problem_with_conditions(&self, path: &str) -> Option<String> {
        let (e_tag, version) = (Some(format!("\"{:032x}\"", 0)), None);
        for mode in [PutMode::Create, Version { e_tag, version }.into()] {
            match self.put(path, Vec::new(), mode).await {
                Err(object_store::Error::AlreadyExists { .. } | object_store::Error::Precondition { .. }) => {}
                Ok(_) => return Some("ignores the conditions of puts".to_owned()),
                Err(error) => return Some(format!("rejects puts with conditions ({})", cleaned(&error.to_string()))),
            }
        }
        None
    }

    pub(crate) async fn put(&self, path: &str, bytes: Vec<u8>, mode: PutMode) -> object_store::Result<Version> {
        if self.conditions == Conditions::Unsupported && !matches!(mode, PutMode::Overwrite) {
            let (operation, implementer) = ("a put with a condition".to_owned(), self.url.clone());
            return Err(object_store::Error::NotImplemented { operation, implementer });
        }
        let options = PutOptions { mode, ..PutOptions::default() };
        let put = self.objects.put_opts(&Path::from(path), bytes.into(), options).await?;
        Ok(Version { e_tag: put.e_tag, version: put.version })
    }

    pub(crate) async fn write(&self, path: &str, bytes: Vec<u8>) -> Result<()> {
        self.put(path, bytes, PutMode::Overwrite).await.map(drop).map_err(Error::remote("write", path))
    }

    /// Removes an object. It may be gone already.
    pub(crate) async fn remove(&self, path: &str) -> Result<()> {
        match self.objects.delete(&Path::from(path)).await {
            Err(object_store::Error::NotFound { .. }) | Ok(()) => Ok(()),
            Err(error) => Err(Error::remote("remove", path)(error)),
        }
    }

    /// Returns the last published generation of a kind and its number, or `None`.
    ///
    /// # Errors
    ///
    /// * The store cannot be reached, or its content cannot be read.
    pub async fn published(&self, kind: &str) -> Result<Option<(GenerationName, u64)>> {
        Ok(self.pointer(kind).await?.map(|(pointer, _)| (pointer.generation, pointer.sequence)))
    }

    /// Reads the pointer of a kind.
    pub(crate) async fn pointer(&self, kind: &str) -> Result<Option<(Pointer, Version)>> {
        let path = pointer_path(kind);
        let Some((bytes, version)) = self.read(&path).await? else { return Ok(None) };
        Ok(Some((from_json(&path, &bytes)?, version)))
    }

    /// Reads the pointer of a kind, or returns the known one if it has not changed.
    pub(crate) async fn pointer_unless(
        &self,
        kind: &str,
        known: Option<&(Pointer, Version)>,
    ) -> Result<(Pointer, Version)> {
        let path = pointer_path(kind);
        let e_tag = known.and_then(|(_, version)| version.e_tag.clone());
        match (self.read_unless(&path, e_tag).await?, known) {
            (Reading::Read(bytes, version), _) => Ok((from_json(&path, &bytes)?, version)),
            (Reading::Unchanged, Some(known)) => Ok(known.clone()),
            _ => Err(Error::refused(&path, "it is missing: nothing was published, or the store is unavailable")),
        }
    }

    /// Reads the manifest of a pointer.
    pub(crate) async fn manifest(&self, kind: &str, pointer: &Pointer) -> Result<RemoteManifest> {
        let path = manifest_path(kind, pointer.generation);
        let Some((bytes, _)) = self.read(&path).await? else { return Err(Error::refused(&path, "it is missing")) };
        if sha256_text(&bytes) != pointer.manifest_sha256 {
            return Err(Error::refused(&path, "it is not the one that was published: its SHA-256 differs"));
        }
        let manifest: RemoteManifest = from_json(&path, &bytes)?;
        manifest.check(kind, pointer.generation)?;
        Ok(manifest)
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, BufRead, BufReader, Write};
    use std::net::TcpListener;

    use super::*;

    /// Answers one request with a part of a document, and then with a byte now and then, forever.
    #[expect(clippy::disallowed_methods, reason = "the thread ends when the test has ended")]
    fn dripping(head: &'static str) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("bound"));
        std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().expect("a request");
            let asked = BufReader::new(&stream).lines().map_while(io::Result::ok);
            asked.take_while(|line| !line.is_empty()).for_each(drop);
            let mut written = stream.write_all(head.as_bytes());
            while written.is_ok() {
                std::thread::sleep(Duration::from_millis(20));
                written = stream.write_all(b" ");
            }
        });
        url
    }

    #[tokio::test]
    async fn documents_sent_byte_by_byte_time_out() {
        let open = |head| {
            let remote = Remote::open(&dripping(head)).expect("a URL");
            Remote { document_time_max: Duration::from_millis(300), ..remote }
        };
        for head in ["HTTP/1.1 200 OK\r\ncontent-length: 300000\r\n\r\n", "HTTP/1.1 200 OK\r\nx-long:"] {
            let error = open(head).pointer_unless("words", None).await.expect_err("late");
            assert_eq!(error.kind(), "store unreachable");
            assert!(error.to_string().contains("longer than 300ms"), "{error}");
        }
        let error = open("HTTP/1.1 200 OK\r\nx-long:").open_object("objects/ab/abab").await.expect_err("late");
        assert!(error.to_string().contains("longer than 300ms"), "{error}");
    }
}
