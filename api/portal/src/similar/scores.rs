//! The scores of the hits of a search, as a histogram.

use api_http::error::Problem;
use api_proteins::similar::Searches;
use similarity::Job;

use crate::context::problem::PortalProblem;
use crate::plots::WIDE;
use crate::plots::axis::Scale;
use crate::plots::histogram::{Column, Histogram};
use crate::plots::plot::Plot;

/// The maximum number of hits, the best ones.
const HITS_MAX: usize = 5000;

/// The approximate number of columns.
const COLUMNS: u32 = 20;

/// Counts the best hits of a search by score. Returns `None` for fewer than two hits.
pub(super) fn plot_of(served: &Searches, job: &Job) -> Result<Option<Plot>, PortalProblem> {
    let Some(hits) = served.jobs.hits(job, 0).map_err(Problem::fault)? else { return Ok(None) };
    let scores = hits.take(HITS_MAX).map(|hit| Ok(hit.map_err(Problem::fault)?.0.score));
    let scores: Vec<f64> = scores.collect::<Result<_, Problem>>()?;
    if scores.len() < 2 {
        return Ok(None);
    }
    let [low, high] =
        scores.iter().fold([f64::MAX, f64::MIN], |[low, high], score| [low.min(*score), high.max(*score)]);
    let ticks = Scale::new([low, high.max(low + 1.0)], [0.0, 1.0], COLUMNS).ticks();
    let columns = ticks.windows(2).enumerate().map(|(place, ends)| {
        let [(from, first), (to, last)] = [&ends[0], &ends[1]];
        // The last column includes its end.
        let is_last = place + 2 == ticks.len();
        let count = scores.iter().filter(|score| from <= score && (*score < to || is_last)).count();
        Column {
            label: format!("{first} to {last}"),
            count: (count as u64).into(),
            ends: [first, last].map(|end| end.replace(',', "").replace('−', "-")),
            ..Column::default()
        }
    });
    let histogram = Histogram {
        of: "Score (bits)".to_owned(),
        counted: "Hits".to_owned(),
        columns: columns.collect(),
        plot: Plot { name: "scores", ..Plot::default() },
        ..Histogram::default()
    };
    let best = if scores.len() == HITS_MAX { format!(", the best {HITS_MAX}") } else { String::new() };
    Ok(Some(histogram.draw(format!("Scores of similar proteins{best}"), WIDE)))
}
