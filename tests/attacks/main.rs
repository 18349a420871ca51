//! Attacks by strangers, users, stores, databases and disks: one file each, bounded in time. None harms other clients.

mod cut_off_directory;
mod damage;
mod lying_database;
mod neighbours;
mod slow_clients;
mod stores;
mod work;
