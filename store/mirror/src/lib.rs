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

pub use error::{Error, Result};
pub use follow::{FollowConfig, Follower};
pub use publish::{LocalGenerations, PublishConfig, Published, Report, publish};
pub use remote::Remote;
pub use signature::{SigningKey, VerifyKey};
