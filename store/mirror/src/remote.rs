//! A store of objects, and what is read from it and written to it as a whole.

use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use futures_util::TryStreamExt;
use object_store::aws::AmazonS3Builder;
use object_store::azure::MicrosoftAzureBuilder;
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::http::HttpBuilder;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::prefix::PrefixStore;
use object_store::{
    ClientOptions, Extensions, GetOptions, GetResult, ObjectStore, ObjectStoreExt, ObjectStoreScheme, PutMode,
    PutOptions, RetryConfig, UpdateVersion,
};
use percent_encoding::percent_decode_str;
use reqwest::header::HeaderValue;
use tokio::time::timeout;
use url::{Host, Position, Url};

use crate::foreign::cleaned;
use crate::layout::{GENERATIONS, Pointer, RemoteManifest, from_json, manifest_path, pointer_path, sha256_text};
use crate::transport::{Connector, Counted};
use crate::{Error, Result};

/// How long a store may be silent.
const READ_TIMEOUT: Duration = Duration::from_secs(30);

/// How often a request is tried again at once. Whoever follows a store tries again later, anyway.
const RETRIES_MAX: usize = 3;
const RETRY_TIMEOUT: Duration = Duration::from_secs(30);

/// How long it may take until a document is there as a whole, and until an object begins.
const DOCUMENT_TIME_MAX: Duration = Duration::from_secs(30);

/// The longest manifest that is read: that of a million files.
const MANIFEST_BYTES_MAX: u64 = 256 << 20;

/// The longest of the other documents, each of which is a few lines.
const DOCUMENT_BYTES_MAX: u64 = 64 << 10;

/// A store of objects below a URL. [`Remote::open`] says which there are.
#[derive(Clone, Debug)]
pub struct Remote {
    pub(crate) objects: Arc<dyn ObjectStore>,
    /// Of a store that is a folder.
    pub(crate) folder: Option<PathBuf>,
    is_writable: bool,
    is_in_clear: bool,
    url: String,
    pub(crate) document_time_max: Duration,
}

/// What became of reading a document that may be known.
enum Reading {
    Missing,
    Unchanged,
    Read(Vec<u8>, Version),
}

/// What a document was when it was read.
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
    /// Names a store of objects. Nothing is asked of it.
    ///
    /// | URL | store | settings in the environment |
    /// |---|---|---|
    /// | `s3://BUCKET/PATH` | S3 and what is compatible with it | `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_REGION`, `AWS_ENDPOINT`, … |
    /// | `gs://BUCKET/PATH` | Google Cloud Storage | `GOOGLE_SERVICE_ACCOUNT`, … |
    /// | `az://CONTAINER/PATH` | Azure Blob Storage | `AZURE_STORAGE_ACCOUNT_NAME`, `AZURE_STORAGE_ACCOUNT_KEY`, … |
    /// | `https://HOST/PATH` | any web server, for replicas only | |
    /// | `file:///PATH`, `PATH` | a folder, such as one that machines share | |
    ///
    /// # Errors
    ///
    /// * It is of none of these forms, or a setting is missing.
    /// * It has a user or password that would go over the network as it is: with `http://`, to another machine.
    pub fn open(url: &str) -> Result<Self> {
        if !url.contains("://") {
            let path = std::path::absolute(url).map_err(|error| Error::url(url, error))?;
            return Self::of_folder(&path);
        }
        let parsed = Url::parse(url).map_err(|error| Error::url(url, error))?;
        let (scheme, path) = ObjectStoreScheme::parse(&parsed).map_err(|error| Error::url(url, error))?;
        let retry = RetryConfig { max_retries: RETRIES_MAX, retry_timeout: RETRY_TIMEOUT, ..RetryConfig::default() };
        let client = ClientOptions::new().with_timeout_disabled().with_read_timeout(READ_TIMEOUT);
        let failed = |error: object_store::Error| Error::url(url, error);
        let mut is_in_clear = parsed.scheme() == "http";
        let objects: Box<dyn ObjectStore> = match scheme {
            ObjectStoreScheme::Local => {
                let path = parsed.to_file_path().map_err(|()| Error::url(url, "it is not the URL of a folder"))?;
                return Self::of_folder(&path);
            }
            ObjectStoreScheme::AmazonS3 => {
                let http = std::env::var("AWS_ALLOW_HTTP").is_ok_and(|value| value == "true");
                let builder = AmazonS3Builder::from_env().with_url(url).with_retry(retry);
                let builder = builder.with_http_connector(Connector::default());
                let endpoint = ["AWS_ENDPOINT", "AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3"].map(std::env::var);
                is_in_clear = http && endpoint.into_iter().flatten().any(|url| url.starts_with("http://"));
                Box::new(builder.with_client_options(client.with_allow_http(http)).build().map_err(failed)?)
            }
            ObjectStoreScheme::GoogleCloudStorage => {
                let builder = GoogleCloudStorageBuilder::from_env().with_url(url).with_retry(retry);
                let builder = builder.with_http_connector(Connector::default());
                Box::new(builder.with_client_options(client).build().map_err(failed)?)
            }
            ObjectStoreScheme::MicrosoftAzure => {
                let builder = MicrosoftAzureBuilder::from_env().with_url(url).with_retry(retry);
                let builder = builder.with_http_connector(Connector::default());
                Box::new(builder.with_client_options(client).build().map_err(failed)?)
            }
            ObjectStoreScheme::Http => {
                let host = format!("{}://{}", parsed.scheme(), &parsed[Position::BeforeHost..Position::BeforePath]);
                let builder = HttpBuilder::new().with_url(host).with_retry(retry);
                let builder = builder.with_http_connector(Connector { authorization: authorization(&parsed)? });
                Box::new(builder.with_client_options(client.with_allow_http(true)).build().map_err(failed)?)
            }
            _ => return Err(Error::url(url, "this kind of store is not known")),
        };
        let is_writable = scheme != ObjectStoreScheme::Http;
        let objects = Arc::new(PrefixStore::new(objects, path));
        let (folder, url, document_time_max) = (None, cleaned(url), DOCUMENT_TIME_MAX);
        Ok(Self { objects, folder, is_writable, is_in_clear, url, document_time_max })
    }

    fn of_folder(path: &FilePath) -> Result<Self> {
        let url = path.display().to_string();
        let prefix = Path::from_absolute_path(path).map_err(|error| Error::url(&url, error))?;
        let objects = Arc::new(PrefixStore::new(LocalFileSystem::new().with_fsync(true), prefix));
        let (folder, document_time_max) = (Some(path.to_owned()), DOCUMENT_TIME_MAX);
        Ok(Self { objects, folder, is_writable: true, is_in_clear: false, url, document_time_max })
    }

    /// Returns the URL, without user, password and query.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Tells whether whoever is between here and the store can read and change what is fetched.
    pub fn is_in_clear(&self) -> bool {
        self.is_in_clear
    }

    /// Refuses a store that can only be read.
    pub(crate) fn check_writable(&self) -> Result<()> {
        if self.is_writable {
            return Ok(());
        }
        Err(Error::url(&self.url, "a web server is only read from: publish to the folder or bucket behind it"))
    }

    /// Reads a document, or returns `None` if there is none.
    pub(crate) async fn read(&self, path: &str) -> Result<Option<(Vec<u8>, Version)>> {
        match self.read_unless(path, None).await? {
            Reading::Read(bytes, version) => Ok(Some((bytes, version))),
            Reading::Missing | Reading::Unchanged => Ok(None),
        }
    }

    /// Reads a document unless it is one that was read before. However slowly and however much of it comes, that has an end.
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

    /// Asks for an object. Whoever reads it counts what comes.
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

    pub(crate) async fn put(&self, path: &str, bytes: Vec<u8>, mode: PutMode) -> object_store::Result<Version> {
        let options = PutOptions { mode, ..PutOptions::default() };
        let put = self.objects.put_opts(&Path::from(path), bytes.into(), options).await?;
        Ok(Version { e_tag: put.e_tag, version: put.version })
    }

    pub(crate) async fn write(&self, path: &str, bytes: Vec<u8>) -> Result<()> {
        self.put(path, bytes, PutMode::Overwrite).await.map(drop).map_err(Error::remote("write", path))
    }

    /// Removes an object, which may be gone already.
    pub(crate) async fn remove(&self, path: &str) -> Result<()> {
        match self.objects.delete(&Path::from(path)).await {
            Err(object_store::Error::NotFound { .. }) | Ok(()) => Ok(()),
            Err(error) => Err(Error::remote("remove", path)(error)),
        }
    }

    /// Reads which generation of a kind is current.
    pub(crate) async fn pointer(&self, kind: &str) -> Result<Option<(Pointer, Version)>> {
        let path = pointer_path(kind);
        let Some((bytes, version)) = self.read(&path).await? else { return Ok(None) };
        Ok(Some((from_json(&path, &bytes)?, version)))
    }

    /// Reads the same, unless it is the one that was read before.
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
            _ => Err(Error::refused(&path, "it is missing: nothing was published, or the store is away")),
        }
    }

    /// Reads the manifest that a pointer names.
    pub(crate) async fn manifest(&self, kind: &str, pointer: &Pointer) -> Result<RemoteManifest> {
        let path = manifest_path(kind, pointer.generation);
        let Some((bytes, _)) = self.read(&path).await? else { return Err(Error::refused(&path, "it is missing")) };
        if sha256_text(&bytes) != pointer.manifest_sha256 {
            return Err(Error::refused(&path, "it is not the one that was published: its SHA-256 is another"));
        }
        let manifest: RemoteManifest = from_json(&path, &bytes)?;
        manifest.check(kind, pointer.generation)?;
        Ok(manifest)
    }
}

/// Returns what a web server knows the user and password of a URL by.
///
/// # Errors
///
/// * They would go to another machine in clear.
fn authorization(url: &Url) -> Result<Option<HeaderValue>> {
    if url.username().is_empty() && url.password().is_none() {
        return Ok(None);
    }
    let is_own = match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    };
    if url.scheme() == "http" && !is_own {
        let problem = "its user and password would go over the network in clear: use https://, or leave them out";
        return Err(Error::url(url.as_str(), problem));
    }
    let decoded = |text: &str| percent_decode_str(text).collect::<Vec<_>>();
    let user = [decoded(url.username()), decoded(url.password().unwrap_or_default())].join(&b':');
    let mut value = HeaderValue::try_from(format!("Basic {}", STANDARD.encode(user))).expect("letters and digits");
    value.set_sensitive(true);
    Ok(Some(value))
}

#[cfg(test)]
mod tests {
    use std::io::{self, BufRead, BufReader, Write};
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn urls_lead_to_stores() {
        for (url, is_folder, is_writable) in [
            ("file:///tmp/store", true, true),
            ("/tmp/store", true, true),
            ("store", true, true),
            ("https://example.org/mgdex", false, false),
            ("http://127.0.0.1:9000", false, false),
        ] {
            let remote = Remote::open(url).expect(url);
            assert_eq!((remote.folder.is_some(), remote.check_writable().is_ok()), (is_folder, is_writable), "{url}");
        }
        for url in ["ftp://example.org/x", "s3://", "https://", "file://host/x"] {
            assert!(matches!(Remote::open(url), Err(Error::Url { .. })), "{url}");
        }
        for (url, shown) in [
            ("https://user:secret@example.org/x?y=z", "https://example.org/x"),
            ("http://user:secret@127.0.0.1:80/x", "http://127.0.0.1:80/x"),
            ("http://user:secret@[::1]/x", "http://[::1]/x"),
        ] {
            assert_eq!(Remote::open(url).expect(url).url(), shown);
        }
        for url in ["http://user:secret@example.org/x", "http://secret@192.0.2.1/x", "ftp://user:secret@host/x"] {
            let error = Remote::open(url).expect_err(url).to_string();
            assert!(!error.contains("secret"), "{error}");
        }
    }

    /// Answers one request with a part of a document, and then with a byte now and then, for ever.
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
    async fn documents_that_come_byte_by_byte_are_given_up() {
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
