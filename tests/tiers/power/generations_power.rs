//! Power cuts while generations are published, on a disk without a volatile cache.
//!
//! The promise: once `mgdex index` has acknowledged a generation, opening the folder after a power
//! cut gives that generation or a newer one, whole.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use rand::RngExt;
use rand::rngs::StdRng;
use store::GenerationName;
use support::machine::{Disk, Inputs, acknowledged, current, leftovers, or_skip, seeded};

/// Cuts one after the other on one disk.
const CUTS_IN_SERIES: usize = 12;

/// Cuts on a new disk each.
const CUTS_OF_NEW_DISKS: usize = 8;

/// Files that are written without care, to see that the cut is real.
const CARELESS_ROUNDS: usize = 8;

/// The interval at which a publishing process is checked.
const LOOK_INTERVAL: Duration = Duration::from_micros(200);

/// A disk and the generations published on it.
struct Site {
    disk: Disk,
    inputs: Inputs,
    data: PathBuf,
    /// The number of the next state.
    next: u64,
    /// The last acknowledged generation, and the state that it holds.
    acknowledged: Option<(GenerationName, u64)>,
}

impl Site {
    /// Makes an empty site. The data folder does not exist yet.
    fn new() -> Result<Self, String> {
        let disk = Disk::new()?;
        let data = disk.path().join("new/data");
        Ok(Self { disk, inputs: Inputs::new(), data, next: 1, acknowledged: None })
    }

    /// Publishes the next state, and returns the time that it took.
    fn publish(&mut self) -> Duration {
        let started = Instant::now();
        let output = self.inputs.index(&self.data, self.next).output().expect("the binary");
        self.acknowledged = Some((acknowledged(&output), self.next));
        self.next += 1;
        started.elapsed()
    }

    /// Publishes up to two states, and cuts the power while the next one is published. Returns
    /// whether the cut happened before its acknowledgement.
    fn publish_until_cut(&mut self, random: &mut StdRng, publish_time: Duration) -> bool {
        let switch = self.disk.switch();
        for _ in 0..random.random_range(0..3) {
            self.publish();
        }
        let delay = publish_time.mul_f64(random.random());
        let mut command = self.inputs.index(&self.data, self.next);
        let started = Instant::now();
        let mut process = command.spawn().expect("the binary");
        while started.elapsed() < delay {
            if let Some(status) = process.try_wait().expect("a child") {
                assert!(status.success(), "failed before the cut: {:?}", process.wait_with_output());
                break;
            }
            thread::sleep(LOOK_INTERVAL);
        }
        switch.cut();
        process.kill().expect("a child");
        let output = process.wait_with_output().expect("a child");
        let is_acknowledged = output.status.success();
        if is_acknowledged {
            self.acknowledged = Some((acknowledged(&output), self.next));
        }
        self.next += 1;
        !is_acknowledged
    }

    /// Starts the machine again and checks the generation served.
    fn restart_and_check(&mut self, context: &str) {
        self.disk.restart();
        let current = current(&self.data, context);
        match (self.acknowledged, current) {
            (None, _) => {}
            (Some((name, number)), Some((current_name, current_number))) => {
                assert!(
                    current_number >= number,
                    "state {number} was acknowledged, {current_number} is there; {context}"
                );
                assert_eq!(current_name == name, current_number == number, "{context}");
            }
            (Some((name, number)), None) => panic!("state {number}, {name}, was acknowledged and is lost; {context}"),
        }
        // The generation served now must also survive the next cut.
        self.acknowledged = current;
    }
}

/// Returns the duration of a publish on a disk of its own.
fn publish_time() -> Result<Duration, String> {
    let mut site = Site::new()?;
    Ok((0..3).map(|_| site.publish()).min().expect("three"))
}

#[test]
fn acknowledged_generations_survive_a_series_of_power_cuts() {
    let Some(mut site) = or_skip(Site::new()) else { return };
    let publish_time = (0..3).map(|_| site.publish()).min().expect("three");
    let (mut random, seed) = seeded();
    let mut num_interrupted = 0;
    for cut in 1..=CUTS_IN_SERIES {
        num_interrupted += usize::from(site.publish_until_cut(&mut random, publish_time));
        site.restart_and_check(&format!("cut {cut}, seed {seed}"));
    }
    assert!(num_interrupted > 0, "no cut came while a generation was published; seed {seed}");
    site.publish();
    let context = format!("after all cuts, seed {seed}");
    assert_eq!(current(&site.data, &context), site.acknowledged, "{context}");
    assert_eq!(leftovers(&site.data), [""; 0], "{context}");
}

#[test]
fn first_generations_of_a_folder_survive_a_power_cut() {
    let Some(publish_time) = or_skip(publish_time()) else { return };
    let (mut random, seed) = seeded();
    for cut in 1..=CUTS_OF_NEW_DISKS {
        let mut site = Site::new().expect("as before");
        site.publish_until_cut(&mut random, publish_time);
        let context = format!("new disk {cut}, seed {seed}");
        site.restart_and_check(&context);
        site.publish();
        assert_eq!(current(&site.data, &context), site.acknowledged, "{context}");
    }
}

/// Replaces a file by rename, as a publish does, with or without the waits for the disk.
fn replace(folder: &Path, content: &str, is_synced: bool) {
    let next = folder.join("file.next");
    let mut file = File::create(&next).expect("writable");
    file.write_all(content.as_bytes()).expect("room");
    if is_synced {
        file.sync_all().expect("a disk");
    }
    fs::rename(next, folder.join("file")).expect("writable");
    if is_synced {
        File::open(folder).and_then(|folder| folder.sync_all()).expect("a disk");
    }
}

#[test]
fn power_cuts_lose_only_unsynced_data() {
    let Some(mut disk) = or_skip(Disk::new()) else { return };
    let mut num_lost = 0;
    for round in 0..CARELESS_ROUNDS {
        let [synced, careless] = ["synced", "careless"].map(|what| format!("{what} {round}"));
        let switch = disk.switch();
        replace(&disk.path(), &synced, true);
        replace(&disk.path(), &careless, false);
        switch.cut();
        disk.restart();
        let kept = fs::read_to_string(disk.path().join("file")).expect("an older state was synced");
        assert!([&*synced, &*careless, ""].contains(&&*kept), "{kept}");
        num_lost += usize::from(kept != careless);

        let switch = disk.switch();
        replace(&disk.path(), &synced, true);
        switch.cut();
        disk.restart();
        assert_eq!(fs::read_to_string(disk.path().join("file")).expect("synced"), synced);
    }
    assert!(num_lost > CARELESS_ROUNDS / 2, "only {num_lost} of {CARELESS_ROUNDS} careless writes were lost");
}
