//! The address of a database, and the settings of its connections.

use std::net::IpAddr;
use std::str::FromStr;
use std::time::Duration;

use tokio_postgres::Config;
use tokio_postgres::config::{Host, LoadBalanceHosts, SslMode, SslNegotiation, TargetSessionAttrs};

use crate::connector::Handshake;

/// For each host, unless the address has another value.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);

/// The longest time without an acknowledgement of sent data, and the silence after which a
/// connection is probed.
const SILENCE_MAX: Duration = Duration::from_secs(10);

/// The pause between probes: a silence that is too long is noticed at the next probe.
const PROBE_INTERVAL: Duration = Duration::from_secs(2);

const APPLICATION: &str = "mgdex";

/// Limits of a session. The address may have other values.
const BOUNDS: &str = "-c statement_timeout=10s -c idle_in_transaction_session_timeout=60s";

/// Statements are planned once for each connection, while tables may still be empty. Each statement
/// has an index that suits it at any size of the tables.
const PLANS: &str = "-c plan_cache_mode=force_generic_plan -c enable_seqscan=off";

/// No address can change this: a commit is answered when it is on the disk, and on that of a
/// synchronous standby if there is one.
const DURABILITY: &str = "-c synchronous_commit=on";

/// The address of a database, `postgres://user:password@h1,h2,h3/database?…`, with the parameters
/// of libpq that tokio-postgres knows. Of several hosts, the one that accepts writes is used.
/// Connections to other machines are encrypted, unless the address disables that and has no
/// password.
///
/// ```
/// let address: store_postgres::DatabaseAddress = "postgres://mgdex@db1,db2/mgdex?sslmode=require".parse()?;
/// assert_eq!(address.to_string(), "mgdex on db1, db2");
/// # Ok::<(), store_postgres::AddressError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatabaseAddress(Box<Config>);

/// The error for a text that is not the address of a database, or for an address whose password
/// would be sent unencrypted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// The text has another form.
    #[error("it is not an address of the form postgres://user:password@host/database: {0}")]
    Form(String),
    /// Anyone on the way to this host could read the password.
    #[error("the password could be sent unencrypted to {0}: use sslmode=require, or no password")]
    InClear(String),
}

impl FromStr for DatabaseAddress {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let form = |problem: &str| AddressError::Form(problem.to_owned());
        if !["postgres://", "postgresql://"].iter().any(|scheme| text.starts_with(scheme)) {
            return Err(form("it does not begin with postgres://"));
        }
        // The error of the library names the parameter, but no value.
        let mut config: Config = text.parse().map_err(|error| form(&crate::fault::described(&error)))?;
        if config.get_hosts().is_empty() {
            for address in config.get_hostaddrs().to_vec() {
                config.host(address.to_string());
            }
        }
        if config.get_hosts().is_empty() {
            return Err(form("it has no host"));
        }
        if let Some(host) = other_machine(&config) {
            if !names_ssl_mode(text) {
                config.ssl_mode(SslMode::Require);
            } else if config.get_ssl_mode() != SslMode::Require && config.get_password().is_some() {
                return Err(AddressError::InClear(host));
            }
        }
        Ok(Self(Box::new(config)))
    }
}

/// Returns the first host that is not this machine itself.
fn other_machine(config: &Config) -> Option<String> {
    let addresses = config.get_hostaddrs().iter().copied().map(Some).chain(std::iter::repeat(None));
    let other = config.get_hosts().iter().zip(addresses).find_map(|(host, address)| match host {
        Host::Tcp(name) => {
            let address = address.or_else(|| name.parse::<IpAddr>().ok());
            let is_here = address
                .map_or_else(|| name.eq_ignore_ascii_case("localhost"), |address| address.to_canonical().is_loopback());
            (!is_here).then_some(name)
        }
        Host::Unix(_) => None,
    });
    other.cloned()
}

/// Returns whether an address has the parameter. The library does not distinguish its default from
/// an explicit value that is the same.
fn names_ssl_mode(text: &str) -> bool {
    let parameters = text.split_once('?').map_or("", |(_, parameters)| parameters);
    parameters.split('&').any(|parameter| parameter.starts_with("sslmode="))
}

impl std::fmt::Display for DatabaseAddress {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
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

    /// Returns whether there are several servers. One of them is the leader.
    pub(crate) fn has_several_hosts(&self) -> bool {
        self.0.get_hosts().len().max(self.0.get_hostaddrs().len()) > 1
    }

    /// Returns whether all servers are reached over the network, and not through a socket of this
    /// machine.
    fn is_network(&self) -> bool {
        self.0.get_hosts().iter().all(|host| matches!(host, Host::Tcp(_)))
    }

    /// Returns the handshake of the encryption, for connections that [`DatabaseAddress::session`]
    /// leaves to [`crate::connector`].
    pub(crate) fn handshake(&self) -> Handshake {
        match (self.0.get_ssl_mode(), self.0.get_ssl_negotiation()) {
            // By then, the library has asked the server.
            _ if !self.is_network() => Handshake::Begun,
            (SslMode::Disable, _) => Handshake::Never,
            (_, SslNegotiation::Direct) => Handshake::Begun,
            (SslMode::Prefer, _) => Handshake::IfOffered,
            _ => Handshake::Needed,
        }
    }

    /// Returns the settings of the connections.
    pub(crate) fn session(&self) -> Config {
        let mut config = Config::clone(&self.0);
        if self.is_network() {
            // The connector then sees each stream, encrypted or not.
            config.ssl_mode(SslMode::Require).ssl_negotiation(SslNegotiation::Direct);
        }
        config.target_session_attrs(TargetSessionAttrs::ReadWrite);
        // Two servers may claim to accept writes, and one of them is wrong.
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
    fn invalid_addresses_are_rejected_without_their_password() {
        for (text, part) in [
            ("db1", "begin with postgres://"),
            ("postgres:///db", "no host"),
            ("postgres://u:secret@db1/db?sslmode=prefer", "db1"),
            ("postgres://u:secret@db1/db?sslmode=disable", "db1"),
            ("postgres://u@localhost,10.0.0.1/db?password=secret&sslmode=disable", "10.0.0.1"),
            ("postgres://u:secret@localhost/db?hostaddr=10.0.0.1&sslmode=disable", "localhost"),
            ("postgres://u:secret@0.0.0.0/db?sslmode=prefer", "0.0.0.0"),
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
    fn connections_to_other_machines_are_encrypted_by_default() {
        for (text, expected) in [
            ("postgres://u:p@db1/db", Handshake::Needed),
            ("postgres://u:p@db1/db?%73slmode=disable", Handshake::Needed),
            ("postgres://u:p@db1/db?sslmode=require", Handshake::Needed),
            ("postgres://u:p@db1/db?sslmode=require&sslnegotiation=direct", Handshake::Begun),
            ("postgres://u:p@localhost,db1/db", Handshake::Needed),
            ("postgres://u:p@127.0.0.1/db?hostaddr=10.0.0.1", Handshake::Needed),
            ("postgres:///db?hostaddr=10.0.0.1", Handshake::Needed),
            ("postgres://u@db1/db?sslmode=disable", Handshake::Never),
            ("postgres://u@db1/db?sslmode=prefer", Handshake::IfOffered),
            ("postgres://u:p@localhost/db", Handshake::IfOffered),
            ("postgres://u:p@[::1],127.0.0.9/db?sslmode=disable", Handshake::Never),
            ("postgres://u:p@db1/db?hostaddr=127.0.0.1&sslmode=disable", Handshake::Never),
            // The library requests encryption there.
            ("postgres://u:p@%2Frun%2Fpostgresql/db", Handshake::Begun),
        ] {
            assert_eq!(text.parse::<DatabaseAddress>().map(|address| address.handshake()), Ok(expected), "{text}");
        }
    }

    #[test]
    fn sessions_write_durably_and_have_time_limits() {
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
