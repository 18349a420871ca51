//! Two servers on machines of their own, over a database of three.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{self, ScopedJoinHandle};
use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand::rngs::StdRng;
use support::TestFolder;
use support::machine::{Server, seeded, wait_for};
use support::network::Network;
use support::profile_writers::{Access, Mix, Writer, check_over_http, print_survived, print_to_stderr};

use super::Fault;
use super::clients::{self, Board, Ending};
use super::database::{Database, Timing};

/// The values that the clients write.
const MIXES: [Mix; 4] = [Mix::SMALL, Mix::MIXED, Mix::SMALL, Mix::SMALL];

/// The time of writing before a fault and after it.
const QUIET_TIME: Duration = Duration::from_secs(2);

pub(super) struct Site {
    pub(super) database: Database,
    servers: [Server; 2],
    access: Access,
    _folders: [TestFolder; 2],
    // Its nodes end with it.
    _network: Network,
}

impl Site {
    /// Starts all machines.
    pub(super) fn start(timing: Timing) -> Result<Self, String> {
        let network = Network::new()?;
        let database = Database::start(&network, timing)?;
        let (access, folders) = (Access::new(), [(); 2].map(|()| TestFolder::empty()));
        let machines = ["server1", "server2"].map(|name| network.node(name));
        let servers = [0, 1].map(|number: usize| {
            let mut command = access.serve_at(&format!("{}:8080", machines[number].address()), folders[number].path());
            command.env("MGDEX_PROFILES", database.address()).arg("--profiles-ca").arg(database.authority());
            Server::of_command(&mut machines[number].on(&command))
        });
        for server in &servers {
            wait_for("the profiles", || server.get("/readyz").1.contains("profiles").then_some(()));
        }
        Ok(Self { database, servers, access, _folders: folders, _network: network })
    }

    /// Runs faults, one after the other, while clients write and read, and checks all their
    /// answers.
    pub(super) fn run_faults(&self, faults: impl Iterator<Item = (String, Fault)>) {
        let (mut random, seed) = seeded();
        let addresses = self.servers.each_ref().map(|server| server.address().to_owned());
        let (board, mut writers) = (Board::default(), Writer::several(MIXES.len(), seed, &MIXES));
        thread::scope(|scope| {
            let ending = Ending(&board);
            let (addresses, access, board) = (&addresses, &self.access, &board);
            let mut clients = Vec::new();
            for (number, writer) in (0..).zip(&mut writers) {
                let mut random = StdRng::seed_from_u64(seed.wrapping_add(number));
                clients.push(scope.spawn(move || clients::write(writer, addresses, access, board, &mut random)));
            }
            for server in 0..2 {
                let mut random = StdRng::seed_from_u64(seed.wrapping_add(100 + server as u64));
                clients.push(scope.spawn(move || clients::read(server, addresses, access, board, &mut random)));
            }
            for (what, fault) in faults {
                self.database.wait_until_whole();
                thread::sleep(QUIET_TIME);
                board.take_pauses();
                let started = Instant::now();
                fault(self);
                self.database.wait_until_whole();
                let whole = started.elapsed();
                thread::sleep(QUIET_TIME);
                let [unwritten, unread, slowest] = board.take_pauses();
                print_to_stderr(&format!(
                    "{what}: writes paused for {unwritten:.1?}, reads for {unread:.1?}, the slowest write took {slowest:.1?}; whole after {whole:.1?}"
                ));
                assert!(!unwritten.is_zero(), "nothing is written any more");
                assert!(!clients.iter().any(ScopedJoinHandle::is_finished), "a client has failed");
            }
            drop(ending);
        });
        for server in &self.servers {
            check_over_http(server, &self.access, &mut writers, &mut random, &format!("seed {seed}"));
        }
        let count = |number: &AtomicU64| number.load(Ordering::SeqCst);
        let (unknown, found, reads) = (count(&board.num_unknown), count(&board.num_found), count(&board.num_reads));
        let num_acknowledged = writers.iter().map(|writer| writer.num_acknowledged).sum();
        let num_profiles = writers.iter().map(|writer| writer.profiles.len()).sum();
        let what = format!("{unknown} writes of unknown outcome, {found} of them written, {reads} reads, none too old");
        print_survived(&what, num_acknowledged, num_profiles);
    }
}
