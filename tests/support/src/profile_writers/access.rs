//! A key pair, tokens, and commands over a data folder that use them. All of it is outside of the
//! data folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use api_profiles::tokens::NewToken;
use rcgen::{KeyPair, PKCS_RSA_SHA256};
use store::UserReference;
use tempfile::TempDir;
use uuid::Uuid;

use super::Contents;
use crate::machine::Server;

/// The lifetime of tokens: longer than any test takes.
const TOKEN_TTL: Duration = Duration::from_hours(24);

/// The tokens of the tests, and the key that a server checks them with.
pub struct Access {
    folder: TempDir,
    key: KeyPair,
    /// A token that may read and write all profiles.
    pub administrator: String,
    /// A token that may search.
    pub searcher: String,
    /// The owner of that token.
    pub searcher_reference: String,
}

impl Access {
    /// Makes a key pair and tokens of it.
    pub fn new() -> Self {
        let key = KeyPair::generate_for(&PKCS_RSA_SHA256).expect("an RSA key");
        let searcher = UserReference::new(Uuid::new_v4());
        let folder = TempDir::new().expect("a temporary folder");
        let access = Self {
            administrator: token(&key, UserReference::new(Uuid::new_v4()), &["svc.admin"]),
            searcher: token(&key, searcher, &["svc.profile.search"]),
            searcher_reference: searcher.to_string(),
            folder,
            key,
        };
        fs::write(access.public_key(), access.key.public_key_pem()).expect("writable");
        access
    }

    /// Makes a token of a user without special rights.
    pub fn token(&self, user: UserReference) -> String {
        token(&self.key, user, &[])
    }

    /// Returns the file of the key that tokens are checked with.
    pub fn public_key(&self) -> PathBuf {
        self.folder.path().join("public.pem")
    }

    /// Returns the command that serves a data folder.
    pub fn serve(&self, data: &Path) -> Command {
        self.serve_at("127.0.0.1:0", data)
    }

    /// Returns the command that serves a data folder at an address.
    pub fn serve_at(&self, address: &str, data: &Path) -> Command {
        let mut command = crate::program();
        command.args(["serve", "--listen", address, "--data"]).arg(data);
        command.arg("--jwt-key").arg(self.public_key());
        command.arg("--audit-log").arg(self.folder.path().join("audit.log")).stdin(Stdio::null());
        command
    }

    /// Serves a data folder.
    pub fn start(&self, data: &Path) -> Server {
        Server::of_command(&mut self.serve(data))
    }
}

fn token(key: &KeyPair, user: UserReference, groups: &[&str]) -> String {
    let groups = groups.iter().map(|group| (*group).to_owned()).collect();
    let new = NewToken { user, name: None, email: None, groups, issuer: None, audience: None, ttl: TOKEN_TTL };
    new.sign(key.serialize_pem().as_bytes()).expect("a private key")
}

/// Returns the command that exports or imports.
pub fn profiles(action: &str, data: &Path) -> Command {
    let mut command = crate::program();
    command.args(["profiles", action, "--quiet", "--data"]).arg(data).stdin(Stdio::null());
    command
}

/// Runs `mgdex profiles export`.
pub fn export(data: &Path) -> Output {
    profiles("export", data).output().expect("the binary")
}

/// Returns all profiles of a data folder that no server has open.
pub fn exported(data: &Path, context: &str) -> Contents {
    let output = export(data);
    assert!(output.status.success(), "{}; {context}", String::from_utf8_lossy(&output.stderr));
    Contents::of_export(std::str::from_utf8(&output.stdout).expect("text"), context)
}
