//! Load for long, while generations are switched.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use store::{GenerationName, Generations};
use support::TestFolder;
use support::machine::{Server, mgdex, number_of, rounds, wait_for};
use support::profile_writers::print_to_stderr;
use support::replicas::succeeded;
use support::similarity::client::{Client, id, order};

use crate::mix::{Load, Mix};
use crate::site::{Site, Usage, wait_until_served};

/// The seconds of a soak.
const SECONDS_VARIABLE: &str = "MGDEX_SOAK_SECONDS";

/// The requests due per second.
const RATE_VARIABLE: &str = "MGDEX_SOAK_RATE";

const NUM_CONNECTIONS: usize = 16;

/// The switches of a soak, at least: each change, and half of them again.
const SWITCHES_MIN: usize = CHANGES.len() * 3 / 2;

/// The pause after each switch of generations in a longer soak.
const SWITCH_PAUSE: Duration = Duration::from_secs(2);

/// The interval of lines with the resources in use.
const LINES_INTERVAL: Duration = Duration::from_mins(1);

/// Searches are soon removed, so that their number is constant.
const OPTIONS: [&str; 4] = ["--search-keep", "1m", "--search-disk", "16M"];

/// Changes of the data in turn: the kind, the command, and the number of its input. The rest of
/// them undo the first ones.
const CHANGES: [(&str, &[&str], Option<usize>); 6] = [
    ("proteins", &["own", "add", "soaked", "--proteins"], Some(0)),
    ("catalogue", &["catalogue", "add", "--keep-sealed"], Some(1)),
    ("proteins", &["rollback", "proteins"], None),
    ("catalogue", &["rollback", "catalogue"], None),
    ("proteins", &["own", "add", "soaked", "--proteins"], Some(0)),
    ("proteins", &["own", "remove", "soaked"], None),
];

/// The most folders of generations of a kind: the current and the previous one, and the one that
/// was rolled back from.
const GENERATIONS_MAX: usize = 3;

#[test]
fn resources_of_a_server_are_constant() {
    let site = Site::new();
    let server = Server::of_command(site.command().args(OPTIONS));
    let mix = Mix::new(&server, Some(&site.access));
    soak(&server, &mix, &[site.data()], |number| {
        let (kind, generation) = change(&site, number);
        wait_until_served(&server, kind, generation);
    });
    assert_few_generations(site.data());
}

/// A replica has no profiles.
#[test]
fn resources_of_a_replica_and_its_store_are_constant() {
    let (site, store, replicated) = (Site::new(), TestFolder::empty(), TestFolder::empty());
    let url = format!("file://{}", store.path().display());
    let publish = || {
        let mut command = mgdex("publish", site.data());
        succeeded(&command.args(["--keep", "1", "--grace", "1s", "--to", &url]).output().expect("the binary"));
    };
    publish();
    let mut command = site.searched.command_over(replicated.path(), &OPTIONS);
    command.args(["--services", "proteins,catalogue", "--follow-interval", "100ms", "--follow", &url]);
    let server = Server::of_command(&mut command);
    for kind in ["proteins", "catalogue"] {
        let generation = generations(site.data(), kind).current().expect("readable").expect("published");
        wait_until_served(&server, kind, generation);
    }
    let mix = Mix::new(&server, None);
    soak(&server, &mix, &[site.data(), store.path(), replicated.path()], |number| {
        let (kind, generation) = change(&site, number);
        publish();
        wait_until_served(&server, kind, generation);
    });
    assert_few_generations(site.data());
    assert_few_generations(replicated.path());
}

/// Makes the next change of the data.
fn change(site: &Site, number: usize) -> (&'static str, GenerationName) {
    let (kind, arguments, input) = CHANGES[number % CHANGES.len()];
    let inputs = [("own.faa", ">soaked_1\nMKVLAAR\n"), ("added.jsonl", r#"{"type":"publications","id":"1"}"#)];
    let mut arguments: Vec<_> = arguments.iter().map(PathBuf::from).collect();
    if let Some((name, content)) = input.map(|input: usize| inputs[input]) {
        site.searched.data.input(name, content);
        arguments.push(site.data().join(name));
    }
    (kind, site.change(&arguments))
}

/// Loads a server and switches generations meanwhile, and checks that the resources in use are
/// constant.
fn soak(server: &Server, mix: &Mix, folders: &[&Path], mut switch: impl FnMut(usize)) {
    let duration = Duration::from_secs(number_of(SECONDS_VARIABLE, rounds(6, 300) as u64));
    let interval = Duration::from_secs(1) / number_of::<u32>(RATE_VARIABLE, 40);
    let load = Load { num_connections: NUM_CONNECTIONS, interval, warm_up: Duration::ZERO };
    let is_over = AtomicBool::new(false);
    let (started, client) = (Instant::now(), Client::new(server));
    let (mut usages, mut next_line) = (Vec::new(), Duration::ZERO);
    let outcome = thread::scope(|scope| {
        let offered = scope.spawn(|| mix.offer(load, |_| is_over.load(Ordering::Relaxed)));
        // If a check fails, the load ends with it.
        let end = Ends(&is_over);
        while started.elapsed() < duration || usages.len() < SWITCHES_MIN {
            switch(usages.len());
            search(client, usages.len());
            usages.push(Usage::of(server, folders));
            if started.elapsed() >= next_line {
                let (seconds, num_switches) = (started.elapsed().as_secs(), usages.len());
                print_to_stderr(&format!("{seconds:5} s: {}, {num_switches} switches", usages[num_switches - 1]));
                next_line += LINES_INTERVAL;
            }
            // In a short soak, as many switches as possible.
            thread::sleep(SWITCH_PAUSE.min(duration / 100));
        }
        drop(end);
        offered.join().expect("no panic")
    });
    print_to_stderr(&format!(
        "{} good answers, {} refused, {} switches: {}",
        outcome.num_good,
        outcome.num_refused,
        usages.len(),
        usages[usages.len() - 1]
    ));
    outcome.assert_right();
    wait_for("good answers", || mix.unanswered().is_none().then_some(()));
    mix.check_written();
    assert_constant(&usages);
}

/// Searches, and reads the hits. A busy machine may refuse that for a while.
fn search(client: Client, number: usize) {
    let begin = || Some(client.post(&order(number % 10))).filter(|answer| answer.status.is_success());
    let id = id(&wait_for("a search", begin));
    wait_for("its hits", || client.hits(&id, "format=tsv").status.is_success().then_some(()));
}

/// Ends a load when it is dropped.
struct Ends<'a>(&'a AtomicBool);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Compares the middle third with the last third. The first third warms up.
fn assert_constant(usages: &[Usage]) {
    let third = usages.len() / 3;
    let (middle, last) = (&usages[third..2 * third], &usages[2 * third..]);
    for (name, margin, of) in [
        ("memory", 32 << 20, (|usage| usage.anonymous) as fn(&Usage) -> u64),
        ("descriptors", 32, |usage| usage.descriptors),
        ("threads", 40, |usage| usage.threads),
        ("disk", 16 << 20, |usage| usage.disk),
    ] {
        let median = |usages: &[Usage]| {
            let mut numbers: Vec<_> = usages.iter().map(of).collect();
            numbers.sort_unstable();
            numbers[numbers.len() / 2]
        };
        let (middle, last) = (median(middle), median(last));
        assert!(last <= middle + middle / 10 + margin, "{name} has grown from {middle} to {last}");
    }
}

fn generations(data: &Path, kind: &str) -> Generations {
    Generations::new(data.join(kind))
}

fn assert_few_generations(data: &Path) {
    for kind in ["proteins", "catalogue"] {
        let names = generations(data, kind).names().expect("readable");
        assert!(names.len() <= GENERATIONS_MAX, "{}: {names:?}", data.display());
    }
}
