//! The command line of a load.

use crate::loading::directory::{Folder, mgdex, user_line};

#[test]
fn loads_print_a_summary_and_read_settings_from_the_environment() {
    let folder = Folder::new();
    let input = folder.write("lines.jsonl", format!("{}\n{}\nnonsense\n", user_line(1, true), user_line(1, false)));
    let mut command = mgdex();
    command.args(["directory", "load"]).arg(&input).env("MGDEX_DATA", folder.data()).env("MGDEX_MEMORY", "64M");
    let refused = command.env("MGDEX_MAX_REJECTS", "0").output().expect("the program");
    assert_eq!((refused.status.code(), &*refused.stdout), (Some(1), &b""[..]), "{refused:?}");
    assert!(String::from_utf8_lossy(&refused.stderr).contains("line 3: unreadable_json"), "{refused:?}");
    let done = command.env("MGDEX_MAX_REJECTS", "1").output().expect("the program");
    folder.report_of(&done);
    let message = String::from_utf8_lossy(&done.stderr).into_owned();
    for part in [
        "3 rows read, 2 accepted, 1 rejected",
        "1 line replaced by later ones",
        "stored: 1 user, 0 of them locked, 0 domains, 0 memberships",
        "published directory/gen-",
    ] {
        assert!(message.contains(part), "{part} is not in {message}");
    }
    let quiet = command.env("MGDEX_QUIET", "true").output().expect("the program");
    let message = String::from_utf8_lossy(&quiet.stderr).into_owned();
    assert!(
        message.lines().count() == 1 && message.contains("unreadable_json"),
        "lines left out are reported despite --quiet: {message}"
    );
}
