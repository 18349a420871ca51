//! A database that is slow, refuses, crashes and restarts, and servers that share it.

mod audit;
mod commands;
mod encryption;
mod lost;
mod refusing;
mod shared;
mod together;

use serde_json::{Value, json};

use crate::services::backend::BackendSetup;
use crate::services::profiles::harness::{Setup, World};

/// Returns a server on a database.
fn server(address: &str) -> World {
    with_connections(address, 8)
}

/// Returns a server with few connections.
fn with_connections(address: &str, connections_max: usize) -> World {
    let backend = BackendSetup { database: Some(address.to_owned()), connections_max };
    World::with(Setup { backend, ..Setup::default() })
}

/// Makes all changes of profiles run some PL/pgSQL first.
fn on_change(address: &str, code: &str) {
    let function =
        format!("CREATE FUNCTION before() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN {code} RETURN NEW; END$$");
    let trigger = "CREATE TRIGGER before BEFORE UPDATE ON profiles FOR EACH ROW EXECUTE FUNCTION before()";
    support::postgres::run(address, &format!("{function}; {trigger}"));
}

/// Checks that each version of each profile has its line of the audit log, and that no other write
/// has one.
fn check_audit(address: &str) {
    let unlike = "SELECT count(*) FROM profiles AS p WHERE version <> (SELECT count(*) FROM profiles_audit WHERE profile = p.reference)";
    assert_eq!(support::postgres::run(address, unlike), "0");
}

/// Returns the outcomes of an action in the audit log.
fn outcomes(world: &World, action: &str) -> Vec<Value> {
    world.settle();
    let text = std::fs::read_to_string(world.audit_path()).expect("a log");
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    lines.filter(|line| line["action"] == json!(action)).map(|line| line["outcome"].clone()).collect()
}
