//! Power cuts, and disks that are full, fail or are write-protected: acknowledged writes are kept.

mod generations_power;
mod profiles_disk;
mod profiles_power;
mod profiles_synced;
mod release_full_disk;
mod replicas_full_disk;
mod rows;
mod searches_full_disk;
