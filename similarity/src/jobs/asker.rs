//! The askers of a job. Each has an identifier, a time and a secret, and learns nothing of the others.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use time::OffsetDateTime;
use uuid::Uuid;

/// The most who have asked for one job. Beyond, the client who has asked most often loses what was asked first.
const ASKED_MAX: usize = 1024;

/// The most bytes of the name of a query that are kept.
const NAME_BYTES_MAX: usize = 200;

/// One who has asked.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Asked {
    pub(super) id: Uuid,
    /// Whose share of the space it takes.
    pub(super) client: String,
    /// The name that it has for the query, or an empty text.
    #[serde(default)]
    pub(super) name: String,
    #[serde(with = "time::serde::rfc3339")]
    pub(super) created: OffsetDateTime,
    /// A digest of the secret. Earlier versions had none.
    pub(super) digest: Option<[u8; 32]>,
}

impl Asked {
    /// Returns one with a secret, which is not kept.
    pub(super) fn new(client: &str, name: &str) -> (Self, String) {
        let secret = Uuid::new_v4().simple().to_string();
        let (id, client) = (Uuid::new_v4(), client.to_owned());
        let name = name[..name.floor_char_boundary(NAME_BYTES_MAX)].to_owned();
        (Self { id, client, name, created: OffsetDateTime::now_utc(), digest: Some(digest(&secret)) }, secret)
    }
}

/// Returns what is kept of a secret.
pub(super) fn digest(secret: &str) -> [u8; 32] {
    Sha256::digest(secret).into()
}

/// Adds one. Returns who is dropped for that, if somebody is.
pub(super) fn add(all: &mut Vec<Asked>, asked: Asked) -> Option<Uuid> {
    all.push(asked);
    if all.len() <= ASKED_MAX {
        return None;
    }
    let mut nums = HashMap::<_, usize>::new();
    for asked in &*all {
        *nums.entry(&asked.client).or_default() += 1;
    }
    // The last one of equals is taken, which is the first one from behind.
    let (index, _) = all.iter().enumerate().rev().max_by_key(|(_, asked)| nums[&asked.client])?;
    Some(all.remove(index).id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_asks_most_often_makes_room_for_others() {
        let mut all = Vec::new();
        let mut ask = |client| {
            let (asked, _) = Asked::new(client, "");
            (asked.id, add(&mut all, asked))
        };
        let first: Vec<_> = ["a", "b", "b"].into_iter().cycle().take(ASKED_MAX).map(&mut ask).collect();
        assert!(first.iter().all(|(_, dropped)| dropped.is_none()));
        let dropped: Vec<_> = (0..3).filter_map(|_| ask("c").1).collect();
        assert_eq!(dropped, [1, 2, 4].map(|index| first[index].0));
        assert_eq!(all.len(), ASKED_MAX);
    }
}
