//! The service over HTTP.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use api::{Api, HttpServer, ServerConfig, ServiceConfig, Services};
use api_catalogue::LocalCatalogue;
use api_profiles::tokens::{NewToken, TokenVerifier};
use api_profiles::{
    AuditLimits, AuditLog, LocalDirectory, LocalProfiles, ProfileConfig, ProfileServices, SchemaSource,
};
use api_proteins::LocalProteins;
use store::{Generations, UserReference};
use store_profiles::Profiles;
use tempfile::TempDir;
use tokio::runtime::Runtime;
use uuid::Uuid;

use crate::clients::{self, Rate};
use crate::corpus::Corpus;

/// The lifetime of the token.
const TOKEN_TTL: Duration = Duration::from_hours(1);

/// A server on loopback.
pub(crate) struct Server {
    address: SocketAddr,
    /// A token of an administrator.
    token: String,
    profiles: Arc<Profiles>,
    _runtime: Runtime,
    /// Its key and its audit log.
    _folder: TempDir,
}

impl Server {
    /// Starts a server as `mgdex serve` does.
    pub(crate) fn start(profiles: Arc<Profiles>) -> Self {
        let folder = TempDir::with_prefix_in("profiles-bench-", env!("CARGO_TARGET_TMPDIR")).expect("writable");
        let generations = |kind: &str| Generations::new(folder.path().join(kind));
        let key = rcgen::KeyPair::generate_for(&rcgen::PKCS_RSA_SHA256).expect("a key");
        let key_path = folder.path().join("public.pem");
        std::fs::write(&key_path, key.public_key_pem()).expect("writable");
        let config = ProfileConfig::default();
        let token = NewToken {
            user: UserReference::new(Uuid::from_u128(1)),
            name: None,
            email: None,
            groups: vec![config.admin_group.clone()],
            issuer: None,
            audience: None,
            ttl: TOKEN_TTL,
        };
        let token = token.sign(key.serialize_pem().as_bytes()).expect("a private key");
        let services = Services {
            similarity: Arc::default(),
            proteins: Arc::new(LocalProteins::open(generations("proteins")).expect("none")),
            catalogue: Arc::new(LocalCatalogue::open(generations("catalogue")).expect("none")),
            profiles: Some(ProfileServices {
                profiles: Arc::new(LocalProfiles::new(Arc::clone(&profiles))),
                directory: Arc::new(LocalDirectory::open(generations("directory")).expect("none")),
                tokens: Arc::new(TokenVerifier::load(vec![key_path], None).expect("a key")),
                schemas: Arc::new(SchemaSource::new(Vec::new()).expect("no hosts")),
                audit: Arc::new(
                    AuditLog::to_file(folder.path().join("audit"), AuditLimits::default()).expect("writable"),
                ),
                config,
            }),
        };
        let router = Api::new(&services, &ServiceConfig::default());
        let runtime = Runtime::new().expect("a runtime");
        let any_port = SocketAddr::from(([127, 0, 0, 1], 0));
        let server = runtime.block_on(HttpServer::bind(any_port, ServerConfig::default())).expect("a free port");
        let address = server.local_addr().expect("bound");
        runtime.spawn(server.serve(router, std::future::pending()));
        Self { address, token, profiles, _runtime: runtime, _folder: folder }
    }

    /// Measures reads of profiles.
    pub(crate) fn reads(&self, corpus: &Corpus, num_clients: usize) -> Rate {
        let per_second = clients::rate(num_clients, |client| {
            let (mut choose, mut connection) = (corpus.choose(client), self.connect());
            move || connection.ask("GET", &format!("/profiles/{}", choose()), "")
        });
        Rate { per_second, writes_per_sync: None }
    }

    /// Measures changes of profiles.
    pub(crate) fn writes(&self, corpus: &Corpus, num_clients: usize) -> Rate {
        let client = |client| {
            let (mut choose, mut connection) = (corpus.choose(client), self.connect());
            let mut number = 0;
            move || {
                number += 1;
                let body = format!("{{\"cost_center\":\"NEW{client:03}-{number}\"}}");
                connection.ask("PATCH", &format!("/profiles/{}", choose()), &body);
            }
        };
        clients::of_writes(|| self.profiles.state(), || clients::rate(num_clients, client))
    }

    /// Opens a connection that is kept alive.
    fn connect(&self) -> Connection<'_> {
        let stream = TcpStream::connect(self.address).expect("the server accepts");
        stream.set_nodelay(true).expect("a socket");
        Connection { stream: BufReader::new(stream), token: &self.token }
    }
}

/// A connection to the server.
struct Connection<'a> {
    stream: BufReader<TcpStream>,
    token: &'a str,
}

impl Connection<'_> {
    /// Sends a request and reads the answer, which must be a success.
    fn ask(&mut self, method: &str, path: &str, body: &str) {
        let (token, length) = (self.token, body.len());
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer {token}\r\n\
             content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
        );
        self.stream.get_mut().write_all(request.as_bytes()).expect("the server reads");
        let (mut line, mut num_bytes) = (String::new(), 0);
        self.stream.read_line(&mut line).expect("the server answers");
        assert!(line.starts_with("HTTP/1.1 200 "), "{line}");
        while line != "\r\n" {
            line.clear();
            self.stream.read_line(&mut line).expect("a whole header");
            if let Some(length) = line.strip_prefix("content-length: ") {
                num_bytes = length.trim().parse().expect("a number");
            }
        }
        let mut answer = vec![0; num_bytes];
        self.stream.read_exact(&mut answer).expect("a whole body");
    }
}
