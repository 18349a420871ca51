//! Synthetic users and their profiles.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use store::{Owner, ProfileReference, UserReference};
use store_profiles::{Profile, Profiles, ProfilesConfig, ProfilesImport};
use tempfile::TempDir;
use uuid::Uuid;

/// The most attributes of a profile.
const ATTRIBUTES_MAX: usize = 200;

/// A store with profiles, which is removed when it is dropped.
pub(crate) struct Corpus {
    folder: TempDir,
    /// The number of profiles.
    num_profiles: u64,
}

impl Corpus {
    /// Imports profiles into a new store.
    pub(crate) fn make(num_profiles: u64) -> Self {
        let folder = TempDir::with_prefix_in("profiles-bench-", env!("CARGO_TARGET_TMPDIR")).expect("writable");
        let corpus = Self { folder, num_profiles };
        let started = Instant::now();
        let mut import = ProfilesImport::begin(&corpus.store_path()).expect("an empty folder");
        for number in 0..num_profiles {
            import.add(&profile(number)).expect("room").expect("a good profile");
        }
        import.finish().expect("room");
        println!("{num_profiles} profiles imported in {:.1} s", started.elapsed().as_secs_f64());
        corpus
    }

    /// Returns the folder that the store is in.
    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn open(&self) -> Arc<Profiles> {
        let started = Instant::now();
        let profiles = Profiles::open(&self.store_path(), ProfilesConfig { attributes_max: ATTRIBUTES_MAX });
        println!("opened in {:.1} s", started.elapsed().as_secs_f64());
        Arc::new(profiles.expect("a whole store"))
    }

    /// Returns random references of profiles for the nth client.
    pub(crate) fn choose(&self, client: u64) -> impl FnMut() -> ProfileReference {
        let (mut random, num_profiles) = (SmallRng::seed_from_u64(client), self.num_profiles);
        move || reference(random.random_range(0..num_profiles))
    }

    /// Returns the folder of the store.
    fn store_path(&self) -> PathBuf {
        self.folder.path().join("profiles")
    }
}

/// Returns the reference of a profile.
fn reference(number: u64) -> ProfileReference {
    format!("prf-{}", scattered(number, 0)).parse().expect("a reference")
}

fn profile(number: u64) -> Profile {
    let attributes = [
        ("name", format!("Researcher {number}")),
        ("email", format!("researcher.{number}@example.org")),
        ("centre name", format!("Institute {}", number % 1000)),
        ("cost_center", format!("ABC{:03}", number % 1000)),
    ];
    Profile {
        reference: reference(number),
        owner: Owner::User(UserReference::new(scattered(number, 1))),
        version: 1,
        schema: None,
        attributes: attributes.into_iter().collect(),
    }
}

/// Returns a uuid that looks random, as real ones do.
fn scattered(number: u64, kind: u64) -> Uuid {
    let mut random = SmallRng::seed_from_u64(number ^ kind << 56);
    uuid::Builder::from_random_bytes(random.random()).into_uuid()
}
