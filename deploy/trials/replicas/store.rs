//! The object store of a site: S3, or a folder that its machines share.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use serde_json::Value;
use store::GenerationName;
use support::TestFolder;
use support::network::{Network, Node};

use super::s3::S3;

/// The path of the store in its bucket.
const PREFIX: &str = "below/mgdex";

pub(crate) enum Store {
    S3(S3),
    /// The folder, and next to it a link for each machine that mounts it, by its name.
    Folder(TestFolder),
}

impl Store {
    pub(crate) fn s3(network: &Network) -> Self {
        Self::S3(S3::start(network.node("store")))
    }

    pub(crate) fn folder() -> Self {
        let folder = TestFolder::empty();
        fs::create_dir(folder.path().join("store")).expect("new");
        Self::Folder(folder)
    }

    /// Returns the URL for a machine.
    pub(crate) fn url(&self, node: &Node) -> String {
        match self {
            Self::S3(_) => format!("s3://bucket/{PREFIX}"),
            Self::Folder(_) => format!("file://{}", self.mount(node).display()),
        }
    }

    /// Returns its settings for the environment.
    pub(crate) fn settings(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::S3(s3) => s3.settings(),
            Self::Folder(_) => Vec::new(),
        }
    }

    /// Makes it known to a machine.
    pub(crate) fn mount_on(&self, node: &Node) {
        if let Self::Folder(folder) = self {
            symlink(folder.path().join("store"), self.mount(node)).expect("new");
        }
    }

    /// Connects a machine again.
    pub(crate) fn connect(&self, node: &Node) {
        match self {
            Self::S3(s3) => node.reconnect_to(&s3.node),
            Self::Folder(_) => self.mount_on(node),
        }
    }

    /// Disconnects a machine.
    pub(crate) fn disconnect(&self, node: &Node) {
        match self {
            Self::S3(s3) => node.cut_from(&s3.node),
            Self::Folder(_) => fs::remove_file(self.mount(node)).expect("there"),
        }
    }

    /// Returns the path of an object that only this generation needs: the largest of its chunks.
    pub(crate) fn object_of(&self, generation: GenerationName) -> String {
        let manifest = self.get(&format!("generations/proteins/{generation}.json")).expect("published");
        let manifest: Value = serde_json::from_slice(&manifest).expect("JSON");
        let files = manifest["files"].as_array().expect("files");
        let chunks = files.iter().flat_map(|file| file["chunks"].as_array().expect("chunks"));
        let largest = chunks.max_by_key(|chunk| chunk["size_bytes"].as_u64()).expect("not empty");
        let sha256 = largest["sha256"].as_str().expect("a text");
        format!("objects/{}/{sha256}", &sha256[..2])
    }

    /// Returns an object.
    pub(crate) fn get(&self, path: &str) -> Option<Vec<u8>> {
        match self {
            Self::S3(s3) => s3.get(&format!("{PREFIX}/{path}")),
            Self::Folder(folder) => fs::read(folder.path().join("store").join(path)).ok(),
        }
    }

    /// Flips a bit in the middle of an object.
    pub(crate) fn flip(&self, path: &str) {
        let mut content = self.get(path).expect("published");
        let middle = content.len() / 2;
        content[middle] ^= 4;
        match self {
            Self::S3(s3) => s3.put(&format!("{PREFIX}/{path}"), &content),
            Self::Folder(folder) => fs::write(folder.path().join("store").join(path), content).expect("writable"),
        }
    }

    pub(crate) fn remove(&self, path: &str) {
        match self {
            Self::S3(s3) => s3.remove(&format!("{PREFIX}/{path}")),
            Self::Folder(folder) => fs::remove_file(folder.path().join("store").join(path)).expect("there"),
        }
    }

    fn mount(&self, node: &Node) -> PathBuf {
        let Self::Folder(folder) = self else { panic!("S3 is not mounted") };
        folder.path().join(node.namespace())
    }
}
