//! Finding profiles, for several tasks at once.

use std::collections::HashMap;
use std::hash::Hash;
use std::marker::PhantomData;
use std::sync::Arc;

use store::{Owner, Profile, ProfileFault, ProfileReference};
use tokio_postgres::types::{FromSqlOwned, ToSql};
use uuid::Uuid;

use crate::connections::Connections;
use crate::fault::Fault;
use crate::row::{self, BY_DOMAIN, BY_REFERENCE, BY_USER};
use crate::together::{Inquiry, Together};

/// Finds profiles by what only one of them has.
pub(crate) struct Lookup {
    references: Together<By<Uuid>>,
    users: Together<By<Uuid>>,
    domains: Together<By<String>>,
}

/// A question for the lines of profiles, by keys.
struct By<K> {
    question: &'static str,
    connections: Arc<Connections>,
    _key: PhantomData<fn(K)>,
}

impl Lookup {
    pub(crate) fn new(connections: &Arc<Connections>) -> Self {
        Self {
            references: By::together(BY_REFERENCE, connections),
            users: By::together(BY_USER, connections),
            domains: By::together(BY_DOMAIN, connections),
        }
    }

    pub(crate) async fn get(&self, reference: ProfileReference) -> Result<Option<Profile>, ProfileFault> {
        profile(self.references.ask(Uuid::from_bytes(*reference.as_bytes())).await)
    }

    pub(crate) async fn find(&self, owner: &Owner) -> Result<Option<Profile>, ProfileFault> {
        profile(match owner {
            Owner::User(user) => self.users.ask(Uuid::from_bytes(*user.as_bytes())).await,
            Owner::Domain(domain) => self.domains.ask(domain.as_str().to_owned()).await,
        })
    }
}

fn profile(line: Result<Option<String>, Fault>) -> Result<Option<Profile>, ProfileFault> {
    line?.as_deref().map(row::profile).transpose()
}

impl<K> By<K>
where
    Self: Inquiry,
{
    fn together(question: &'static str, connections: &Arc<Connections>) -> Together<Self> {
        Together::new(Self { question, connections: Arc::clone(connections), _key: PhantomData })
    }
}

impl<K: Eq + Hash + FromSqlOwned + ToSql + Send + Sync + 'static> Inquiry for By<K> {
    type Question = K;
    type Answer = Option<String>;

    async fn ask(&self, keys: Vec<K>) -> Vec<Result<Option<String>, Fault>> {
        let lines = self.connections.ask(self.question, &[&keys]).await.map(|rows| {
            let lines = rows.iter().map(|row| (row.get::<_, K>(0), row.get::<_, String>(1)));
            lines.collect::<HashMap<_, _>>()
        });
        keys.iter().map(|key| lines.as_ref().map(|lines| lines.get(key).cloned()).map_err(Fault::clone)).collect()
    }
}
