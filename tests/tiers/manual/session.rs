//! A page that is done from its beginning to its end, in one shell.

use std::fs::{self, File};
use std::net::TcpListener;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use std::{env, iter};

use super::blocks::{Block, Kind};
use super::fits::fits;
use super::tools;
use support::machine::is_thorough;
use support::{program, project};
use tempfile::TempDir;

/// A comment on pages that begin with the data of the demo, loaded.
const DEMO: &str = "<!-- demo: -->";

/// The ports that pages name, which are replaced by free ones.
const PORTS: [&str; 3] = ["8080", "8081", "9464"];

/// The first commands of the shell. `$OUT` has a file with the output of each block, and the number
/// of the last block that was started; `served` waits until the program that was just started says
/// that it serves.
const BEGINNING: &str = r#"set -Eeu
trap 'echo "$LINENO" > "$OUT/line"' ERR
served() {
    local i
    for i in $(seq 3000); do
        if grep -q 'serving on http' "$1"; then return 0; fi
        if ! kill -0 $! 2>/dev/null; then break; fi
        sleep 0.2
    done
    cat "$1"
    return 1
}
"#;

/// The data folder of the demo, made once.
static DATA: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("manual");
    // It may not be there.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("writable");
    // Loading them takes a minute or two on a busy machine.
    let script = format!("{BEGINNING}mgdex --listen 127.0.0.1:0 > log 2>&1 &\nserved log\nkill $!\nwait $! || true\n");
    let made = shell().arg("-c").arg(script).current_dir(&folder).env("OUT", &folder).output().expect("bash");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stdout));
    folder.join("mgdex-data")
});

/// Returns a shell in which the program and the tools of the manual are found, without settings
/// from the environment of the tests.
fn shell() -> Command {
    let own = PathBuf::from(program().get_program());
    let python = tools().expect("looked for before");
    let tools = [own, python].map(|program| program.parent().expect("a folder").to_owned());
    let path = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths(tools.into_iter().chain(env::split_paths(&path))).expect("no colons");
    let mut shell = Command::new("bash");
    for (name, _) in env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("MGDEX_")) {
        shell.env_remove(name);
    }
    shell.env("PATH", path).env("RUST_BACKTRACE", "0").stdin(Stdio::null());
    shell
}

/// Copies the data folder of the demo into a folder.
pub(super) fn copy_demo(folder: &Path) {
    let copied = Command::new("cp").args(["-r", "--reflink=auto"]).arg(&*DATA).arg(folder).status();
    assert!(copied.expect("cp").success());
}

/// The shell of a page, with the servers that it has started.
pub(super) struct Session {
    page: &'static str,
    folder: TempDir,
    /// Ports named on the page, and the free ports used in their place.
    ports: Vec<(String, String)>,
}

impl Session {
    /// Runs the blocks of a page, and compares their output with the output shown.
    ///
    /// # Panics
    ///
    /// Panics if a command fails or prints another output.
    pub(super) fn run(page: &'static str) {
        let text = fs::read_to_string(project(page)).expect(page);
        let folder = TempDir::new().expect("a temporary folder");
        for name in ["work", "out"] {
            fs::create_dir(folder.path().join(name)).expect("writable");
        }
        std::os::unix::fs::symlink(project("data"), folder.path().join("work/data")).expect("writable");
        if text.contains(DEMO) {
            copy_demo(&folder.path().join("work"));
        }
        // They are all bound before one is given back.
        let free: Vec<TcpListener> = PORTS.iter().map(|_| TcpListener::bind("127.0.0.1:0").expect("a port")).collect();
        let number = |listener: &TcpListener| listener.local_addr().expect("an address").port();
        let ports =
            iter::zip(PORTS, &free).map(|(name, listener)| (format!(":{name}"), format!(":{}", number(listener))));
        let session = Self { page, folder, ports: ports.collect() };
        drop(free);
        let mut blocks = Block::all(&text);
        if !is_thorough() {
            blocks.retain(|block| !block.needs_r());
        }
        session.start(&blocks);
        session.compare(&blocks);
    }

    fn out(&self, name: &str) -> PathBuf {
        self.folder.path().join("out").join(name)
    }

    /// Runs the blocks until one fails.
    fn start(&self, blocks: &[Block]) {
        let mut script = vec![BEGINNING.to_owned()];
        for (number, block) in blocks.iter().enumerate() {
            let text = match block.kind {
                Kind::Shell => self.with_servers(number, &block.text),
                _ => self.ports.iter().fold(block.text.clone(), |text, (name, port)| text.replace(name, port)),
            };
            fs::write(self.out(&number.to_string()), text).expect("writable");
            let action = match &block.kind {
                Kind::Shell => format!(". \"$OUT/{number}\""),
                Kind::Python => format!("python3 \"$OUT/{number}\""),
                Kind::R => format!("Rscript \"$OUT/{number}\""),
                Kind::File(name) => format!("cp \"$OUT/{number}\" {name}"),
            };
            script.push(format!("echo {number} > \"$OUT/now\"; {{ {action}; }} > \"$OUT/{number}.printed\" 2>&1\n"));
        }
        script.push("echo end > \"$OUT/now\"\n".to_owned());
        fs::write(self.out("script"), script.concat()).expect("writable");

        let mut shell = shell();
        shell.arg(self.out("script")).current_dir(self.folder.path().join("work"));
        shell.env("OUT", self.folder.path().join("out"));
        shell.stderr(File::create(self.out("stderr")).expect("writable")).process_group(0);
        let mut shell = shell.spawn().expect("bash");
        // Its exit status is not needed: the files that it leaves show the result.
        let _ = shell.wait();
        // Servers that it has left running are in its process group. There may be none.
        let _ =
            Command::new("bash").args(["-c", "kill -KILL -- \"-$0\" 2>/dev/null", &shell.id().to_string()]).status();
    }

    /// Replaces the ports in commands by free ones, and waits for each server that is started in
    /// the background.
    fn with_servers(&self, number: usize, text: &str) -> String {
        let lines = text.lines().map(|line| {
            let server = line.strip_suffix(" &").filter(|command| command.split(' ').any(|word| word == "mgdex"));
            let Some(command) = server else { return format!("{line}\n") };
            let listen = if command.contains("--listen") { "" } else { "MGDEX_LISTEN=127.0.0.1:8080 " };
            format!("{listen}{command} > \"$OUT/{number}.log\" 2>&1 &\nserved \"$OUT/{number}.log\"\n")
        });
        self.ports.iter().fold(lines.collect(), |text: String, (name, port)| text.replace(name, port))
    }

    fn compare(&self, blocks: &[Block]) {
        let read = |name: &str| fs::read_to_string(self.out(name)).unwrap_or_else(|error| error.to_string());
        let ended_at = read("now").trim().to_owned();
        for (number, block) in blocks.iter().enumerate() {
            let printed =
                fs::read(self.out(&format!("{number}.printed"))).unwrap_or_else(|error| error.to_string().into_bytes());
            let printed = String::from_utf8_lossy(&printed).into_owned();
            let printed = self.ports.iter().fold(printed, |text, (name, port)| text.replace(port, name));
            let place = format!("{}:{}", self.page, block.line);
            assert_ne!(
                ended_at,
                number.to_string(),
                "{place}: this fails, in its line {}:\n{}\nIt prints:\n{printed}{}",
                read("line").trim(),
                block.text,
                read("stderr")
            );
            let Some(shown) = &block.shown else { continue };
            let shown: Vec<&str> = shown.iter().map(|line| line.trim_end()).collect();
            let lines: Vec<&str> = printed.trim_end().lines().map(str::trim_end).collect();
            assert!(
                fits(&shown, &lines),
                "{place}: {}is shown with\n{}\n\nand prints\n{}",
                block.text,
                shown.join("\n"),
                lines.join("\n")
            );
        }
        assert_eq!(ended_at, "end", "{}: {}", self.page, read("stderr"));
    }
}
