//! Writes that are committed together.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use store::{Owner, UserReference};
use store_postgres::{PostgresConfig, PostgresProfiles};
use store_profiles::{
    AttributeChange, Attributes, NewProfile, Precondition, Profile, ProfileFault, ProfileSource, ProfileWrite,
    ProfilesConfig, Refusal,
};
use support::postgres::{new_schema, run};
use tokio::task::JoinSet;
use tokio_postgres::{Client, NoTls};

use super::on_change;

const NUM_PROFILES: usize = 12;

/// The number of a change that fails.
const ODD_ONE: usize = 7;

/// Makes changes wait for the holder of the lock. Each schema has one lock.
const WAIT: &str = "PERFORM pg_advisory_xact_lock_shared(abs(hashtext(current_schema())));";

const HOLD: &str = "SELECT pg_advisory_lock(abs(hashtext(current_schema())))";

const RELEASE: &str = "SELECT pg_advisory_unlock(abs(hashtext(current_schema())))";

const IS_CHANGE_WAITING: &str = "SELECT count(*) > 0 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted \
                          AND objid::bigint = abs(hashtext(current_schema()))";

/// Returns a store with profiles.
async fn profiles(address: &str) -> (Arc<PostgresProfiles>, Vec<Profile>) {
    let config = PostgresConfig {
        address: address.parse().expect("an address"),
        authorities: None,
        connections_max: 8,
        audit_days: None,
        profiles: ProfilesConfig { attributes_max: 1 },
    };
    let store = PostgresProfiles::new(config).expect("no certificates");
    let mut profiles = Vec::new();
    for _ in 0..NUM_PROFILES {
        let owner = Owner::User(UserReference::new(uuid::Uuid::new_v4()));
        let profile = NewProfile { owner, schema: None, attributes: Attributes::default() };
        profiles.push(
            store
                .write(ProfileWrite::Create(profile.into_profile()), None, Arc::new(|| true))
                .await
                .expect("a new owner"),
        );
    }
    (Arc::new(store), profiles)
}

/// Returns another client's session.
async fn session(address: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(address, NoTls).await.expect("it accepts");
    tokio::spawn(connection);
    client
}

type Changes = JoinSet<(usize, Result<Profile, ProfileFault>)>;

/// Starts to change each profile. One of the changes loses its permission before it is tried,
/// unless `is_permitted`.
fn change(store: &Arc<PostgresProfiles>, profiles: &[Profile], is_permitted: bool) -> Changes {
    let mut changes = JoinSet::new();
    for (number, seen) in profiles.iter().cloned().enumerate() {
        let store = Arc::clone(store);
        changes.spawn(async move {
            let change = AttributeChange::Merge([("number", number.to_string())].into_iter().collect());
            let num_attempts = AtomicUsize::new(0);
            let permission = move || {
                let is_first = num_attempts.fetch_add(1, Ordering::Relaxed) == 0;
                is_permitted || is_first || number != ODD_ONE
            };
            let write = ProfileWrite::Change(seen.reference, change, Precondition::None);
            (number, store.write(write, Some(seen), Arc::new(permission)).await)
        });
    }
    changes
}

/// Changes each profile. The first changes wait until all have arrived.
async fn change_together(
    address: &str,
    store: &Arc<PostgresProfiles>,
    profiles: &[Profile],
    is_permitted: bool,
) -> Vec<(usize, Result<Profile, ProfileFault>)> {
    let session = session(address).await;
    session.batch_execute(HOLD).await.expect("a lock");
    let changes = change(store, profiles, is_permitted);
    while run(address, IS_CHANGE_WAITING) == "f" {}
    tokio::time::sleep(Duration::from_millis(500)).await;
    session.batch_execute(RELEASE).await.expect("a lock");
    changes.join_all().await
}

fn check_other_changes(outcomes: Vec<(usize, Result<Profile, ProfileFault>)>, is_it: impl Fn(&ProfileFault) -> bool) {
    for (number, outcome) in outcomes {
        match outcome {
            Ok(profile) => assert!(number != ODD_ONE && profile.version == 2),
            Err(fault) => assert!(number == ODD_ONE && is_it(&fault), "{number}: {fault}"),
        }
    }
}

fn num_changed(address: &str) -> usize {
    run(address, "SELECT count(*) FROM profiles WHERE version = 2 AND line LIKE '%\"number\"%'")
        .parse()
        .expect("a number")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn waiting_changes_are_committed_together() {
    let address = new_schema();
    let (store, profiles) = profiles(&address).await;
    on_change(&address, WAIT);
    let before = store.state().num_commits;
    let outcomes = change_together(&address, &store, &profiles, true).await;
    assert!(outcomes.iter().all(|(_, outcome)| outcome.is_ok()), "{outcomes:?}");
    assert_eq!(num_changed(&address), NUM_PROFILES);
    let num_commits = store.state().num_commits - before;
    assert!(num_commits < NUM_PROFILES as u64, "{num_commits} commits");
    assert_eq!(store.state().num_writes, 2 * NUM_PROFILES as u64);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changes_no_longer_permitted_fail_alone() {
    let address = new_schema();
    let (store, profiles) = profiles(&address).await;
    on_change(&address, WAIT);
    let outcomes = change_together(&address, &store, &profiles, false).await;
    check_other_changes(outcomes, |fault| matches!(fault, ProfileFault::Refused(Refusal::NotPermitted)));
    assert_eq!(num_changed(&address), NUM_PROFILES - 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changes_refused_by_the_database_fail_alone() {
    let address = new_schema();
    let (store, profiles) = profiles(&address).await;
    let refuse = format!("IF NEW.line LIKE '%\"number\":\"{ODD_ONE}\"%' THEN RAISE EXCEPTION 'no'; END IF;");
    on_change(&address, &[WAIT, &refuse].join(" "));
    let outcomes = change_together(&address, &store, &profiles, true).await;
    check_other_changes(outcomes, |fault| matches!(fault, ProfileFault::Unavailable(_)));
    assert_eq!(num_changed(&address), NUM_PROFILES - 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn locked_rows_delay_only_their_own_change() {
    let address = new_schema();
    let (store, profiles) = profiles(&address).await;
    let session = session(&address).await;
    let held = profiles[ODD_ONE].reference;
    let begin = format!("BEGIN; SELECT FROM profiles WHERE line LIKE '%{held}%' FOR UPDATE");
    session.batch_execute(&begin).await.expect("a row");
    let mut changes = change(&store, &profiles, true);
    for _ in 1..NUM_PROFILES {
        let (number, outcome) = changes.join_next().await.expect("a change").expect("no panic");
        assert!(number != ODD_ONE && outcome.is_ok(), "{number}: {outcome:?}");
    }
    session.batch_execute("ROLLBACK").await.expect("a transaction");
    assert!(matches!(&changes.join_all().await[..], [(ODD_ONE, Ok(_))]));
    assert_eq!(num_changed(&address), NUM_PROFILES);
}
