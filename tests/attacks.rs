//! Attacks by strangers, users and disks: one file each, limited in time. They must not harm other
//! clients.

mod bodies;
mod cut_off_directory;
mod damage;
mod neighbours;
mod slow_clients;
mod work;
