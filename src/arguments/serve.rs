//! `mgdex serve`.

use std::net::SocketAddr;

use clap::builder::FalseyValueParser;
use clap::{Args, value_parser};

use super::{DataFolder, ProfileServiceArguments};
use crate::size::Size;

#[derive(Clone, Debug, Args)]
pub(crate) struct ServeArguments {
    #[command(flatten)]
    pub(crate) data: DataFolder,
    /// Address to serve on; port 0 takes any free port
    #[arg(long, env = "MGDEX_LISTEN", value_name = "ADDR", default_value = "127.0.0.1:8080")]
    pub(crate) listen: SocketAddr,
    /// Address to serve Prometheus metrics on [default: none]
    #[arg(long, env = "MGDEX_METRICS", value_name = "ADDR")]
    pub(crate) metrics: Option<SocketAddr>,
    /// Base URL of links in answers [default: scheme and host of each request]
    #[arg(long, env = "MGDEX_BASE_URL", value_name = "URL")]
    pub(crate) base_url: Option<String>,
    /// Trust X-Forwarded-Proto, X-Forwarded-Host and X-Forwarded-For. Use this only behind a proxy that sets them
    #[arg(long, env = "MGDEX_TRUST_PROXY", value_parser = FalseyValueParser::new())]
    pub(crate) trust_proxy: bool,
    /// Maximum length of a URI
    #[arg(long, env = "MGDEX_MAX_URI", value_name = "SIZE", default_value = "8K")]
    pub(crate) max_uri: Size,
    /// Maximum number of open connections; beyond it, idle connections are closed to make room for new ones
    #[arg(long, env = "MGDEX_MAX_CONNECTIONS", value_name = "N", default_value_t = 4096, value_parser = value_parser!(u32).range(1..))]
    pub(crate) max_connections: u32,
    /// Maximum number of concurrent requests to each service; further ones are refused with 503
    #[arg(long, env = "MGDEX_MAX_REQUESTS", value_name = "N", default_value_t = 512, value_parser = value_parser!(u32).range(1..))]
    pub(crate) max_requests: u32,
    /// Memory for the answers of each service that are being made or sent; beyond it, large answers are refused with 503
    #[arg(long, env = "MGDEX_ANSWER_MEMORY", value_name = "SIZE", default_value = "256M")]
    pub(crate) answer_memory: Size,
    /// Share of connections and of requests that one client may have, in percent
    #[arg(long, env = "MGDEX_CLIENT_SHARE", value_name = "PERCENT", default_value_t = 50, value_parser = value_parser!(u32).range(1..=100))]
    pub(crate) client_share: u32,
    #[command(flatten)]
    pub(crate) profiles: ProfileServiceArguments,
}
