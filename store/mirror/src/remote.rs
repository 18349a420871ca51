//! A store of objects, and what is read from it and written to it as a whole.

use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use object_store::aws::AmazonS3Builder;
use object_store::azure::MicrosoftAzureBuilder;
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::http::HttpBuilder;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::prefix::PrefixStore;
use object_store::{
    ClientOptions, GetOptions, ObjectStore, ObjectStoreExt, ObjectStoreScheme, PutMode, PutOptions, RetryConfig,
    UpdateVersion,
};
use url::{Position, Url};

use crate::layout::{Pointer, RemoteManifest, from_json, manifest_path, pointer_path, sha256_text};
use crate::{Error, Result};

/// How long a store may be silent.
const READ_TIMEOUT: Duration = Duration::from_secs(30);

/// How often a request is tried again at once. Whoever follows a store tries again later, anyway.
const RETRIES_MAX: usize = 3;
const RETRY_TIMEOUT: Duration = Duration::from_secs(30);

/// The longest document that is read: the manifest of a million files.
const DOCUMENT_BYTES_MAX: u64 = 256 << 20;

/// A store of objects below a URL. [`Remote::open`] says which there are.
#[derive(Clone, Debug)]
pub struct Remote {
    pub(crate) objects: Arc<dyn ObjectStore>,
    /// Of a store that is a folder.
    pub(crate) folder: Option<PathBuf>,
    is_writable: bool,
    url: String,
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
    pub fn open(url: &str) -> Result<Self> {
        let unusable = |problem: String| Error::Url { url: url.to_owned(), problem };
        if !url.contains("://") {
            let path = std::path::absolute(url).map_err(|error| unusable(error.to_string()))?;
            return Self::of_folder(&path);
        }
        let parsed = Url::parse(url).map_err(|error| unusable(error.to_string()))?;
        let (scheme, path) = ObjectStoreScheme::parse(&parsed).map_err(|error| unusable(error.to_string()))?;
        let retry = RetryConfig { max_retries: RETRIES_MAX, retry_timeout: RETRY_TIMEOUT, ..RetryConfig::default() };
        let client = ClientOptions::new().with_timeout_disabled().with_read_timeout(READ_TIMEOUT);
        let failed = |error: object_store::Error| unusable(error.to_string());
        let objects: Box<dyn ObjectStore> = match scheme {
            ObjectStoreScheme::Local => {
                let path = parsed.to_file_path().map_err(|()| unusable("it is not the URL of a folder".to_owned()))?;
                return Self::of_folder(&path);
            }
            ObjectStoreScheme::AmazonS3 => {
                let http = std::env::var("AWS_ALLOW_HTTP").is_ok_and(|value| value == "true");
                let builder = AmazonS3Builder::from_env().with_url(url).with_retry(retry);
                Box::new(builder.with_client_options(client.with_allow_http(http)).build().map_err(failed)?)
            }
            ObjectStoreScheme::GoogleCloudStorage => {
                let builder = GoogleCloudStorageBuilder::from_env().with_url(url).with_retry(retry);
                Box::new(builder.with_client_options(client).build().map_err(failed)?)
            }
            ObjectStoreScheme::MicrosoftAzure => {
                let builder = MicrosoftAzureBuilder::from_env().with_url(url).with_retry(retry);
                Box::new(builder.with_client_options(client).build().map_err(failed)?)
            }
            ObjectStoreScheme::Http => {
                let host = &parsed[..Position::BeforePath];
                let builder = HttpBuilder::new().with_url(host).with_retry(retry);
                Box::new(builder.with_client_options(client.with_allow_http(true)).build().map_err(failed)?)
            }
            _ => return Err(unusable("this kind of store is not known".to_owned())),
        };
        let is_writable = scheme != ObjectStoreScheme::Http;
        let objects = Arc::new(PrefixStore::new(objects, path));
        Ok(Self { objects, folder: None, is_writable, url: shown(&parsed) })
    }

    fn of_folder(path: &FilePath) -> Result<Self> {
        let url = path.display().to_string();
        let prefix = Path::from_absolute_path(path)
            .map_err(|error| Error::Url { url: url.clone(), problem: error.to_string() })?;
        let objects = Arc::new(PrefixStore::new(LocalFileSystem::new().with_fsync(true), prefix));
        Ok(Self { objects, folder: Some(path.to_owned()), is_writable: true, url })
    }

    /// Returns the URL, without passwords.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Refuses a store that can only be read.
    pub(crate) fn check_writable(&self) -> Result<()> {
        if self.is_writable {
            return Ok(());
        }
        let problem = "a web server is only read from: publish to the folder or bucket behind it".to_owned();
        Err(Error::Url { url: self.url.clone(), problem })
    }

    /// Reads a document, or returns `None` if there is none.
    pub(crate) async fn read(&self, path: &str) -> Result<Option<(Vec<u8>, Version)>> {
        match self.read_unless(path, None).await {
            Ok(read) => Ok(read),
            Err(error) => Err(Error::remote("read", path)(error)),
        }
    }

    /// Reads a document unless it is one that was read before.
    async fn read_unless(&self, path: &str, known: Option<String>) -> object_store::Result<Option<(Vec<u8>, Version)>> {
        let options = GetOptions { if_none_match: known, ..GetOptions::default() };
        let read = match self.objects.get_opts(&Path::from(path), options).await {
            Ok(read) => read,
            Err(object_store::Error::NotFound { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        if read.meta.size > DOCUMENT_BYTES_MAX {
            let source = format!("it has {} bytes", read.meta.size).into();
            return Err(object_store::Error::Generic { store: "document", source });
        }
        let version = Version { e_tag: read.meta.e_tag.clone(), version: read.meta.version.clone() };
        Ok(Some((read.bytes().await?.to_vec(), version)))
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
        match (self.read_unless(&path, e_tag).await, known) {
            (Ok(Some((bytes, version))), _) => Ok((from_json(&path, &bytes)?, version)),
            (Ok(None), _) => Err(Error::refused(&path, "it is missing: nothing was published, or the store is away")),
            (Err(object_store::Error::NotModified { .. }), Some(known)) => Ok(known.clone()),
            (Err(error), _) => Err(Error::remote("read", &path)(error)),
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

fn shown(url: &Url) -> String {
    let mut url = url.clone();
    // A URL that cannot have a password has none.
    let _ = url.set_password(None);
    url.set_query(None);
    url.to_string()
}

#[cfg(test)]
mod tests {
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
        assert_eq!(
            Remote::open("https://user:secret@example.org/x").expect("a URL").url(),
            "https://user@example.org/x"
        );
    }
}
