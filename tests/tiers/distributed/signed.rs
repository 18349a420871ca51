//! Publications that are signed, with keys as the manual says how to make them.

use std::path::{Path, PathBuf};
use std::process::Command;

use support::TestFolder;
use support::machine::Server;

use support::replicas::{Site, served_state, succeeded, wait_for_problem, wait_until_served};

/// Makes a key, and returns the files of its private and its public part.
fn new_key(folder: &Path, name: &str) -> (PathBuf, PathBuf) {
    let [private, public] = ["private", "public"].map(|part| folder.join(format!("{name}-{part}.pem")));
    let openssl = |arguments: &[&str], output: &Path| {
        let made = Command::new("openssl").args(arguments).arg("-out").arg(output).output();
        succeeded(&made.expect("openssl"));
    };
    openssl(&["genpkey", "-algorithm", "ed25519"], &private);
    openssl(&["pkey", "-pubout", "-in", &private.display().to_string()], &public);
    (private, public)
}

fn replica(site: &Site, data: &Path, keys: &[&PathBuf]) -> Server {
    let mut command = site.replica_command(data, &["--services", "proteins", "--verify-key"]);
    Server::of_command(command.args(keys))
}

#[test]
fn only_publications_signed_with_a_trusted_key_are_served() {
    let (site, folder, keys) = (Site::new(), TestFolder::empty(), TestFolder::empty());
    let ((private, public), (next_private, next_public)) = (new_key(keys.path(), "a"), new_key(keys.path(), "b"));
    let sign = |key: &PathBuf| drop(site.publish(&["--sign", &key.display().to_string()]));
    let first = site.publish_state(1);
    let mut server = replica(&site, folder.path(), &[&public]);
    wait_for_problem(&server, "refused: signature", &["CURRENT-proteins", "it is not signed"]);
    sign(&private);
    wait_until_served(&server, first);

    let second = site.index(2);
    sign(&next_private);
    wait_for_problem(&server, "refused: signature", &["none of the keys given verifies it"]);
    assert_eq!((served_state(&server), server.get("/readyz").0), (1, 200));
    server.kill();
    let server = replica(&site, folder.path(), &[&public, &next_public]);
    wait_until_served(&server, second);
    assert_eq!(served_state(&server), 2);
}

#[test]
fn invalid_key_files_are_named() {
    let (site, folder, keys) = (Site::new(), TestFolder::empty(), TestFolder::empty());
    let (private, public) = new_key(keys.path(), "a");
    site.index(1);
    let published = site.publish_command(&["--sign", &public.display().to_string()]).output().expect("the binary");
    let message = support::machine::failure(&published);
    assert!(message.contains("a-public.pem") && message.contains("private key in PEM"), "{message}");
    let mut command = site.replica_command(folder.path(), &["--verify-key"]);
    let (status, message) = Server::try_command(command.arg(&private)).err().expect("a refusal");
    assert_eq!(status.code(), Some(1), "{message}");
    assert!(message.contains("a-private.pem") && message.contains("public keys in PEM"), "{message}");
}
