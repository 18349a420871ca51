//! The key pair for the tokens of the demo, which is made once.

use std::fs::{self, DirBuilder, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

use aws_lc_rs::encoding::{AsDer, Pkcs8V1Der, PublicKeyX509Der};
use aws_lc_rs::rsa::{KeyPair, KeySize};
use aws_lc_rs::signature::KeyPair as _;
use pem::Pem;
use tempfile::Builder;

use crate::data_folder::DataFolder;
use crate::failure::Failure;

/// Inside the data folder.
const FOLDER: &str = "demo-keys";

// Only the owner may read the private key.
const FOLDER_MODE: u32 = 0o700;
const PRIVATE_FILE_MODE: u32 = 0o600;
const PUBLIC_FILE_MODE: u32 = 0o644;

pub(super) struct DemoKeys {
    pub(super) private: PathBuf,
    pub(super) public: PathBuf,
}

/// Returns the keys of a data folder. They are made if they are missing.
pub(super) fn in_folder(data: &DataFolder) -> Result<DemoKeys, Failure> {
    let folder = data.path.join(FOLDER);
    let keys = DemoKeys { private: folder.join("private.pem"), public: folder.join("public.pem") };
    let failure = |error: io::Error| Failure::Message(format!("cannot make keys in {}: {error}", folder.display()));
    DirBuilder::new().recursive(true).mode(FOLDER_MODE).create(&folder).map_err(failure)?;
    let pair = if keys.private.try_exists().map_err(failure)? {
        KeyPair::from_pkcs8(pem::parse(fs::read(&keys.private).map_err(failure)?)?.contents())?
    } else {
        let pair = KeyPair::generate(KeySize::Rsa2048)?;
        let der = AsDer::<Pkcs8V1Der<'_>>::as_der(&pair)?;
        write(&keys.private, PRIVATE_FILE_MODE, &Pem::new("PRIVATE KEY", der.as_ref())).map_err(failure)?;
        pair
    };
    // Always written, so that the public key belongs to the private one.
    let der = AsDer::<PublicKeyX509Der<'_>>::as_der(pair.public_key())?;
    write(&keys.public, PUBLIC_FILE_MODE, &Pem::new("PUBLIC KEY", der.as_ref())).map_err(failure)?;
    Ok(keys)
}

/// Writes a file completely or not at all.
fn write(path: &Path, mode: u32, content: &Pem) -> io::Result<()> {
    let folder = path.parent().unwrap_or(path);
    let mut file = Builder::new().permissions(Permissions::from_mode(mode)).tempfile_in(folder)?;
    file.write_all(pem::encode(content).as_bytes())?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}
