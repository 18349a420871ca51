//! Looking profiles up, for several tasks at once.

use std::collections::HashMap;
use std::hash::Hash;
use std::marker::PhantomData;
use std::sync::Arc;

use store::{Owner, ProfileReference};
use store_profiles::{Profile, ProfileFault};
use tokio_postgres::types::{FromSqlOwned, ToSql};
use uuid::Uuid;

use crate::batcher::{BatchQuery, Batcher};
use crate::connections::Connections;
use crate::fault::Fault;
use crate::row::{self, BY_DOMAIN, BY_REFERENCE, BY_USER};

/// Looks profiles up by unique keys.
pub(crate) struct Lookup {
    references: Batcher<KeyQuery<Uuid>>,
    users: Batcher<KeyQuery<Uuid>>,
    domains: Batcher<KeyQuery<String>>,
}

/// A query for the lines of profiles by keys.
struct KeyQuery<K> {
    statement: &'static str,
    connections: Arc<Connections>,
    _key: PhantomData<fn(K)>,
}

impl Lookup {
    pub(crate) fn new(connections: &Arc<Connections>) -> Self {
        Self {
            references: KeyQuery::batcher(BY_REFERENCE, connections),
            users: KeyQuery::batcher(BY_USER, connections),
            domains: KeyQuery::batcher(BY_DOMAIN, connections),
        }
    }

    pub(crate) async fn get(&self, reference: ProfileReference) -> Result<Option<Profile>, ProfileFault> {
        profile(self.references.run(Uuid::from_bytes(*reference.as_bytes())).await)
    }

    pub(crate) async fn find(&self, owner: &Owner) -> Result<Option<Profile>, ProfileFault> {
        profile(match owner {
            Owner::User(user) => self.users.run(Uuid::from_bytes(*user.as_bytes())).await,
            Owner::Domain(domain) => self.domains.run(domain.as_str().to_owned()).await,
        })
    }
}

fn profile(line: Result<Option<String>, Fault>) -> Result<Option<Profile>, ProfileFault> {
    line?.as_deref().map(row::profile).transpose()
}

impl<K> KeyQuery<K>
where
    Self: BatchQuery,
{
    fn batcher(statement: &'static str, connections: &Arc<Connections>) -> Batcher<Self> {
        Batcher::new(Self { statement, connections: Arc::clone(connections), _key: PhantomData })
    }
}

impl<K: Eq + Hash + FromSqlOwned + ToSql + Send + Sync + 'static> BatchQuery for KeyQuery<K> {
    type Query = K;
    type Answer = Option<String>;

    async fn run(&self, keys: Vec<K>) -> Vec<Result<Option<String>, Fault>> {
        let lines = self.connections.query(self.statement, &[&keys]).await.map(|rows| {
            let lines = rows.iter().map(|row| (row.get::<_, K>(0), row.get::<_, String>(1)));
            lines.collect::<HashMap<_, _>>()
        });
        keys.iter().map(|key| lines.as_ref().map(|lines| lines.get(key).cloned()).map_err(Fault::clone)).collect()
    }
}
