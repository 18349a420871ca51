//! One folder, several processes.

use std::time::Duration;

use tempfile::TempDir;

use support::machine::{Server, seeded};
use support::profile_writers::outcomes::{check_refusal, refusal, write_for};
use support::profile_writers::{Access, Mix, Writer, check_over_http, export};

#[test]
fn a_second_process_is_refused_and_the_first_continues() {
    let (folder, access) = (TempDir::new().expect("a temporary folder"), Access::new());
    let data = folder.path();
    let (mut random, seed) = seeded();
    let mut writers = Writer::several(2, seed, &[Mix::SMALL]);
    let mut first = access.start(data);
    write_for(&first, &access, &mut writers, Duration::from_millis(100));

    let path = data.join("profiles").display().to_string();
    let Err((status, message)) = Server::try_command(&mut access.serve(data)) else { panic!("two servers") };
    assert_eq!(status.code(), Some(1), "{message}");
    check_refusal(&message, data, "the second server");
    assert!(message.contains("is open in another mgdex process") && message.contains(&path), "{message}");
    let message = refusal(&export(data), data, "an export");
    assert!(message.contains("GET /profiles/export") && message.contains(&path), "{message}");

    write_for(&first, &access, &mut writers, Duration::from_millis(100));
    check_over_http(&first, &access, &mut writers, &mut random, "the first goes on");
    first.kill();
    check_over_http(&access.start(data), &access, &mut writers, &mut random, "the lock goes with the process");
}
