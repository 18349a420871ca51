//! The store itself.

use std::sync::Arc;

use store_profiles::{AttributeChange, Permission, Precondition, Profiles};

use crate::clients::{self, Rate};
use crate::corpus::Corpus;

/// Measures reads of profiles.
pub(crate) fn reads(profiles: &Profiles, corpus: &Corpus, num_clients: usize) -> Rate {
    let per_second = clients::rate(num_clients, |client| {
        let mut choose = corpus.choose(client);
        move || assert!(profiles.get(choose()).expect("a sound store").is_some())
    });
    Rate { per_second, writes_per_sync: None }
}

/// Measures changes of profiles, each of which is synced before the client continues.
pub(crate) fn writes(profiles: &Profiles, corpus: &Corpus, num_clients: usize) -> Rate {
    let client = |client| {
        let mut choose = corpus.choose(client);
        let anybody: Permission = Arc::new(|| true);
        let mut number = 0;
        move || {
            number += 1;
            let attributes = [("cost_center", format!("NEW{client:03}-{number}"))].into_iter().collect();
            let change = AttributeChange::Merge(attributes);
            profiles.change(choose(), change, Precondition::None, &anybody).expect("nothing refuses it");
        }
    };
    clients::of_writes(|| profiles.state(), || clients::rate(num_clients, client))
}
