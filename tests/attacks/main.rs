//! What strangers, users, stores, databases and disks can try: one file for each attack, bounded in time. Each harms nobody else.

mod cut_off_directory;
mod damage;
mod lying_database;
mod neighbours;
mod slow_clients;
mod stores;
mod work;
