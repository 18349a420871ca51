//! Harvests that are impossible or would lose data end with a message, and leave the existing
//! files.

use std::path::Path;
use std::time::Duration;

use support::HttpServer;
use tempfile::TempDir;

use super::documents::{Documents, SMALL};
use super::server::{FaultyServer, Moment, Plan};
use super::{fail, files, harvest, succeed};

/// Harvests that begin with a good one, whose folder no other changes.
struct Site {
    server: FaultyServer,
    folder: TempDir,
}

impl Site {
    fn new() -> Self {
        Self::with(Plan::default())
    }

    fn with(plan: Plan) -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let site = Self { server: FaultyServer::start(&Documents::of_studies(&SMALL).publish(), plan), folder };
        succeed(&mut harvest(&site.server.url(), site.to(), &[]));
        site
    }

    fn to(&self) -> &Path {
        self.folder.path()
    }

    /// Runs a harvest that must fail with a message that has some words.
    fn refuse(&self, url: &str, more: &[&str], words: &[&str]) {
        let (before, report) = (files(self.to()), super::report(self.to()));
        let message = fail(&mut harvest(url, self.to(), more));
        assert!(words.iter().all(|word| message.contains(word)), "{words:?}: {message}");
        assert!((before, report) == (files(self.to()), super::report(self.to())), "{message}");
    }

    fn since(&self) -> [&str; 2] {
        ["--since", self.to().to_str().expect("text")]
    }
}

#[test]
fn servers_that_lost_most_studies_are_refused() {
    let changes = vec![(usize::MAX, Documents::of_studies(&SMALL[..5]).publish())];
    let site = Site::with(Plan { changes, ..Plan::default() });
    site.server.change();
    site.refuse(&site.server.url(), &site.since(), &["studies", "--allow-shrink"]);
    site.server.take();
    succeed(&mut harvest(&site.server.url(), site.to(), &[&site.since()[..], &["--allow-shrink"]].concat()));
    assert_eq!(site.server.take().len(), 0, "it has the answers");
    assert_eq!(super::lines(site.to(), "studies").len(), 5);
}

#[test]
fn unfinished_harvests_resume_with_their_own_options_only() {
    let site = Site::new();
    site.server.take();
    let mut client = harvest(&site.server.url(), site.to(), &[]);
    assert!(site.server.kill_at(20, Moment::Before, Duration::ZERO, &mut client));
    site.refuse(&site.server.url(), &["--analyses", "none"], &["harvest.unfinished", "--analyses lists"]);
    site.refuse(&site.server.url(), &site.since(), &["harvest.unfinished"]);
    let other = FaultyServer::start(&Documents::of_studies(&SMALL[..2]).publish(), Plan::default());
    site.refuse(&other.url(), &[], &["harvest.unfinished"]);
    assert_eq!(other.take().len(), 0);
    succeed(&mut harvest(&site.server.url(), site.to(), &[]));
}

#[test]
fn older_harvests_with_other_contents_are_refused() {
    let site = Site::new();
    site.refuse(
        &site.server.url(),
        &[&site.since()[..], &["--analyses", "details"]].concat(),
        &["--analyses lists", "leave out --since"],
    );
    let other = FaultyServer::start(&Documents::of_studies(&SMALL[..2]).publish(), Plan::default());
    site.refuse(&other.url(), &site.since(), &["--from", &site.server.url(), "leave out --since"]);
}

#[test]
fn unreachable_servers_end_the_harvest() {
    let site = Site::new();
    let down = HttpServer::with_answer("");
    let url = format!("http://{}/metagenomics/api/v2", down.address());
    drop(down);
    site.refuse(&url, &[], &[&url, "does not answer", "run the same command again"]);
    let site = Site::new();
    let page = "<!doctype html><title>Maintenance</title>";
    let head =
        format!("HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: {}\r\nconnection: close", page.len());
    let other = HttpServer::with_answer(format!("{head}\r\n\r\n{page}"));
    let url = format!("http://{}", other.address());
    site.refuse(&url, &[], &["text/html", "run the same command again"]);
    assert!((4..100).contains(&other.num_requests()), "{}", other.num_requests());
}
