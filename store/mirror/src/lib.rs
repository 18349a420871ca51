#![doc = include_str!("../README.md")]

mod blocking;
mod error;
mod follow;
mod foreign;
mod layout;
mod lease;
mod pace;
mod publish;
mod remote;
mod signature;
mod transport;

use std::time::{SystemTime, UNIX_EPOCH};

pub use error::{Error, Result};
pub use follow::{FollowConfig, Follower};
pub use publish::{LocalGenerations, PublishConfig, Published, Report, publish};
pub use remote::Remote;
pub use signature::{SigningKey, VerifyKey};

fn unix_now_s() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
