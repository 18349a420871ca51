//! Writing a synthetic release.

use indexer::counted;
use synth::{Fault, SynthLayout, SynthPlan, SynthReport};

use crate::arguments::{ReleaseLayout, SynthArguments};
use crate::failure::Failure;
use crate::output::Output;

/// Memory for sorting.
const MEMORY_BYTES: usize = 256 << 20;

/// Writes the release and prints the paths of its files.
pub(crate) fn run(arguments: &SynthArguments) -> Result<(), Failure> {
    let plan = SynthPlan {
        out: arguments.out.clone(),
        num_proteins: arguments.proteins,
        layout: match arguments.layout {
            ReleaseLayout::Parquet => SynthLayout::Parquet,
            ReleaseLayout::Flat => SynthLayout::Flat,
        },
        seed: arguments.seed,
        shuffle: arguments.shuffle,
        faults: arguments.faults,
        only_representatives: arguments.only_representatives,
        memory_bytes: MEMORY_BYTES,
    };
    let SynthReport { files, faults } = plan.run()?;
    log_faults(&faults);
    let mut output = Output::new();
    for file in &files {
        tracing::info!("{}: {}", file.path.display(), counted(file.num_rows, "row"));
        output.line(file.path.display())?;
    }
    output.finish()
}

/// Logs the number of bad rows by reason.
fn log_faults(faults: &[Fault]) {
    let mut reasons: Vec<_> = faults.iter().map(|fault| fault.reason).collect();
    reasons.sort_unstable();
    for same in reasons.chunk_by(|one, other| one == other) {
        tracing::info!("{}: {}", counted(same.len() as u64, "bad row"), same[0].name());
    }
}
