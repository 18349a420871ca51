//! Power cuts, kills, disks that are full or fail: what was acknowledged is kept.

mod generations_power;
mod profiles_disk;
mod profiles_killed;
mod profiles_power;
mod profiles_synced;
mod strangers;
