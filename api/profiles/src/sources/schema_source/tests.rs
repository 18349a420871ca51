use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::*;

const SCHEMA: &str = r#"{"title":"Address","required":["address"]}"#;

/// A host of schemas that gives every request the same answer.
struct Host {
    root: String,
    num_connections: Arc<AtomicUsize>,
    request: Arc<Mutex<String>>,
}

impl Host {
    /// Answers with these bytes, and then waits for `linger` before it closes the connection.
    async fn answering(answer: impl Into<Vec<u8>>, linger: Duration) -> Self {
        let answer = answer.into();
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let root = format!("http://{}", listener.local_addr().expect("bound"));
        let host = Self { root, num_connections: Arc::default(), request: Arc::default() };
        let (num_connections, request) = (Arc::clone(&host.num_connections), Arc::clone(&host.request));
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                num_connections.fetch_add(1, Ordering::SeqCst);
                let mut bytes = vec![0; 4096];
                let length = stream.read(&mut bytes).await.unwrap_or(0);
                *request.lock().expect("whole") = String::from_utf8_lossy(&bytes[..length]).into_owned();
                let _ = stream.write_all(&answer).await;
                tokio::time::sleep(linger).await;
            }
        });
        host
    }

    /// Answers with a body.
    async fn with_body(status: &str, header: &str, body: &[u8]) -> Self {
        let head = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\n{header}connection: close\r\n\r\n", body.len());
        Self::answering([head.as_bytes(), body].concat(), Duration::ZERO).await
    }

    /// Fetches from this host.
    async fn fetch(&self, bytes_max: usize) -> Result<String, String> {
        source(&[&self.root]).fetch(&format!("{}/schema.json?v=1#", self.root), bytes_max).await
    }

    fn num_connections(&self) -> usize {
        self.num_connections.load(Ordering::SeqCst)
    }
}

/// Fetches from these hosts.
fn source(hosts: &[&str]) -> SchemaSource {
    patient_source(hosts, Duration::from_mins(10))
}

/// Gives hosts a time limit.
fn patient_source(hosts: &[&str], timeout: Duration) -> SchemaSource {
    let hosts = hosts.iter().map(|host| host.parse().expect(host)).collect();
    SchemaSource::with_timeout(hosts, timeout).expect("a client")
}

#[test]
fn hosts_have_scheme_name_and_port() {
    for (text, root) in [
        ("schemas.org", "https://schemas.org/"),
        ("Schemas.ORG:443", "https://schemas.org/"),
        ("schemas.org:8443", "https://schemas.org:8443/"),
        ("http://schemas.org", "http://schemas.org/"),
        ("https://schemas.org/", "https://schemas.org/"),
        ("http://127.0.0.1:8000", "http://127.0.0.1:8000/"),
        ("http://[::1]:8000", "http://[::1]:8000/"),
        ("localhost", "https://localhost/"),
    ] {
        assert_eq!(text.parse::<SchemaHost>().expect(text).root.as_str(), root);
    }
    for text in [
        "",
        "https://",
        "ftp://schemas.org",
        "file:///etc/passwd",
        "schemas.org/path",
        "schemas.org?a",
        "schemas.org#a",
        "user@schemas.org",
        "https://user:word@schemas.org",
        "schemas.org:port",
        "schemas.org:99999",
        "a b",
    ] {
        assert!(text.parse::<SchemaHost>().is_err(), "{text}");
    }
}

#[test]
fn only_urls_of_the_hosts_are_accepted() {
    let source = source(&["schemas.org", "http://plain.org:8000", "http://127.0.0.1:9"]);
    for url in [
        "https://schemas.org/a/b.json?c=d",
        "https://SCHEMAS.org:443/",
        "HTTPS://schemas.org#",
        "http://plain.org:8000/a",
        "http://127.0.0.1:9/",
    ] {
        assert!(source.accepted(url).is_ok(), "{url}");
    }
    for url in [
        "",
        "schemas.org",
        "/schema.json",
        "{}",
        "http://schemas.org/",
        "https://schemas.org:8443/",
        "https://schemas.org./",
        "https://schemas.org.evil.org/",
        "https://evil.org/schemas.org",
        "https://schemas.org@evil.org/",
        "https://evil.org#@schemas.org/",
        "https://evil.org\\@schemas.org/",
        "https://user@schemas.org/",
        "https://:word@schemas.org/",
        "https://schemas.org/#/definitions/a",
        "http://plain.org/a",
        "https://plain.org:8000/a",
        "http://127.0.0.1/",
        "http://127.0.0.2:9/",
        "http://[::ffff:127.0.0.1]:9/",
        "ftp://schemas.org/",
        "file:///etc/passwd",
        "data:application/json,{}",
    ] {
        let problem = source.accepted(url).expect_err(url);
        assert!(problem.ends_with('.') && problem.starts_with(char::is_uppercase), "{url}: {problem}");
    }
}

#[tokio::test]
async fn nothing_is_fetched_without_hosts() {
    let host = Host::with_body("200 OK", "", SCHEMA.as_bytes()).await;
    for url in [&*host.root, "https://schemas.org/", "garbage"] {
        let problem = source(&[]).fetch(url, 1 << 20).await.expect_err("off");
        assert!(problem.contains("does not accept schemas by URL"), "{problem}");
    }
    assert!(source(&["schemas.org"]).fetch(&host.root, 1 << 20).await.is_err());
    assert_eq!(host.num_connections(), 0);
}

#[tokio::test]
async fn a_schema_is_fetched_from_a_named_host() {
    let host = Host::with_body("200 OK", "", SCHEMA.as_bytes()).await;
    assert_eq!(host.fetch(SCHEMA.len()).await.as_deref(), Ok(SCHEMA));
    let request = host.request.lock().expect("whole").to_ascii_lowercase();
    assert!(request.starts_with("get /schema.json?v=1 http/1.1\r\n"), "{request}");
    assert!(!request.contains("authorization") && !request.contains("referer"), "{request}");

    let chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{\"\r\n4\r\na\":1\r\n1\r\n}\r\n0\r\n\r\n";
    let host = Host::answering(chunked, Duration::ZERO).await;
    assert_eq!(host.fetch(7).await.as_deref(), Ok(r#"{"a":1}"#));
}

#[tokio::test]
async fn long_bodies_are_refused_without_reading_them_all() {
    let host = Host::with_body("200 OK", "", SCHEMA.as_bytes()).await;
    let problem = host.fetch(SCHEMA.len() - 1).await.expect_err("too long");
    assert_eq!(problem, format!("The schema has more than {} bytes.", SCHEMA.len() - 1));

    // It does not state its length, and continues until the client closes the connection.
    let endless = format!("HTTP/1.1 200 OK\r\n\r\n{}", "a".repeat(64 << 20));
    let host = Host::answering(endless, Duration::ZERO).await;
    assert_eq!(host.fetch(1000).await.expect_err("too long"), "The schema has more than 1000 bytes.");
}

#[tokio::test]
async fn redirects_are_not_followed_and_only_200_is_a_schema() {
    let target = Host::with_body("200 OK", "", SCHEMA.as_bytes()).await;
    for status in ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"] {
        let host = Host::with_body(status, &format!("location: {}/\r\n", target.root), b"").await;
        let problem = source(&[&host.root, &target.root]).fetch(&host.root, 1000).await.expect_err(status);
        assert_eq!(problem, format!("The schema's server answered with status {}.", &status[..3]));
    }
    assert_eq!(target.num_connections(), 0);
    for status in ["404 Not Found", "500 Fault", "204 Nothing", "206 Partial", "203 Altered"] {
        let host = Host::with_body(status, "", if status.starts_with("204") { b"" } else { b"{}" }).await;
        let problem = host.fetch(1000).await.expect_err(status);
        assert!(problem.contains(&status[..3]), "{problem}");
    }
}

#[tokio::test]
async fn slow_broken_and_binary_answers_are_refused() {
    let slow = Host::answering("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{", Duration::from_hours(1)).await;
    let silent = Host::answering("", Duration::from_hours(1)).await;
    let impatient = patient_source(&[&slow.root, &silent.root], Duration::from_secs(2));
    for host in [&slow, &silent] {
        let problem = impatient.fetch(&host.root, 1000).await.expect_err("too slow");
        assert_eq!(problem, "The schema did not arrive within 2 seconds.");
    }

    let torn = Host::answering("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{", Duration::ZERO).await;
    assert_eq!(torn.fetch(1000).await.expect_err("torn"), NOT_FETCHED);
    let no_http = Host::answering("220 smtp.example.org\r\n", Duration::ZERO).await;
    assert_eq!(no_http.fetch(1000).await.expect_err("another protocol"), NOT_FETCHED);
    let no_text = Host::with_body("200 OK", "", b"{\"a\":\"\xe4\"}").await;
    assert_eq!(no_text.fetch(1000).await.expect_err("Latin-1"), "The schema is not encoded in UTF-8.");
    let closed = TcpListener::bind("127.0.0.1:0").await.expect("a free port").local_addr().expect("bound");
    let root = format!("http://{closed}");
    assert_eq!(source(&[&root]).fetch(&root, 1000).await.expect_err("nobody there"), NOT_FETCHED);
}

#[tokio::test]
async fn a_name_with_a_private_address_is_refused() {
    let host = Host::with_body("200 OK", "", SCHEMA.as_bytes()).await;
    let by_name = host.root.replace("127.0.0.1", "localhost");
    assert_eq!(source(&[&by_name]).fetch(&by_name, 1000).await.expect_err("loopback"), NOT_FETCHED);
    assert_eq!(host.num_connections(), 0, "it is refused before anything is opened");
}

#[tokio::test]
async fn https_hosts_need_a_certificate() {
    let host = Host::with_body("200 OK", "", SCHEMA.as_bytes()).await;
    let secure = host.root.replace("http:", "https:");
    assert_eq!(source(&[&secure]).fetch(&secure, 1000).await.expect_err("plain"), NOT_FETCHED);
    assert!(!host.request.lock().expect("whole").starts_with("GET"), "nothing is asked in the open");
}

#[tokio::test]
async fn only_the_host_of_a_url_is_logged() {
    // A port on which nobody listens any more.
    let address =
        TcpListener::bind("127.0.0.1:0").await.and_then(|listener| listener.local_addr()).expect("a free port");
    let url = format!("http://{address}/secret/path?token=secret");
    let error = client(Duration::from_mins(10)).expect("a client").get(url).send().await.expect_err("nobody is there");
    assert!(format!("{error:?}").contains("secret"), "or there is nothing to hide");
    let (host, error) = loggable(error);
    assert_eq!(host, "127.0.0.1");
    let text = with_causes(&error);
    assert!(text.contains("refused") && !text.contains("secret") && !text.contains('{'), "{text}");
}
