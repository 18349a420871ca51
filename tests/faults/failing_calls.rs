//! The n-th call on a file fails, for every n of a run: `write`, `fsync`, `rename`, `open` and
//! others return `EIO` or `ENOSPC`, or write only a part. The old or the new state is served.

mod generations;
mod profiles;
mod searches;

use support::failing_calls::Fault;
use support::machine::is_thorough;
use support::profile_writers::print_to_stderr;

/// Lets each call of a run fail, in each way, or those of a sample. `fail` returns whether the run
/// has come to the call.
fn fail_each(
    run: &str,
    num_calls: usize,
    is_in_sample: impl Fn(usize) -> bool,
    mut fail: impl FnMut(usize, Fault) -> Result<bool, String>,
) {
    let (mut num_failed, mut problems) = (0, Vec::new());
    for (index, first) in (1..=num_calls).filter(|first| is_thorough() || is_in_sample(*first)).enumerate() {
        // A sample has each fault equally often.
        let faults = if is_thorough() { &Fault::ALL[..] } else { &Fault::ALL[index % 4..=index % 4] };
        for fault in faults {
            match fail(first, *fault) {
                Ok(has_failed) => num_failed += usize::from(has_failed),
                Err(problem) => problems.push(format!("{fault:?} from call {first} on: {problem}")),
            }
        }
    }
    print_to_stderr(&format!("{run}: {num_calls} calls on files, and {num_failed} runs in which some failed"));
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}
