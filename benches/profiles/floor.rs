//! The floor that the disk sets: appends that are synced one by one.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use crate::clients;

/// The approximate size of a profile.
const APPEND: [u8; 256] = [b'x'; 256];

/// Measures appends a second to a file in a folder.
pub(crate) fn appends_per_second(folder: &Path) -> f64 {
    let path = folder.join("appends");
    let rate = clients::rate(1, |_| {
        let mut file = File::create(&path).expect("writable");
        move || {
            file.write_all(&APPEND).expect("room");
            file.sync_data().expect("a disk");
        }
    });
    std::fs::remove_file(&path).expect("written before");
    rate
}
