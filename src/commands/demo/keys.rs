//! The key pair for the tokens of the demo, which is created once.

use std::fs::{self, DirBuilder, File, Metadata, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use aws_lc_rs::encoding::{AsDer, Pkcs8V1Der, PublicKeyX509Der};
use aws_lc_rs::rsa::{KeyPair, KeySize};
use aws_lc_rs::signature::KeyPair as _;
use pem::Pem;
use rustix::process::geteuid;
use tempfile::Builder;

use crate::data_folder::DataFolder;
use crate::failure::Failure;

/// The name of the folder in the data folder.
const FOLDER: &str = "demo-keys";

// Only the owner may read the private key.
const FOLDER_MODE: u32 = 0o700;
const PRIVATE_FILE_MODE: u32 = 0o600;
const PUBLIC_FILE_MODE: u32 = 0o644;
const OTHERS_MODE: u32 = 0o077;

pub(super) struct DemoKeys {
    pub(super) private: PathBuf,
    pub(super) public: PathBuf,
}

impl DemoKeys {
    /// Writes a token that only the owner may read, and returns its file.
    pub(super) fn write_token(&self, token: &str) -> Result<PathBuf, Failure> {
        let path = self.private.with_file_name("token");
        let failure = |error| Failure::Message(format!("cannot write {}: {error}", path.display()));
        write(&path, PRIVATE_FILE_MODE, format!("{token}\n").as_bytes()).map_err(failure)?;
        Ok(path)
    }
}

/// Returns the keys of a data folder. Missing keys are created.
pub(super) fn in_folder(data: &DataFolder) -> Result<DemoKeys, Failure> {
    let folder = data.path.join(FOLDER);
    let keys = DemoKeys { private: folder.join("private.pem"), public: folder.join("public.pem") };
    let failure = |error: io::Error| Failure::Message(format!("cannot make keys in {}: {error}", folder.display()));
    DirBuilder::new().recursive(true).mode(FOLDER_MODE).create(&folder).map_err(failure)?;
    check_private(&folder, &fs::metadata(&folder).map_err(failure)?)?;
    let pair = if keys.private.try_exists().map_err(failure)? {
        let mut file = File::open(&keys.private).map_err(failure)?;
        check_private(&keys.private, &file.metadata().map_err(failure)?)?;
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(failure)?;
        KeyPair::from_pkcs8(pem::parse(text)?.contents())?
    } else {
        let pair = KeyPair::generate(KeySize::Rsa2048)?;
        let der = AsDer::<Pkcs8V1Der<'_>>::as_der(&pair)?;
        write_pem(&keys.private, PRIVATE_FILE_MODE, "PRIVATE KEY", der.as_ref()).map_err(failure)?;
        pair
    };
    // This is always written, so that the public key belongs to the private one.
    let der = AsDer::<PublicKeyX509Der<'_>>::as_der(pair.public_key())?;
    write_pem(&keys.public, PUBLIC_FILE_MODE, "PUBLIC KEY", der.as_ref()).map_err(failure)?;
    Ok(keys)
}

/// Refuses files that another user may have made or changed: that user could sign tokens.
fn check_private(path: &Path, metadata: &Metadata) -> Result<(), Failure> {
    let problem = if metadata.uid() != geteuid().as_raw() {
        "belongs to another user"
    } else if metadata.mode() & OTHERS_MODE != 0 {
        "can be used by other users"
    } else {
        return Ok(());
    };
    let path = path.display();
    Err(Failure::Message(format!("{path} {problem}: remove it, so that the demo makes keys of its own")))
}

fn write_pem(path: &Path, mode: u32, tag: &str, der: &[u8]) -> io::Result<()> {
    write(path, mode, pem::encode(&Pem::new(tag, der)).as_bytes())
}

/// Writes a file completely or not at all.
fn write(path: &Path, mode: u32, content: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(path);
    let mut file = Builder::new().permissions(Permissions::from_mode(mode)).tempfile_in(folder)?;
    file.write_all(content)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::chown;

    use super::*;

    #[test]
    fn keys_that_others_may_have_made_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let data = DataFolder { path: folder.path().to_owned() };
        let keys = in_folder(&data).expect("new keys");
        let is_refused = || match in_folder(&data) {
            Ok(_) => false,
            Err(Failure::Message(problem)) => problem.contains("demo-keys") && problem.contains("remove it"),
            Err(Failure::ClosedPipe | Failure::Usage(_)) => panic!("nothing is printed"),
        };
        assert!(!is_refused());
        let key_folder = folder.path().join(FOLDER);
        for (path, mode) in [(&keys.private, PRIVATE_FILE_MODE), (&key_folder, FOLDER_MODE)] {
            for others in [0o040, 0o002, 0o001] {
                fs::set_permissions(path, Permissions::from_mode(mode | others)).expect("it is ours");
                assert!(is_refused(), "{}", path.display());
            }
            fs::set_permissions(path, Permissions::from_mode(mode)).expect("it is ours");
            assert!(!is_refused());
            if geteuid().is_root() {
                chown(path, Some(12345), None).expect("root may");
                assert!(is_refused(), "{}", path.display());
                chown(path, Some(0), None).expect("root may");
            }
        }
    }
}
