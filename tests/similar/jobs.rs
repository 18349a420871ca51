//! Searches that are kept: each runs once, clients take turns, and the next process runs those that
//! were waiting.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value;
use similarity::{Hit, Job, JobLimits, JobState, Jobs, Limits, Order, Query, Refusal, Scope, Selection};
use support::machine::wait_for;

use support::similarity::command::selection;
use support::similarity::engine::{AT_ONCE, WAITS};
use support::similarity::proteins::{QUERY, data};
use support::similarity::site;
use uuid::Uuid;

/// Jobs over the same proteins.
struct Site {
    site: site::Site,
    selection: Selection,
}

impl Site {
    /// Makes a site with a script as its engine.
    fn new(script: &str) -> Self {
        let site = site::Site::with_engine(data(), script);
        Self { selection: selection(&site.data), site }
    }

    fn root(&self) -> PathBuf {
        self.site.searches()
    }

    fn folder(&self, id: Uuid) -> PathBuf {
        self.root().join(self.site.run(&id.to_string()))
    }

    fn open(&self, limits: &JobLimits) -> Jobs {
        let engine = self.site.engine();
        let of_all = self.selection.clone();
        let select = |scope: &Scope| (scope.conditions != "gone").then(|| of_all.clone());
        let open = || Jobs::open(&self.root(), engine.clone(), limits.clone(), &select, Box::new(|| ())).ok();
        // The threads of the previous one are still ending.
        wait_for("the lock", open)
    }

    /// Lets a waiting engine continue.
    fn go(&self) {
        self.site.go();
    }

    fn num_runs(&self) -> usize {
        self.site.num_runs()
    }

    fn order(&self, number: usize) -> Order {
        let generation = self.selection.generation.name();
        let query = Query::fasta(&QUERY[number % 20..]).expect("a sequence").0;
        let conditions = format!("length:[{number} TO *]");
        let (space, engine) = (None, "HMMER".to_owned());
        Order { query, name: String::new(), scope: Scope { conditions, evalue: 1.0, space, generation, engine } }
    }

    fn submit(&self, jobs: &Jobs, client: &str, number: usize) -> Result<Job, Refusal> {
        jobs.submit(client, self.order(number), self.selection.clone(), 300)
    }
}

fn limits() -> JobLimits {
    JobLimits {
        num_running: 2,
        num_waiting: 50,
        num_waiting_of_client: 40,
        num_hits: 10,
        age: Duration::from_hours(24),
        disk_bytes: 1 << 30,
        engine: Limits::default(),
        shared_cpu_time: Duration::MAX,
    }
}

fn find(jobs: &Jobs, id: Uuid) -> Job {
    jobs.find(id).expect("readable").expect("a job")
}

fn wait(jobs: &Jobs, id: Uuid) -> JobState {
    wait_for("the end of a search", || match find(jobs, id).state {
        JobState::Waiting { .. } | JobState::Running { .. } => None,
        ended => Some(ended),
    })
}

/// Removes a job with its secret.
fn remove(jobs: &Jobs, job: &Job) -> bool {
    jobs.remove(job, job.secret.as_deref().expect("a secret")).expect("removable")
}

fn hits(jobs: &Jobs, id: Uuid) -> Vec<Hit> {
    let hits = jobs.hits(&find(jobs, id), 0).expect("readable").expect("hits");
    hits.map(|hit| hit.expect("a hit").0).collect()
}

#[test]
fn jobs_wait_in_the_turn_of_their_remaining_clients_and_are_kept_for_them() {
    let site = Site::new(WAITS);
    let jobs = site.open(&JobLimits { num_running: 1, num_waiting_of_client: 1, ..limits() });
    let submit = |client, number| site.submit(&jobs, client, number);
    submit("a", 0).expect("taken");
    wait_for("the first one", || (site.num_runs() == 1).then_some(()));
    let [of_b, of_c] = ["b", "c"].map(|client| submit(client, 1).expect("taken"));
    submit("c", 2).expect("it is the only one of this client");
    assert!(!jobs.remove(&of_c, of_b.secret.as_deref().expect("a secret")).expect("readable"));
    assert!(remove(&jobs, &of_b) && remove(&jobs, &of_b));
    assert!(matches!(submit("c", 3), Err(Refusal::FullOfClient(2))));
    let of_b = submit("b", 1).expect("known");
    submit("b", 3).expect("none of this client waits");
    site.go();
    for id in [of_b.id, of_c.id] {
        assert!(matches!(wait(&jobs, id), JobState::Done { .. }));
    }
    assert_eq!(site.num_runs(), 4);
}

#[test]
fn each_client_has_its_own_expiry() {
    let site = Site::new(AT_ONCE);
    let jobs = site.open(&limits());
    let [first, second] = ["a", "b"].map(|client| site.submit(&jobs, client, 0).expect("taken"));
    wait(&jobs, first.id);
    let folder = site.folder(first.id);
    drop(jobs);
    for (file, time) in [("job.json", "/asked/0/created"), ("done.json", "/finished")] {
        let path = folder.join(file);
        let mut value: Value = serde_json::from_slice(&fs::read(&path).expect("readable")).expect("JSON");
        *value.pointer_mut(time).expect("a time") = "2020-01-02T03:04:05Z".into();
        fs::write(&path, value.to_string()).expect("writable");
    }
    let jobs = site.open(&limits());
    assert!(jobs.find(first.id).expect("readable").is_none());
    assert!(matches!(wait(&jobs, second.id), JobState::Done { finished, .. } if finished == second.created));
    // The secret is kept across restarts.
    let secret = second.secret.expect("a secret");
    assert!(jobs.remove(&find(&jobs, second.id), &secret).expect("removable"));
    assert!(!folder.try_exists().expect("readable"));
}

#[test]
fn searches_of_earlier_versions_keep_their_names() {
    let site = Site::new(AT_ONCE);
    let jobs = site.open(&limits());
    let job = site.submit(&jobs, "a", 0).expect("taken");
    wait(&jobs, job.id);
    let (run, folder) = (site.site.run(&job.id.to_string()), site.folder(job.id));
    drop(jobs);
    let path = folder.join("job.json");
    let mut kept: Value = serde_json::from_slice(&fs::read(&path).expect("readable")).expect("JSON");
    let clients = kept.as_object_mut().expect("an object").remove("asked").expect("there");
    kept["created"] = clients[0]["created"].clone();
    fs::write(&path, kept.to_string()).expect("writable");
    let jobs = site.open(&limits());
    let id = run.parse().expect("an identifier");
    assert_eq!(hits(&jobs, id).len(), 10);
    assert!(!jobs.remove(&find(&jobs, id), "").expect("readable"));
    let joined = site.submit(&jobs, "b", 0).expect("known");
    assert!(remove(&jobs, &joined) && find(&jobs, id).created == job.created);
    assert_eq!(site.num_runs(), 1);
}

#[test]
fn long_searches_wait_once_for_others_and_then_fail() {
    let site = Site::new("while ! flock -sn GO true; do :; done; exec REAL \"$@\"");
    let shared_cpu_time = Duration::from_millis(200);
    let jobs = site.open(&JobLimits { num_running: 1, shared_cpu_time, ..limits() });
    let ids = [("a", 0), ("b", 1)].map(|(client, number)| site.submit(&jobs, client, number).expect("taken").id);
    // Each is stopped once for the other. Then one of them fails, and nobody is waiting for the
    // other.
    let failed = wait_for("the end of one", || {
        let states = ids.map(|id| find(&jobs, id).state);
        states.iter().position(|state| matches!(state, JobState::Failed { .. }))
    });
    let JobState::Failed { reason, .. } = wait(&jobs, ids[failed]) else { panic!("it has failed") };
    assert!(reason.contains("others are waiting"), "{reason}");
    wait_for("the last run", || (site.num_runs() == 4).then_some(()));
    site.go();
    assert!(matches!(wait(&jobs, ids[1 - failed]), JobState::Done { .. }));
    // Only the result of the stopped search remains.
    assert_eq!(fs::read_dir(site.folder(ids[1 - failed])).expect("a folder").count(), 5);
}

#[test]
fn long_searches_are_not_stopped_for_others_of_the_same_client() {
    let site = Site::new("for i in $(seq 60000); do :; done; exec REAL \"$@\"");
    let jobs = site.open(&JobLimits { num_running: 1, shared_cpu_time: Duration::from_millis(10), ..limits() });
    let ids = [0, 1, 2].map(|number| site.submit(&jobs, "a", number).expect("taken").id);
    assert!(ids.into_iter().all(|id| matches!(wait(&jobs, id), JobState::Done { .. })));
    assert_eq!(site.num_runs(), 3);
}

#[test]
fn searches_expire_after_the_clock_was_set_back() {
    let site = Site::new(AT_ONCE);
    let jobs = site.open(&limits());
    let ahead = site.submit(&jobs, "a", 0).expect("taken").id;
    assert!(matches!(wait(&jobs, ahead), JobState::Done { .. }));
    drop(jobs);
    let path = site.folder(ahead).join("done.json");
    let mut done: Value = serde_json::from_slice(&fs::read(&path).expect("readable")).expect("JSON");
    done["finished"] = "2099-01-02T03:04:05Z".into();
    fs::write(&path, done.to_string()).expect("writable");
    let jobs = site.open(&JobLimits { age: Duration::from_secs(2), ..limits() });
    let old = site.submit(&jobs, "a", 1).expect("taken").id;
    assert!(matches!(wait(&jobs, old), JobState::Done { .. }));
    // Each search that ends removes the expired ones, even if nothing else happens.
    let mut number = 2;
    wait_for("the end of its time", || {
        let new = site.submit(&jobs, "a", number).expect("taken").id;
        number += 1;
        assert!(matches!(wait(&jobs, new), JobState::Done { .. }));
        jobs.find(old).expect("readable").is_none().then_some(())
    });
    assert!(jobs.find(ahead).expect("readable").is_some());
}

#[test]
fn searches_expire_on_idle_servers() {
    let site = Site::new(AT_ONCE);
    let jobs = site.open(&JobLimits { age: Duration::from_secs(1), ..limits() });
    let id = site.submit(&jobs, "a", 0).expect("taken").id;
    wait_for("its end", || (site.num_runs() == 1).then_some(()));
    wait_for("the end of its time", || jobs.find(id).expect("readable").is_none().then_some(()));
}

#[test]
fn damaged_folders_and_folders_in_use_are_not_used() {
    let site = Site::new(AT_ONCE);
    let jobs = site.open(&limits());
    let [good, bad] = [0, 1].map(|number| site.submit(&jobs, "a", number).expect("taken").id);
    for id in [good, bad] {
        assert!(matches!(wait(&jobs, id), JobState::Done { .. }));
    }
    let engine = jobs.engine().clone();
    let refused = Jobs::open(&site.root(), engine, limits(), &|_: &Scope| None, Box::new(|| ()));
    let refused = refused.map(drop).expect_err("it is in use").to_string();
    assert!(refused.contains("another process"), "{refused}");
    drop(jobs);
    fs::write(site.folder(bad).join("job.json"), "{").expect("written");
    let jobs = site.open(&limits());
    assert!(jobs.find(good).expect("readable").is_some() && jobs.find(bad).expect("removed").is_none());
}
