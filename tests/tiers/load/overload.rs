//! Ten times as many requests as the server can answer.

use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use support::machine::{Server, number_of, wait_for};
use support::profile_writers::print_to_stderr;

use crate::mix::{Load, Mix};
use crate::site::{Site, Usage};

/// The seconds of overload. If the variable is set, they follow a warm-up, server and clients have
/// a core each, and times are asserted: the machine must be quiet, and the program optimised.
const SECONDS_VARIABLE: &str = "MGDEX_OVERLOAD_SECONDS";

/// The requests that are due while one can be answered.
const TIMES: u32 = 10;

/// The time in which it is measured how many can be answered.
const SATURATED: Duration = Duration::from_secs(2);

/// More than those whose requests a service lets in and lets wait.
const CONNECTIONS_VARIABLE: &str = "MGDEX_OVERLOAD_CONNECTIONS";
const NUM_CONNECTIONS: usize = 1500;

const SECONDS: u64 = 6;

/// The time after which as many requests wait as may.
const WARM_UP: Duration = Duration::from_secs(6);

/// Answers under overload may take this many times as long as without. Times of less than the floor
/// count as the floor, as the clients share the machine.
const SLOWER_MAX: u32 = 5;
const FLOOR: Duration = Duration::from_millis(40);

/// Answers that wait for turns take longer: up to 5 s for a turn.
const TURNS_MAX: Duration = Duration::from_secs(6);

const RECOVERY_MAX: Duration = Duration::from_secs(5);

/// The memory that a server may use under overload: with pages of files, and without.
const MEMORY_MAX_BYTES: u64 = 600 << 20;
const ANONYMOUS_MAX_BYTES: u64 = 400 << 20;

/// The memory that it may keep. The allocator keeps some of what it once had.
const KEPT_MAX_BYTES: u64 = 150 << 20;

/// Offers requests of all kinds over many connections of several clients, at ten times the rate at
/// which they can be answered. Each answer is the one without load, or a refusal that says when to
/// try again. By hand, answers that are made at once stay nearly as quick, and others wait no
/// longer than they may. Times count from sending a request on an open connection to the end of its
/// answer.
#[test]
fn overload_is_refused_and_harms_nothing() {
    let is_timed = std::env::var_os(SECONDS_VARIABLE).is_some();
    let site = Site::new();
    let server = Server::of_command(&mut if is_timed { on_a_core(&site.command()) } else { site.command() });
    let mix = Mix::new(&server, Some(&site.access));
    let saturate = |num_connections| {
        let load = Load { num_connections, interval: Duration::ZERO, warm_up: Duration::ZERO };
        mix.offer(load, |elapsed| elapsed > SATURATED)
    };
    let each = SATURATED / u32::try_from(saturate(16).num_good).expect("few requests");
    let unloaded = saturate(1);
    let before = Usage::of(&server, &[]);
    let (is_over, peak) = (AtomicBool::new(false), AtomicU64::new(0));
    let warm_up = if is_timed { WARM_UP } else { Duration::ZERO };
    let end = warm_up + Duration::from_secs(number_of(SECONDS_VARIABLE, SECONDS));
    let num_connections = number_of(CONNECTIONS_VARIABLE, NUM_CONNECTIONS);
    let loaded = thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                peak.fetch_max(server.status("RssAnon:") << 10, Ordering::Relaxed);
                thread::sleep(Duration::from_millis(50));
            }
        });
        let load = Load { num_connections, interval: each / TIMES, warm_up };
        let loaded = mix.offer(load, |elapsed| elapsed > end);
        is_over.store(true, Ordering::Relaxed);
        loaded
    });
    let ended = Instant::now();
    wait_for("good answers", || mix.unanswered().is_none().then_some(()));
    let recovery = ended.elapsed();
    mix.print([&unloaded, &loaded]);
    let (peak, after) = (peak.into_inner(), Usage::of(&server, &[]));
    print_to_stderr(&format!(
        "one each {each:.2?} can be answered; {} good, {} refused; at most {} MiB; recovery in {recovery:.1?}\n\
         before: {before}\nafter: {after}",
        loaded.num_good,
        loaded.num_refused,
        peak >> 20,
    ));
    loaded.assert_right();
    assert!(loaded.num_refused > 0, "the server was not overloaded");
    mix.check_written();
    assert!(peak < ANONYMOUS_MAX_BYTES && server.peak_bytes() < MEMORY_MAX_BYTES, "{peak} {}", server.peak_bytes());
    assert!(after.anonymous < before.anonymous + KEPT_MAX_BYTES, "{before}, then {after}");
    if is_timed {
        let (before, after, in_turns) = (mix.p99(&unloaded, true), mix.p99(&loaded, true), mix.p99(&loaded, false));
        assert!(after <= before.max(FLOOR) * SLOWER_MAX, "{after:?}, before {before:?}");
        assert!(in_turns <= TURNS_MAX, "{in_turns:?}");
        assert!(recovery <= RECOVERY_MAX, "{recovery:?}");
    }
}

/// Returns the command on the first core. This process leaves that core to it.
fn on_a_core(command: &Command) -> Command {
    const PIN: &str = "/usr/bin/taskset";
    let others = Command::new(PIN).args(["-a", "-c", "-p", "1-1023", &std::process::id().to_string()]).output();
    assert!(others.expect("taskset").status.success());
    let mut pinned = Command::new(PIN);
    pinned.args(["-c", "0"]).arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => pinned.env(name, value),
            None => pinned.env_remove(name),
        };
    }
    pinned
}
