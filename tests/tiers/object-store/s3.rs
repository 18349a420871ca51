//! A store that speaks S3: multi-part uploads and conditional puts.

use std::fs;
use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};

use store::{GenerationName, Generations, Manifest};
use store_proteins::ProteinContents;
use support::machine::{failure, read_answer, wait_for};
use support::{TestFolder, needed_python};

use support::replicas::{Site, served_state, wait_until_served};

/// `moto`, which has the S3 of its own kind.
struct S3 {
    process: Child,
    address: String,
}

impl S3 {
    /// Starts a server with an empty bucket.
    fn start() -> Option<Self> {
        Self::run(&["-m", "moto.server"])
    }

    /// Starts a server that does not support conditions of puts. `treatment` is `ignore` or
    /// `reject`.
    fn without_conditions(treatment: &str) -> Option<Self> {
        Self::run(&["tests/tiers/object-store/conditions.py", treatment])
    }

    fn run(program: &[&str]) -> Option<Self> {
        let python = needed_python("tests/python/requirements.txt")?;
        let port = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a port").port();
        let mut command = Command::new(python);
        command.current_dir(support::project("")).args(program).args(["-H", "127.0.0.1", "-p", &port.to_string()]);
        let process = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("python");
        let server = Self { process, address: format!("127.0.0.1:{port}") };
        wait_for("moto", || TcpStream::connect(&server.address).ok());
        assert_eq!(server.ask("PUT", "/bucket").0, 200);
        Some(server)
    }

    fn ask(&self, method: &str, path: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).expect("moto accepts");
        write!(stream, "{method} {path} HTTP/1.0\r\nhost: {}\r\n\r\n", self.address).expect("moto reads");
        read_answer(&mut stream)
    }

    fn settings(&self) -> Vec<(&'static str, String)> {
        let settings = [
            ("AWS_ENDPOINT", &*format!("http://{}", self.address)),
            ("AWS_ALLOW_HTTP", "true"),
            ("AWS_REGION", "us-east-1"),
            ("AWS_ACCESS_KEY_ID", "test"),
            ("AWS_SECRET_ACCESS_KEY", "test"),
        ];
        settings.map(|(name, value)| (name, value.to_owned())).into()
    }
}

impl Drop for S3 {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn generations_are_published_to_s3_in_parts_and_by_conditional_puts() {
    let Some(s3) = S3::start() else { return };
    let (mut site, folder) = (Site::new(), TestFolder::empty());
    (site.url, site.settings) = ("s3://bucket/below/mgdex".to_owned(), s3.settings());
    let first = site.publish_state(1);
    let replica = site.replica(folder.path());
    wait_until_served(&replica, first);
    let second = site.publish_state(2);
    wait_until_served(&replica, second);
    assert_eq!(served_state(&replica), 2);
    let (_, listing) = s3.ask("GET", "/bucket?list-type=2&prefix=below/mgdex/");
    assert!(listing.contains("below/mgdex/CURRENT-proteins") && !listing.contains("mgdex/LOCK"), "{listing}");

    // The second publisher sees the lease, or that the pointer has moved.
    let other = TestFolder::empty();
    let (own, others) = (site.index(3), site.index_in(other.path(), 4));
    let slowly = ["--rate", "1K"];
    let processes = [site.publisher.path(), other.path()]
        .map(|data| site.publish_command_of(data, &slowly).spawn().expect("the binary"));
    let [first, second] = processes.map(|process| process.wait_with_output().expect("a child"));
    assert_ne!(first.status.success(), second.status.success(), "{first:?} {second:?}");
    let (winner, loser) = if first.status.success() { (own, second) } else { (others, first) };
    assert!(failure(&loser).contains("nothing"), "{loser:?}");
    wait_until_served(&replica, winner);
}

#[test]
fn stores_without_conditional_puts_need_a_single_publisher() {
    for (treatment, problem) in
        [("ignore", "ignores the conditions of puts"), ("reject", "rejects puts with conditions")]
    {
        let Some(s3) = S3::without_conditions(treatment) else { return };
        let (mut site, folder) = (Site::new(), TestFolder::empty());
        (site.url, site.settings) = ("s3://bucket/mgdex".to_owned(), s3.settings());
        let listed = |part: &str| s3.ask("GET", "/bucket?list-type=2").1.contains(&format!("<Key>mgdex/{part}"));
        site.index(1);
        let message = failure(&site.publish_command(&[]).output().expect("the binary"));
        assert!(message.contains(problem) && message.contains("`--single-publisher`"), "{message}");
        assert!(!listed(""), "nothing was published, and the probe was removed");
        site.publish(&["--single-publisher"]);
        site.settings.push(("MGDEX_SINGLE_PUBLISHER", "true".to_owned()));
        let second = site.publish_state(2);
        assert!(listed("CURRENT-proteins") && !listed("LOCK") && !listed("PROBE"));
        wait_until_served(&site.replica(folder.path()), second);
    }
}

#[test]
fn large_objects_are_uploaded_in_parts() {
    let Some(s3) = S3::start() else { return };
    let (mut site, folder) = (Site::new(), TestFolder::empty());
    (site.url, site.settings) = ("s3://bucket".to_owned(), s3.settings());
    let name = with_large_file(&site.publisher.generations(), site.index(1));
    let printed = site.publish(&[]);
    assert!(printed.contains(&name.to_string()), "{printed}");
    let replica = site.replica(folder.path());
    wait_until_served(&replica, name);
    let file = |data: &TestFolder| fs::read(data.generations().path(name).join(LARGE)).expect("there");
    assert!(file(&folder) == file(&site.publisher));
}

/// A file in generations of this test.
const LARGE: &str = "large";

/// Publishes a copy of a generation that has one more file: longer than an object may be, and of
/// which no two parts are equal.
fn with_large_file(generations: &Generations, name: GenerationName) -> GenerationName {
    let from = generations.path(name);
    let Manifest { origin, contents, files, .. } = Manifest::<ProteinContents>::read(&from).expect("whole");
    let draft = generations.begin().expect("free");
    for file in files {
        let to = draft.path().join(&file.path);
        fs::create_dir_all(to.parent().expect("inside")).expect("new");
        fs::copy(from.join(&file.path), to).expect("writable");
    }
    let large: Vec<u8> =
        (0..(66_u32 << 20) / 4).flat_map(|number| number.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
    fs::write(draft.path().join(LARGE), large).expect("writable");
    draft.publish(origin, contents, Vec::new()).expect("writable")
}
