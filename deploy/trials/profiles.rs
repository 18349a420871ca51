//! Profiles in a database that survives the failure of its machines: acknowledged writes are kept
//! and seen by all, whatever fails.

mod clients;
mod database;
mod site;

use std::thread;
use std::time::Duration;

use support::machine::or_skip;

use self::database::Timing;
use self::site::Site;

/// The variable with the number of rounds of faults of the long form.
const ROUNDS_VARIABLE: &str = "MGDEX_TEST_ROUNDS";

/// The variable with a part of the names of the faults to run.
const FAULTS_VARIABLE: &str = "MGDEX_TEST_FAULTS";

const ROUNDS: usize = 20;

/// The duration of some faults once another leader is there.
const HOLD: Duration = Duration::from_secs(10);

type Fault = fn(&Site);

/// The whole machine fails.
fn kill_leader(site: &Site) {
    let leader = site.database.wait_for_leader();
    leader.kill();
    site.database.wait_for_leader();
    leader.start();
}

/// PostgreSQL and Patroni fail; etcd continues.
fn kill_leading_database(site: &Site) {
    let leader = site.database.wait_for_leader();
    leader.kill_database();
    site.database.wait_for_leader();
    leader.start();
}

/// The next leader fails before a standby may succeed it.
fn kill_two_leaders(site: &Site) {
    let first = site.database.wait_for_leader();
    first.kill();
    let second = site.database.wait_for_leader();
    second.kill();
    first.start();
    second.start();
}

/// The leader loses its network.
fn cut_leader(site: &Site) {
    let leader = site.database.wait_for_leader();
    leader.node.cut();
    site.database.wait_for_other_leader(leader);
    thread::sleep(HOLD);
    leader.node.restore();
}

/// The servers still reach the leader.
fn cut_leader_from_standbys(site: &Site) {
    let leader = site.database.wait_for_leader();
    let others: Vec<_> = site.database.nodes.iter().filter(|node| node.name != leader.name).collect();
    for other in &others {
        leader.node.cut_from(&other.node);
    }
    site.database.wait_for_other_leader(leader);
    thread::sleep(HOLD);
    for other in &others {
        leader.node.reconnect_to(&other.node);
    }
}

fn cut_synchronous_standby(site: &Site) {
    let standby = site.database.wait_for_synchronous_standby();
    standby.node.cut();
    thread::sleep(HOLD);
    standby.node.restore();
}

/// All three machines fail at once.
fn restart_all(site: &Site) {
    for node in &site.database.nodes {
        node.kill();
    }
    for node in &site.database.nodes {
        node.start();
    }
}

/// All programs of the machine pause, and continue when another machine leads.
fn pause_leader(site: &Site) {
    let leader = site.database.wait_for_leader();
    leader.pause();
    site.database.wait_for_other_leader(leader);
    thread::sleep(HOLD);
    leader.resume();
}

/// Patroni hangs, and PostgreSQL continues. No watchdog stops it.
fn pause_patroni(site: &Site) {
    let leader = site.database.wait_for_leader();
    leader.pause_patroni();
    site.database.wait_for_other_leader(leader);
    thread::sleep(HOLD);
    leader.resume();
}

fn named(what: &str, fault: Fault) -> (String, Fault) {
    (what.to_owned(), fault)
}

#[test]
fn acknowledged_profiles_survive_killed_leaders() {
    let Some(site) = or_skip(Site::start(Timing::SHORT)) else { return };
    let faults = [named("leader killed", kill_leader), named("leading database killed", kill_leading_database)];
    site.run_faults(faults.into_iter());
}

#[test]
#[ignore = "it takes some 20 minutes: 20 rounds, with the times of deploy/postgres"]
fn acknowledged_profiles_survive_all_faults() {
    let Some(site) = or_skip(Site::start(Timing::SHIPPED)) else { return };
    let num_rounds = std::env::var(ROUNDS_VARIABLE).map_or(ROUNDS, |text| text.parse().expect(ROUNDS_VARIABLE));
    let others = [
        named("leader cut off", cut_leader),
        named("leader cut off from the standbys", cut_leader_from_standbys),
        named("synchronous standby cut off", cut_synchronous_standby),
        named("leader paused", pause_leader),
        named("Patroni paused", pause_patroni),
        named("all killed", restart_all),
        named("two leaders killed", kill_two_leaders),
    ];
    let rounds = (1..=num_rounds).flat_map(|round| {
        let kills = [named("leader killed", kill_leader), named("leading database killed", kill_leading_database)];
        let other = (round % 2 == 0).then(|| others[round / 2 % others.len()].clone());
        let faults = [Some(kills[round % 2].clone()), other].into_iter().flatten();
        faults.map(move |(what, fault)| (format!("{round}: {what}"), fault))
    });
    let chosen = std::env::var(FAULTS_VARIABLE).unwrap_or_else(|_| String::new());
    site.run_faults(rounds.filter(|(what, _)| what.contains(&chosen)));
}
