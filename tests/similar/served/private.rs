//! Files of searches: queries may be unpublished, so only their owner can read them.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use support::similarity::client::{Client, id, order};
use support::similarity::engine::AT_ONCE;
use support::similarity::proteins::data;
use support::similarity::site::Site;

/// Checks that only their owner can read the searches.
fn assert_private(path: &Path) {
    let metadata = path.symlink_metadata().expect("there");
    let expected = if metadata.is_dir() { 0o700 } else { 0o600 };
    assert_eq!(metadata.permissions().mode() & 0o777, expected, "{}", path.display());
    for entry in fs::read_dir(path).into_iter().flatten() {
        assert_private(&entry.expect("readable").path());
    }
}

#[test]
fn files_of_searches_are_private_also_those_of_earlier_versions() {
    let site = Site::with_engine(data(), AT_ONCE);
    let server = site.serve(&[]);
    let client = Client::new(&server);
    let done = client.search(&order(0));
    site.change_engine("exit 1");
    client.wait(&id(&client.post(&order(1))));
    assert_private(&site.searches());
    drop(server);
    let folder = site.searches().join(site.run(&done));
    for path in [&site.searches(), &folder, &folder.join("query.json"), &folder.join("hits.jsonl")] {
        let mode = if path.is_dir() { 0o755 } else { 0o644 };
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("ours");
    }
    let server = site.serve(&[]);
    assert_private(&site.searches());
    assert_eq!(Client::new(&server).state(&done)["state"], "done");
}
