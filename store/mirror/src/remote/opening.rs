//! Opening the store of a URL.

use std::path::Path as FilePath;
use std::sync::Arc;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use object_store::aws::AmazonS3Builder;
use object_store::azure::MicrosoftAzureBuilder;
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::http::HttpBuilder;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::prefix::PrefixStore;
use object_store::{ClientOptions, ObjectStore, ObjectStoreScheme, RetryConfig};
use percent_encoding::percent_decode_str;
use reqwest::header::HeaderValue;
use url::{Host, Position, Url};

use super::{Conditions, Remote};
use crate::foreign::cleaned;
use crate::transport::Connector;
use crate::{Error, Result};

/// The longest silence of a store.
const READ_TIMEOUT: Duration = Duration::from_secs(30);

/// The number of immediate retries of a request. A follower retries later, too.
const RETRIES_MAX: usize = 3;
const RETRY_TIMEOUT: Duration = Duration::from_secs(30);

const DOCUMENT_TIME_MAX: Duration = Duration::from_secs(30);

impl Remote {
    /// Opens an object store, without contacting it.
    ///
    /// | URL | store | settings in the environment |
    /// |---|---|---|
    /// | `s3://BUCKET/PATH` | S3 and compatible stores | `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_REGION`, `AWS_ENDPOINT`, … |
    /// | `gs://BUCKET/PATH` | Google Cloud Storage | `GOOGLE_SERVICE_ACCOUNT`, … |
    /// | `az://CONTAINER/PATH` | Azure Blob Storage | `AZURE_STORAGE_ACCOUNT_NAME`, `AZURE_STORAGE_ACCOUNT_KEY`, … |
    /// | `https://HOST/PATH` | any web server, for replicas only | |
    /// | `file:///PATH`, `PATH` | a folder, such as one that machines share | |
    ///
    /// # Errors
    ///
    /// * It is of none of these forms, or a setting is missing.
    /// * It has a user or password that would be sent unencrypted: with `http://`, to another
    ///   machine.
    pub fn open(url: &str) -> Result<Self> {
        if !url.contains("://") {
            let path = std::path::absolute(url).map_err(|error| Error::url(url, error))?;
            return Self::from_folder(&path);
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
                return Self::from_folder(&path);
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
        let conditions = if scheme == ObjectStoreScheme::AmazonS3 { Conditions::Unproven } else { Conditions::Known };
        let objects = Arc::new(PrefixStore::new(objects, path));
        let (folder, url, document_time_max) = (None, cleaned(url), DOCUMENT_TIME_MAX);
        Ok(Self { objects, folder, is_writable, is_in_clear, conditions, url, document_time_max })
    }

    fn from_folder(path: &FilePath) -> Result<Self> {
        let url = path.display().to_string();
        let prefix = Path::from_absolute_path(path).map_err(|error| Error::url(&url, error))?;
        let objects = Arc::new(PrefixStore::new(LocalFileSystem::new().with_fsync(true), prefix));
        let (folder, conditions, document_time_max) = (Some(path.to_owned()), Conditions::Known, DOCUMENT_TIME_MAX);
        Ok(Self { objects, folder, is_writable: true, is_in_clear: false, conditions, url, document_time_max })
    }
}

/// Returns the `Authorization` header for the user and password of a URL.
///
/// # Errors
///
/// * They would be sent to another machine unencrypted.
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
        let problem = "its user and password would be sent unencrypted: use https://, or leave them out";
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
    use super::*;

    #[test]
    fn urls_open_stores() {
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
}
