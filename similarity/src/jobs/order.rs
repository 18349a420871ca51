//! Orders of jobs, and the identifiers that follow from them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use store::GenerationName;
use uuid::{Builder, Uuid};

use crate::Query;

/// The order of a job. Equal orders are one job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Order {
    /// The query.
    pub query: Query,
    /// The requester's name of the query, or an empty text. Orders that differ only in it are one
    /// job.
    #[serde(skip)]
    pub name: String,
    /// The selection and the parameters.
    pub scope: Scope,
}

/// The proteins that are searched, and the parameters of the search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scope {
    /// The conditions that select the proteins, as they were written.
    pub conditions: String,
    /// The highest E-value of a hit.
    pub evalue: f64,
    /// The database size used for E-values: `None` for the number of searched proteins.
    pub space: Option<u64>,
    /// The generation of the proteins.
    pub generation: GenerationName,
    /// The engine and its version.
    pub engine: String,
}

/// The identifier of a job, which is computed from the order. It has the form of a random UUID.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct JobId(pub(super) Uuid);

impl Order {
    /// Returns the identifier.
    ///
    /// # Panics
    ///
    /// * The E-value is not a number.
    pub(super) fn id(&self) -> JobId {
        let text = serde_json::to_vec(self).expect("all members have JSON");
        let digest: [u8; 32] = Sha256::digest(text).into();
        let (bytes, _) = digest.split_first_chunk().expect("32 bytes");
        JobId(Builder::from_random_bytes(*bytes).into_uuid())
    }
}

impl fmt::Display for JobId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl FromStr for JobId {
    type Err = uuid::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_parts_of_an_order_affect_its_id() {
        let generation = |digit: &str| format!("gen-{}", digit.repeat(8) + "-0000-4000-8000-000000000000").parse();
        let scope = Scope {
            conditions: "pfam:PF00005".to_owned(),
            evalue: 1e-3,
            space: None,
            generation: generation("1").expect("a name"),
            engine: "HMMER 3.3.2".to_owned(),
        };
        let order = Order { query: Query::Sequence("MKV".to_owned()), name: String::new(), scope: scope.clone() };
        let within = |scope| Order { scope, ..order.clone() };
        let orders = [
            order.clone(),
            Order { query: Query::Sequence("MKW".to_owned()), ..order.clone() },
            Order { query: Query::Profile { text: "MKV".to_owned(), num_positions: 3 }, ..order.clone() },
            within(Scope { conditions: String::new(), ..scope.clone() }),
            within(Scope { evalue: 1e-4, ..scope.clone() }),
            within(Scope { space: Some(3), ..scope.clone() }),
            within(Scope { generation: generation("2").expect("a name"), ..scope.clone() }),
            within(Scope { engine: "HMMER 3.4".to_owned(), ..scope.clone() }),
        ];
        let mut ids: Vec<JobId> = orders.iter().map(Order::id).collect();
        assert_eq!(ids[0], order.id());
        assert_eq!((ids[0].0.get_version_num(), ids[0].to_string().parse()), (4, Ok(ids[0])));
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), orders.len());
        assert_eq!(Order { name: "mine".to_owned(), ..order.clone() }.id(), order.id());
        let text = serde_json::to_string(&order).expect("JSON");
        assert_eq!(serde_json::from_str::<Order>(&text).expect("an order"), order);
    }
}
