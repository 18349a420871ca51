//! Connections over the network, encrypted or not, to one of several hosts.

use std::net::Ipv4Addr;
use std::path::PathBuf;

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use store_postgres::{PostgresConfig, PostgresProfiles};
use store_profiles::{ProfileSource, ProfilesConfig};
use support::TestFolder;
use support::postgres::{Cluster, run};

/// An authority that signs certificates of servers.
struct Authority(CertifiedIssuer<'static, KeyPair>);

impl Authority {
    fn new() -> Self {
        let mut params = CertificateParams::new(Vec::new()).expect("no names");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        Self(CertifiedIssuer::self_signed(params, KeyPair::generate().expect("a key")).expect("signed"))
    }

    /// Starts a server with a certificate for an address.
    fn server(&self, address: Ipv4Addr) -> Cluster {
        let key = KeyPair::generate().expect("a key");
        let params = CertificateParams::new([address.to_string()]).expect("an address");
        let certificate = params.signed_by(&key, &self.0).expect("signed");
        Cluster::start_at(address, Some((&certificate.pem(), &key.serialize_pem())))
    }

    /// Writes its own certificate to a file.
    fn file(&self, folder: &TestFolder) -> PathBuf {
        let path = folder.path().join("authority.pem");
        std::fs::write(&path, self.0.pem()).expect("writable");
        path
    }
}

/// Returns an unused address of loopback.
fn some_address() -> Ipv4Addr {
    let [a, b, c, ..] = rand::random::<[u8; 4]>();
    Ipv4Addr::new(127, a | 1, b, c | 1)
}

/// Connects, and returns the store and its problem.
pub(super) async fn connect(address: &str, authorities: Option<PathBuf>) -> (PostgresProfiles, Option<String>) {
    let config = PostgresConfig {
        address: address.parse().expect("an address"),
        authorities,
        connections_max: 2,
        audit_days: None,
        profiles: ProfilesConfig { attributes_max: 1 },
    };
    let profiles = PostgresProfiles::new(config).expect("sound certificates");
    profiles.check().await;
    let failure = profiles.state().failure.map(|failure| failure.to_string());
    (profiles, failure)
}

#[tokio::test]
async fn connections_are_encrypted_and_certificates_checked() {
    let (folder, address, authority) = (TestFolder::empty(), some_address(), Authority::new());
    let _server = authority.server(address);
    let url = format!("postgres://mgdex@{address}/postgres?sslmode=require");
    let (_profiles, failure) = connect(&url, Some(authority.file(&folder))).await;
    assert_eq!(failure, None);
    let encrypted = "SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) \
                     WHERE application_name = 'mgdex'";
    assert_eq!(run(&url, encrypted), "t");
    let (_, failure) = connect(&url, Some(Authority::new().file(&folder))).await;
    let failure = failure.expect("nobody trusts it");
    assert!(failure.contains("certificate"), "{failure}");
}

#[tokio::test]
async fn unencrypted_servers_are_refused_if_encryption_is_required() {
    let address = some_address();
    let server = Cluster::start_at(address, None);
    let url = |mode: &str| format!("postgres://mgdex@{address}/postgres?sslmode={mode}");
    let (_, failure) = connect(&url("require"), None).await;
    assert!(failure.is_some_and(|failure| failure.contains("TLS")));
    let (_profiles, failure) = connect(&url("disable"), None).await;
    assert_eq!(failure, None);
    drop(server);
}

#[tokio::test]
async fn a_reachable_host_that_accepts_writes_is_used() {
    let [reader, writer, nobody] = [some_address(), some_address(), some_address()];
    let (read_only, _server) = (Cluster::start_at(reader, None), Cluster::start_at(writer, None));
    read_only.run("ALTER SYSTEM SET default_transaction_read_only = on");
    read_only.run("SELECT pg_reload_conf()");
    let url = format!("postgres://mgdex@{nobody},{reader},{writer}/postgres?sslmode=disable");
    let (_profiles, failure) = connect(&url, None).await;
    assert_eq!(failure, None);
    let tables = "SELECT to_regclass('profiles') IS NOT NULL";
    let at = |address: Ipv4Addr| run(&format!("postgres://mgdex@{address}/postgres"), tables);
    assert_eq!((at(reader), at(writer)), ("f".to_owned(), "t".to_owned()));
}
