//! Promises that all services keep.

use std::sync::Arc;
use std::sync::mpsc::{self, Sender};

use api_catalogue::LocalCatalogue;
use api_proteins::LocalProteins;
use axum::body::Body;
use axum::extract::Request;
use store::Generations;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use crate::{Api, ServiceConfig, Services};

/// Sends every logged URI to a channel.
struct Uris(Sender<String>);

impl Subscriber for Uris {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        event.record(&mut UriVisitor(&self.0));
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// Finds the URI of a log line.
struct UriVisitor<'a>(&'a Sender<String>);

impl Visit for UriVisitor<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        if field.name() == "uri" {
            self.0.send(format!("{value:?}")).expect("somebody who reads");
        }
    }
}

#[tokio::test]
async fn search_values_of_users_are_never_logged() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let generations = || Generations::new(folder.path().join("none"));
    let services = Services {
        similarity: Arc::default(),
        proteins: Arc::new(LocalProteins::open(generations()).expect("nothing")),
        catalogue: Arc::new(LocalCatalogue::open(generations()).expect("nothing")),
        profiles: None,
    };
    let api = Api::new(&services, &ServiceConfig::default());
    let (log, lines) = mpsc::channel();
    let _logging = tracing::subscriber::set_default(Uris(log));
    for (uri, expected) in [
        ("/users/profile/email?value=a%40x.org", "/users/profile/email"),
        ("//users/profile/email?value=a%40x.org", "//users/profile/email"),
        ("/%75sers/profile/email?value=a%40x.org", "/%75sers/profile/email"),
        ("/x/../users/profile/email?value=a%40x.org", "/x/../users/profile/email"),
        ("/metagenomics/proteins/api/v1/users/profile?value=a", "/metagenomics/proteins/api/v1/users/profile"),
        ("/profiles/openapi.json?x=1", "/profiles/openapi.json"),
        ("/readyz?x=1", "/readyz?x=1"),
        (
            "/metagenomics/proteins/api/v1/protein/search?limit=1",
            "/metagenomics/proteins/api/v1/protein/search?limit=1",
        ),
        ("/metagenomics/api/v1/studies?page=2", "/metagenomics/api/v1/studies?page=2"),
        (
            "/metagenomics/api/v1/studies?Token=a&page=2&access%5Ftoken=b",
            "/metagenomics/api/v1/studies?Token=***&page=2&access%5Ftoken=***",
        ),
        ("/\u{85}\u{202e}x", "/%C2%85%E2%80%AEx"),
        ("/readyz?\u{9b}", "/readyz?%C2%9B"),
    ] {
        let request = Request::get(uri).header("host", "mgdex.test").body(Body::empty()).expect("a request");
        api.answer(request).await;
        assert_eq!(lines.try_iter().collect::<Vec<_>>(), [expected], "{uri}");
    }
}
