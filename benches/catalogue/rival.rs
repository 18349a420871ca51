//! Deep pages as `OFFSET` finds them.

use std::path::Path;
use std::time::Instant;

use store::Generations;
use store_catalogue::{CatalogueGeneration, LinkStyle, Ordinal, Selection};
use support::measure::{median_us, ratio};

use crate::wall_time;

/// The resources of a page.
const PAGE_SIZE: usize = 25;

/// The number of resources that are read at once while walking.
const STEP: usize = 1000;

/// Measures first and last page at the store, by position and by walking to it.
pub(crate) fn measure(data: &Path, num_samples: u64) {
    let generations = Generations::new(data.join("catalogue"));
    let generation = CatalogueGeneration::open_current(&generations).expect("readable").expect("loaded");
    let selection = Selection { resource_type: "samples".to_owned(), conditions: Vec::new(), orders: Vec::new() };
    let listing = generation.select(&selection).expect("readable");
    let style = LinkStyle::new("http://127.0.0.1:8080/metagenomics/api/v1", None, None);
    let render = |ordinals: &[Ordinal]| {
        let mut json = Vec::new();
        for body in generation.resources(ordinals).expect("readable") {
            body.render(&style, &mut json);
        }
        json.len()
    };
    let last = usize::try_from(num_samples).expect("few samples") - PAGE_SIZE;
    println!("\nat the store, µs");
    let by_position = [0, last]
        .map(|start| median_us(wall_time, &[start], |&start| render(&listing.ordinals(start..start + PAGE_SIZE))));
    let started = Instant::now();
    for start in (0..last).step_by(STEP) {
        render(&listing.ordinals(start..(start + STEP).min(last)));
    }
    render(&listing.ordinals(last..last + PAGE_SIZE));
    let walked = started.elapsed().as_secs_f64() * 1e6;
    println!("  25 samples, page 1 {:.0}, last page {:.0}", by_position[0], by_position[1]);
    println!("  last page by offset {walked:.0}: {:.0} times as long", ratio(walked, by_position[1]));
}
