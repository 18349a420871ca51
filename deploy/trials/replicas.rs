//! Replicas behind a load balancer: whatever fails, every read is answered, and from a single
//! generation.

mod balancer;
mod faults;
mod load;
mod replica;
mod s3;
mod site;
mod states;
mod store;

use rand::seq::SliceRandom;
use support::machine::{or_skip, seeded};
use support::network::Network;

use self::balancer::Program;
use self::faults::{Fault, Stores};
use self::site::Site;
use self::store::Store;

/// The variable with the number of rounds of the long form.
const ROUNDS_VARIABLE: &str = "MGDEX_TEST_ROUNDS";

/// Lets each fault happen in rounds, in any order. Without rounds, each fault that is brief happens
/// once.
fn run_trial(program: Program, store: impl FnOnce(&Network) -> Store, num_rounds: Option<usize>) {
    let Some(mut site) = or_skip(Site::new(program, store)) else { return };
    let (mut random, seed) = seeded();
    let has_server = matches!(site.store, Store::S3(_));
    let is_tried = |fault: &&Fault| match fault.stores {
        Stores::All => true,
        Stores::FolderFirst => num_rounds.is_some() || !has_server,
        Stores::Server => has_server,
    };
    site.under_load(seed, |trial| {
        for _ in 0..num_rounds.unwrap_or(1) {
            let mut faults: Vec<_> = faults::ALL.iter().filter(is_tried).collect();
            faults.shuffle(&mut random);
            for fault in faults {
                trial.begin(fault.name);
                (fault.happen)(trial, &mut random);
            }
        }
    });
}

#[test]
fn readers_behind_haproxy_with_an_s3_store_notice_no_fault() {
    run_trial(Program::HaProxy, Store::s3, None);
}

#[test]
fn readers_behind_nginx_with_a_shared_folder_notice_no_fault() {
    run_trial(Program::Nginx, |_| Store::folder(), None);
}

#[test]
#[ignore = "the long form, for figures: MGDEX_TEST_ROUNDS=20 cargo test --features distributed --test trials -- --ignored"]
fn readers_notice_no_fault_in_many_rounds() {
    let num_rounds = std::env::var(ROUNDS_VARIABLE).map_or(3, |text| text.parse().expect(ROUNDS_VARIABLE));
    for program in [Program::HaProxy, Program::Nginx] {
        run_trial(program, Store::s3, Some(num_rounds));
        run_trial(program, |_| Store::folder(), Some(num_rounds));
    }
}
