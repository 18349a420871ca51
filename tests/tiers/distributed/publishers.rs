//! Publications that are refused, and generations that the store keeps.

use std::fs;
use std::thread;
use std::time::Duration;

use support::TestFolder;
use support::machine::{failure, wait_for};

use support::replicas::{Site, succeeded};

/// So slow that another publisher notices this one before it has published a state.
const SLOWLY: &[&str] = &["--rate", "1K"];

#[test]
fn one_of_two_simultaneous_publishers_wins() {
    let (site, other) = (Site::new(), TestFolder::empty());
    let (own, others) = (site.index(1), site.index_in(other.path(), 2));
    let first = site.publish_command(SLOWLY).spawn().expect("the binary");
    let second = site.publish_command_of(other.path(), SLOWLY).spawn().expect("the binary");
    let outputs = [first, second].map(|process| process.wait_with_output().expect("a child"));
    let winners: Vec<_> = outputs.iter().map(|output| output.status.success()).collect();
    assert!(winners == [true, false] || winners == [false, true], "{outputs:?}");
    let (winner, loser) = if winners[0] { (own, &outputs[1]) } else { (others, &outputs[0]) };
    let message = failure(loser);
    assert!(
        message.contains("is publishing to the same object store") || message.contains("another process has published"),
        "{message}"
    );
    let pointer = site.document("CURRENT-proteins").expect("published");
    assert_eq!((&pointer["generation"], &pointer["sequence"]), (&winner.to_string().into(), &1.into()));
    assert!(!site.store().join("LOCK").is_file(), "the lease was given back");
}

#[test]
fn catalogues_without_a_sealed_copy_are_refused_with_a_remedy() {
    let site = Site::new();
    site.index(1);
    site.load_catalogue(&[]);
    let message = failure(&site.publish_command(&[]).output().expect("the binary"));
    assert!(
        message.contains("no sealed copy") && message.contains("`mgdex catalogue load --keep-sealed`"),
        "{message}"
    );
    assert!(!site.store().is_dir(), "nothing was uploaded");
    let printed = site.publish(&["--kinds", "proteins"]);
    assert!(printed.contains("proteins/") && !printed.contains("catalogue"), "{printed}");
    site.load_catalogue(&["--keep-sealed"]);
    assert!(site.publish(&[]).contains("catalogue/"));
}

#[test]
fn publishing_fails_without_data_or_with_an_unwritable_store() {
    let mut site = Site::new();
    let message = failure(&site.publish_command(&[]).output().expect("the binary"));
    assert!(message.contains("nothing to publish"), "{message}");
    site.index(1);
    site.url = "https://mgdex.test/store".to_owned();
    let message = failure(&site.publish_command(&[]).output().expect("the binary"));
    assert!(message.contains("a web server is read-only"), "{message}");
}

#[test]
fn old_generations_are_kept_for_the_grace_period() {
    let site = Site::new();
    let names = [1, 2, 3].map(|number| {
        let name = site.index(number);
        site.publish(&["--keep", "1"]);
        name
    });
    let has = |name| site.document(&format!("generations/proteins/{name}.json")).is_some();
    assert!(names.into_iter().all(has), "all are younger than a day");
    let num_objects = site.objects().len();
    // Ages are whole seconds.
    thread::sleep(Duration::from_secs(3));
    let printed = site.publish(&["--keep", "2", "--grace", "1s", "--dry-run"]);
    assert!(
        printed.contains(&format!("{}.json would be removed", names[0])) && site.objects().len() == num_objects,
        "{printed}"
    );
    site.publish(&["--keep", "2", "--grace", "1s"]);
    assert_eq!(names.map(has), [false, true, true]);
    assert!(site.objects().len() < num_objects);
    site.publish(&["--keep", "1", "--grace", "1s"]);
    assert_eq!(names.map(has), [false, false, true]);
    let folder = TestFolder::empty();
    support::replicas::wait_until_served(&site.replica(folder.path()), names[2]);
}

#[test]
fn killed_publishers_publish_nothing_and_the_next_run_continues() {
    let (site, folder) = (Site::new(), TestFolder::empty());
    let first = site.publish_state(1);
    let replica = site.replica(folder.path());
    support::replicas::wait_until_served(&replica, first);
    let num_before = site.objects().len();
    let second = site.index(2);
    let mut publisher = site.publish_command(SLOWLY).spawn().expect("the binary");
    wait_for("some objects", || (site.objects().len() > num_before + 2).then_some(()));
    publisher.kill().expect("a child");
    publisher.wait().expect("a child");
    let is_current = |name: store::GenerationName| {
        site.document("CURRENT-proteins").expect("published")["generation"] == name.to_string()
    };
    assert!(is_current(first) && site.store().join("LOCK").is_file());
    assert_eq!(support::replicas::served_state(&replica), 1);
    let num_uploaded = site.objects().len() - num_before;
    let printed = succeeded(&site.publish_command(&[]).output().expect("the binary"));
    let num_left: usize =
        printed.split("number 2: ").nth(1).and_then(|rest| rest.split(' ').next()?.parse().ok()).expect("a number");
    assert_eq!(site.objects().len() - num_before, num_uploaded + num_left, "what was there is not uploaded again");
    assert!(is_current(second) && fs::read_dir(site.store()).expect("there").count() == 3);
    support::replicas::wait_until_served(&replica, second);
    assert_eq!(support::replicas::served_state(&replica), 2);
}
