//! One target, chosen by `MGDEX_FUZZ_TARGET`, below libFuzzer. See `tests/README.md`.

#![no_main]

#[path = "../../targets/list.rs"]
mod targets;

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use targets::{TARGETS, Target};

static TARGET: LazyLock<&'static Target> = LazyLock::new(|| {
    // Only a panic that nothing catches is a finding. By default, every panic ends the process.
    std::panic::set_hook(Box::new(|panic| eprintln!("{panic}")));
    let name = std::env::var("MGDEX_FUZZ_TARGET").expect("the name of a target");
    TARGETS.iter().find(|target| target.name == name).expect("a target of this name")
});

fuzz_target!(|input: &[u8]| (TARGET.run)(input));
