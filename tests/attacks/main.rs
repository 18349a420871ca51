//! What strangers, users, stores, databases and disks can try: one file for each attack, bounded in time. Each harms nobody else.

mod stores;
