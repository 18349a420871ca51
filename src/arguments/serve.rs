//! `mgdex serve`.

use std::net::SocketAddr;

use clap::builder::FalseyValueParser;
use clap::{Args, value_parser};

use super::{DataFolder, ProfileServiceArguments};
use crate::size::Size;

/// How to serve.
#[derive(Clone, Debug, Args)]
pub(crate) struct ServeArguments {
    /// Where the data are.
    #[command(flatten)]
    pub(crate) data: DataFolder,
    /// The address to serve on; port 0 takes any free one
    #[arg(long, env = "MGDEX_LISTEN", value_name = "ADDR", default_value = "127.0.0.1:8080")]
    pub(crate) listen: SocketAddr,
    /// The address to serve measurements for Prometheus on [default: none]
    #[arg(long, env = "MGDEX_METRICS", value_name = "ADDR")]
    pub(crate) metrics: Option<SocketAddr>,
    /// The public address in links [default: scheme and host of each request]
    #[arg(long, env = "MGDEX_BASE_URL", value_name = "URL")]
    pub(crate) base_url: Option<String>,
    /// Believe X-Forwarded-Proto, X-Forwarded-Host and X-Forwarded-For: only behind a proxy that sets them
    #[arg(long, env = "MGDEX_TRUST_PROXY", value_parser = FalseyValueParser::new())]
    pub(crate) trust_proxy: bool,
    /// The longest URI that is accepted
    #[arg(long, env = "MGDEX_MAX_URI", value_name = "SIZE", default_value = "8K")]
    pub(crate) max_uri: Size,
    /// How many connections may be open before idle ones are closed for new ones
    #[arg(long, env = "MGDEX_MAX_CONNECTIONS", value_name = "N", default_value_t = 4096, value_parser = value_parser!(u32).range(1..))]
    pub(crate) max_connections: u32,
    /// How many requests to each service may be under way before more are refused with 503
    #[arg(long, env = "MGDEX_MAX_REQUESTS", value_name = "N", default_value_t = 512, value_parser = value_parser!(u32).range(1..))]
    pub(crate) max_requests: u32,
    /// The memory that answers of a service may take which are being made or were not read yet, before large ones are refused with 503
    #[arg(long, env = "MGDEX_ANSWER_MEMORY", value_name = "SIZE", default_value = "256M")]
    pub(crate) answer_memory: Size,
    /// The share of connections and requests that one client may have, in percent
    #[arg(long, env = "MGDEX_CLIENT_SHARE", value_name = "PERCENT", default_value_t = 50, value_parser = value_parser!(u32).range(1..=100))]
    pub(crate) client_share: u32,
    /// How profiles are served.
    #[command(flatten)]
    pub(crate) profiles: ProfileServiceArguments,
}
