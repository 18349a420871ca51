//! Encryption: rustls, with the same cryptography as the rest of mgdex.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::{self, PemObject};
use rustls::{ClientConfig, RootCertStore, crypto};
use rustls_platform_verifier::BuilderVerifierExt;
use tokio_postgres_rustls::MakeRustlsConnect;

/// The reason why connections cannot be encrypted.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// The file of certificates cannot be read.
    #[error("cannot read certificates from {}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The defect.
        source: pem::Error,
    },
    /// Certificates cannot be used.
    #[error("cannot check certificates of the database: {0}")]
    Certificates(#[from] rustls::Error),
}

/// Returns a connector that encrypts. Certificates of servers must be of an authority of the file,
/// or of one that the system trusts.
pub(crate) fn settings(authorities: Option<&Path>, is_needed: bool) -> Result<MakeRustlsConnect, TlsError> {
    let provider = Arc::new(crypto::aws_lc_rs::default_provider());
    let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    let builder = match authorities {
        Some(path) => builder.with_root_certificates(read(path)?),
        None if is_needed => builder.with_platform_verifier()?,
        None => builder.with_root_certificates(RootCertStore::empty()),
    };
    Ok(MakeRustlsConnect::new(builder.with_no_client_auth()))
}

fn read(path: &Path) -> Result<RootCertStore, TlsError> {
    let unreadable = |source| TlsError::File { path: path.to_owned(), source };
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_file_iter(path).map_err(unreadable)? {
        roots.add(certificate.map_err(unreadable)?)?;
    }
    if roots.is_empty() {
        return Err(unreadable(pem::Error::NoItemsFound));
    }
    Ok(roots)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_without_certificates_are_named_in_errors() {
        for path in ["Cargo.toml", "missing.pem"] {
            let error = settings(Some(Path::new(path)), true).err().expect("no certificates").to_string();
            assert!(error.contains(path), "{error}");
        }
        assert!(settings(None, false).is_ok());
    }
}
