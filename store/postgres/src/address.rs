//! The address of a database, and how connections to it are set up.

use std::str::FromStr;
use std::time::Duration;

use tokio_postgres::Config;
use tokio_postgres::config::{LoadBalanceHosts, SslMode, TargetSessionAttrs};

/// For each host, unless the address says otherwise.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);

/// How long sent data may stay without an answer of the other machine, and how long a connection may be silent before it is probed.
const SILENCE_MAX: Duration = Duration::from_secs(10);

/// The pause between probes: that silence is too long is noticed at the next one.
const PROBE_INTERVAL: Duration = Duration::from_secs(2);

const APPLICATION: &str = "mgdex";

/// Bounds of a session. The address may say otherwise.
const BOUNDS: &str = "-c statement_timeout=10s -c idle_in_transaction_session_timeout=60s";

/// Statements are planned once a connection, while tables may still be empty. Each has an index that serves it whatever they grow to.
const PLANS: &str = "-c plan_cache_mode=force_generic_plan -c enable_seqscan=off";

/// What no address can change: a commit is answered when it is on the disk, and on that of a synchronous standby if there is one.
const DURABILITY: &str = "-c synchronous_commit=on";

/// The address of a database, `postgres://user:password@h1,h2,h3/database?…`, with the parameters of libpq that tokio-postgres knows. Of several
/// hosts, the one that accepts writes is used.
///
/// ```
/// let address: postgres_profiles::DatabaseAddress = "postgres://mgdex@db1,db2/mgdex?sslmode=require".parse()?;
/// assert_eq!(address.to_string(), "mgdex on db1, db2");
/// # Ok::<(), postgres_profiles::AddressError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatabaseAddress(Box<Config>);

/// The error for a text that is not the address of a database.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it is not an address of the form postgres://user:password@host/database: {0}")]
pub struct AddressError(String);

impl FromStr for DatabaseAddress {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if !["postgres://", "postgresql://"].iter().any(|scheme| text.starts_with(scheme)) {
            return Err(AddressError("it does not begin with postgres://".to_owned()));
        }
        // The error of the library names the parameter, but no value.
        let config: Config = text.parse().map_err(|error| AddressError(crate::fault::described(&error)))?;
        if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
            return Err(AddressError("it names no host".to_owned()));
        }
        Ok(Self(Box::new(config)))
    }
}

impl std::fmt::Display for DatabaseAddress {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        use tokio_postgres::config::Host;
        let hosts = self.0.get_hosts().iter().map(|host| match host {
            Host::Tcp(name) => name.clone(),
            Host::Unix(path) => path.display().to_string(),
        });
        let hosts: Vec<_> = hosts.collect();
        let database = self.0.get_dbname().or(self.0.get_user()).unwrap_or("the database");
        write!(formatter, "{database} on {}", hosts.join(", "))
    }
}

impl DatabaseAddress {
    pub(crate) fn is_encrypted(&self) -> bool {
        self.0.get_ssl_mode() != SslMode::Disable
    }

    /// Returns whether there are several servers, one of which leads.
    pub(crate) fn has_several_hosts(&self) -> bool {
        self.0.get_hosts().len().max(self.0.get_hostaddrs().len()) > 1
    }

    /// Returns how connections are made.
    pub(crate) fn session(&self) -> Config {
        let mut config = Config::clone(&self.0);
        config.target_session_attrs(TargetSessionAttrs::ReadWrite);
        // Two may say that they accept writes, and one of them is wrong.
        config.load_balance_hosts(LoadBalanceHosts::Random);
        if config.get_application_name().is_none() {
            config.application_name(APPLICATION);
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT_TIMEOUT);
        }
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(SILENCE_MAX);
        }
        config.keepalives_idle(SILENCE_MAX.min(config.get_keepalives_idle()));
        if config.get_keepalives_interval().is_none() {
            config.keepalives_interval(PROBE_INTERVAL);
        }
        let options = [BOUNDS, PLANS, config.get_options().unwrap_or_default(), DURABILITY].join(" ");
        config.options(options);
        config
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_address_is_refused_without_its_password() {
        for (text, part) in [
            ("db1", "begin with postgres://"),
            ("postgres:///db", "no host"),
            ("postgres://u:secret@h/db?sslmode=maybe", "sslmode"),
            ("postgres://u:secret@h/db?colour=secret", "colour"),
        ] {
            let error = text.parse::<DatabaseAddress>().expect_err("no address").to_string();
            assert!(error.contains(part) && !error.contains("secret"), "{error}");
        }
        let address: DatabaseAddress = "postgres://u:secret@h/db".parse().expect("an address");
        assert!(!format!("{address} {address:?}").contains("secret"));
    }

    #[test]
    fn sessions_write_durably_and_wait_for_nothing_forever() {
        let address = "postgres://h/db?options=-c%20synchronous_commit%3Doff%20-c%20statement_timeout%3D1s";
        let session = address.parse::<DatabaseAddress>().expect("an address").session();
        let options = session.get_options().expect("options");
        let last = |name: &str| options.rsplit(name).next().expect("text").split(' ').next().expect("text").to_owned();
        assert_eq!((last("synchronous_commit="), last("statement_timeout=")), ("on".to_owned(), "1s".to_owned()));
        assert_eq!(session.get_target_session_attrs(), TargetSessionAttrs::ReadWrite);
        assert_eq!(session.get_connect_timeout(), Some(&CONNECT_TIMEOUT));
        assert_eq!(session.get_keepalives_interval(), Some(PROBE_INTERVAL));
    }
}
