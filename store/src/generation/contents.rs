//! The contents of generations of a kind.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// The part of a manifest that depends on the kind of generation.
pub trait Contents: Serialize + DeserializeOwned {
    /// The name of the kind.
    const KIND: &'static str;
    /// The command that builds generations of this kind.
    const COMMAND: &'static str;
    /// The version of the format, the only one that this program reads and writes.
    const FORMAT: u32;
    /// Folders whose files the engine rewrites when it opens them. Their files are synced, but not
    /// listed in the manifest: the contents themselves must show whether they are complete. A
    /// sealed copy of them can be kept, which is listed.
    const REWRITTEN: &'static [&'static str] = &[];
}
