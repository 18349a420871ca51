//! PostgreSQL for tests: a cluster of their own, started when it is first needed, and removed when
//! they end.

use std::fmt::Write as _;
use std::fs::{self, Permissions};
use std::io::{BufRead, BufReader, Write};
use std::net::Ipv4Addr;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use tempfile::TempDir;

/// Starts a server in `$1` with the programs of `$2` and the settings of `$3`, and prints its last
/// line when it answers. It stops, and removes the folder, when standard input ends: when the tests
/// end, however they do.
const SCRIPT: &str = r#"
set -e
mkdir "$1/data"
"$2/initdb" --pgdata="$1/data" --username=mgdex --auth=trust --encoding=UTF8 --locale=C --no-instructions >"$1/log" 2>&1
serve() {
    "$2/pg_ctl" start --wait --silent --pgdata="$1/data" --log="$1/log" \
        --options="-c listen_addresses= -c unix_socket_directories=$1 -c max_connections=400 $3"
}
serve "$1" "$2" "$3"
echo ready
while read -r order; do
    case $order in
        kill) "$2/pg_ctl" stop --silent --mode=immediate --pgdata="$1/data" ;;
        start) serve "$1" "$2" "$3" ;;
    esac
    echo done
done
"$2/pg_ctl" stop --silent --mode=immediate --pgdata="$1/data"
rm -rf "$1"
"#;

/// The user without rights, and the group.
const NOBODY: u32 = 65534;

/// The cluster that the tests of a process share.
static SHARED: LazyLock<Cluster> = LazyLock::new(Cluster::start);

static NUM_SCHEMAS: AtomicUsize = AtomicUsize::new(0);

/// A server with databases.
pub struct Cluster {
    folder: PathBuf,
    orders: ChildStdin,
    answers: BufReader<std::process::ChildStdout>,
    _shell: Child,
}

/// Makes a new schema in the cluster that the tests of this process share, and returns the address
/// under which it is the only one.
pub fn new_schema() -> String {
    SHARED.new_schema()
}

impl Cluster {
    /// Starts a server with a cluster of its own.
    pub fn start() -> Self {
        Self::start_in(folder(), "")
    }

    /// Starts a server that also listens at an address of loopback, and encrypts connections if it
    /// has a certificate and its key, in PEM.
    pub fn start_at(address: Ipv4Addr, certificate: Option<(&str, &str)>) -> Self {
        let folder = folder();
        let mut settings = format!("-c listen_addresses={address}");
        if let Some((certificate, key)) = certificate {
            for (name, text) in [("server.crt", certificate), ("server.key", key)] {
                let path = folder.join(name);
                fs::write(&path, text).expect("writable");
                fs::set_permissions(&path, Permissions::from_mode(0o600)).expect("it is ours");
                if rustix::process::geteuid().is_root() {
                    chown(&path, Some(NOBODY), Some(NOBODY)).expect("root may");
                }
            }
            let path = folder.display();
            let _ = write!(settings, " -c ssl=on -c ssl_cert_file={path}/server.crt -c ssl_key_file={path}/server.key");
        }
        Self::start_in(folder, &settings)
    }

    fn start_in(folder: PathBuf, settings: &str) -> Self {
        let programs = programs();
        let mut shell = if rustix::process::geteuid().is_root() {
            // PostgreSQL does not run as root.
            chown(&folder, Some(NOBODY), Some(NOBODY)).expect("root may");
            let mut shell = Command::new("setpriv");
            let [user, group] = ["reuid", "regid"].map(|name| format!("--{name}={NOBODY}"));
            shell.args([&user, &group, "--clear-groups", "sh"]);
            shell
        } else {
            Command::new("sh")
        };
        shell.args(["-c", SCRIPT, "sh"]).args([&folder, &programs]).arg(settings).current_dir("/");
        // A reader of the test output must not wait for the server to stop.
        let shell = shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut shell = shell.spawn().expect("sh and setpriv");
        let orders = shell.stdin.take().expect("piped");
        let mut answers = BufReader::new(shell.stdout.take().expect("piped"));
        let mut line = String::new();
        answers.read_line(&mut line).expect("a pipe");
        if line != "ready\n" {
            let log = fs::read_to_string(folder.join("log")).unwrap_or_else(|error| error.to_string());
            panic!("PostgreSQL does not start: {log}");
        }
        Self { folder, orders, answers, _shell: shell }
    }

    /// Makes a new schema, which is cheaper than a database, and returns the address under which it
    /// is the only one.
    pub fn new_schema(&self) -> String {
        let name = format!("test{}", NUM_SCHEMAS.fetch_add(1, Ordering::SeqCst));
        self.run(&format!("CREATE SCHEMA {name}"));
        format!("{}?options=-csearch_path%3D{name}", self.address())
    }

    /// Runs SQL, and returns its rows, with `|` between columns.
    pub fn run(&self, sql: &str) -> String {
        run(&self.address(), sql)
    }

    /// Stops the server at once, as if it had crashed.
    pub fn kill(&mut self) {
        self.order("kill");
    }

    /// Starts the server again.
    pub fn restart(&mut self) {
        self.order("start");
    }

    fn order(&mut self, order: &str) {
        writeln!(self.orders, "{order}").expect("a shell");
        let mut line = String::new();
        self.answers.read_line(&mut line).expect("a shell");
        assert_eq!(line, "done\n", "{order}");
    }

    fn address(&self) -> String {
        let host = self.folder.to_str().expect("text").replace('/', "%2F");
        format!("postgres://mgdex@{host}/postgres")
    }
}

fn folder() -> PathBuf {
    TempDir::with_prefix("mgdex-postgres-").expect("a temporary folder").keep()
}

/// Runs SQL at an address, and returns its rows, with `|` between columns.
pub fn run(address: &str, sql: &str) -> String {
    let psql = Command::new("psql").args(["--no-psqlrc", "-qtA", "-v", "ON_ERROR_STOP=1", address, "-c", sql]).output();
    let psql = psql.expect("psql");
    assert!(psql.status.success(), "{sql}: {}", String::from_utf8_lossy(&psql.stderr));
    String::from_utf8(psql.stdout).expect("text").trim_end().to_owned()
}

/// Returns the folder of the programs of PostgreSQL.
fn programs() -> PathBuf {
    let debian = Path::new("/usr/lib/postgresql");
    let versions = fs::read_dir(debian).into_iter().flatten().flatten().map(|version| version.path().join("bin"));
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let mut folders =
        std::env::split_paths(&paths).chain(versions).filter_map(|folder| folder.join("initdb").canonicalize().ok());
    let initdb = folders.next().expect("these tests need PostgreSQL: install it with `apt-get install postgresql`");
    initdb.parent().expect("a folder").to_owned()
}
