//! The requesters of a job. Each has an identifier, a time and a secret, and learns nothing of the
//! others.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use time::OffsetDateTime;
use uuid::Uuid;

/// The most requesters of one job. Beyond that, the client with the most requests loses its
/// first one.
const REQUESTERS_MAX: usize = 1024;

/// The most bytes of the name of a query that are stored.
const NAME_BYTES_MAX: usize = 200;

/// A client that has requested a job, with the data of its request.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Requester {
    pub(super) id: Uuid,
    /// The client whose share of the space it uses.
    pub(super) client: String,
    /// The name of the query, or an empty text.
    #[serde(default)]
    pub(super) name: String,
    #[serde(with = "time::serde::rfc3339")]
    pub(super) created: OffsetDateTime,
    /// A digest of the secret. Earlier versions stored none.
    pub(super) digest: Option<[u8; 32]>,
}

impl Requester {
    /// Creates a requester with a secret, which is not stored.
    pub(super) fn new(client: &str, name: &str) -> (Self, String) {
        let secret = Uuid::new_v4().simple().to_string();
        let (id, client) = (Uuid::new_v4(), client.to_owned());
        let name = name[..name.floor_char_boundary(NAME_BYTES_MAX)].to_owned();
        (Self { id, client, name, created: OffsetDateTime::now_utc(), digest: Some(digest(&secret)) }, secret)
    }
}

/// Returns the digest of a secret, which is stored.
pub(super) fn digest(secret: &str) -> [u8; 32] {
    Sha256::digest(secret).into()
}

/// Adds a requester. Returns the one that is dropped to make room, if any.
pub(super) fn add(all: &mut Vec<Requester>, requester: Requester) -> Option<Uuid> {
    all.push(requester);
    if all.len() <= REQUESTERS_MAX {
        return None;
    }
    let mut nums = HashMap::<_, usize>::new();
    for requester in &*all {
        *nums.entry(&requester.client).or_default() += 1;
    }
    // The last maximum is used, which is the first one in the original order.
    let (index, _) = all.iter().enumerate().rev().max_by_key(|(_, requester)| nums[&requester.client])?;
    Some(all.remove(index).id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_frequent_requesters_are_dropped_first() {
        let mut all = Vec::new();
        let mut ask = |client| {
            let (requester, _) = Requester::new(client, "");
            (requester.id, add(&mut all, requester))
        };
        let first: Vec<_> = ["a", "b", "b"].into_iter().cycle().take(REQUESTERS_MAX).map(&mut ask).collect();
        assert!(first.iter().all(|(_, dropped)| dropped.is_none()));
        let dropped: Vec<_> = (0..3).filter_map(|_| ask("c").1).collect();
        assert_eq!(dropped, [1, 2, 4].map(|index| first[index].0));
        assert_eq!(all.len(), REQUESTERS_MAX);
    }
}
