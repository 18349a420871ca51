//! A store of profiles that is made, written to and closed.

use std::time::Duration;

use rand::SeedableRng;
use rand::rngs::StdRng;
use support::failing_calls::{FailingCalls, Fault, FileCall};
use support::machine::Server;
use support::needed;
use support::profile_writers::outcomes::write_for;
use support::profile_writers::{Access, Connection, Mix, Writer, check_over_http};
use tempfile::TempDir;

use super::fail_each;

/// One in this many calls of a server fails.
const CALLS_PER_FAILING: usize = 23;

/// The writes of a server.
const NUM_WRITES: usize = 30;

/// Serves a new folder, and writes until a write fails. All acknowledged writes must be there when
/// the next server starts. Returns the calls of the first server.
fn fail(access: &Access, calls: &FailingCalls, first: usize, fault: Fault) -> Vec<FileCall> {
    let (folder, context) = (TempDir::new().expect("a temporary folder"), format!("{fault:?} from call {first} on"));
    let data = folder.path();
    let mut writers = Writer::several(1, first as u64, &[Mix::SMALL]);
    calls.fail(first, fault);
    let mut command = access.serve(data);
    let mut server = Server::of_command(calls.watch(&mut command, &data.join("profiles")));
    let mut connection = Connection::open(server.address()).expect("the server accepts");
    for _ in 0..NUM_WRITES {
        let answer = writers[0].write(&mut connection, access).expect("an answer");
        if answer.status >= 500 {
            assert!(answer.status == 503 && fault != Fault::Short, "{answer:?}; {context}");
            break;
        }
    }
    drop(connection);
    // It closes the store while calls still fail.
    server.terminate();
    let status = server.wait();
    let all = calls.calls();
    let failed = all.iter().find(|call| call.has_failed);
    let context = format!("{context}, {failed:?}, {status}: {}", server.log());
    assert!(status.code().is_some() && !server.log().contains("panicked"), "{context}");
    calls.stop();
    let server = access.start(data);
    let mut random = StdRng::seed_from_u64(first as u64);
    check_over_http(&server, access, &mut writers, &mut random, &context);
    write_for(&server, access, &mut writers, Duration::ZERO);
    check_over_http(&server, access, &mut writers, &mut random, &context);
    all
}

#[test]
fn failing_calls_of_a_store_of_profiles_lose_no_acknowledged_write() {
    let Some(calls) = needed(FailingCalls::new()) else { return };
    let access = Access::new();
    let num_calls = fail(&access, &calls, 0, Fault::Eio).len();
    assert!(num_calls > NUM_WRITES, "the server is not watched");
    let is_in_sample = |call| call % CALLS_PER_FAILING == 1;
    fail_each("a store of profiles", num_calls, is_in_sample, |first, fault| {
        Ok(fail(&access, &calls, first, fault).iter().any(|call| call.has_failed))
    });
}
