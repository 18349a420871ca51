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
    let best = if scores.len() == HITS_MAX { format!(", the best {HITS_MAX}") } else { String::new() };
    let title = format!("Scores of similar proteins{best}");
    Ok((scores.len() > 1).then(|| histogram(&scores).draw(title, WIDE)))
}

fn histogram(scores: &[f64]) -> Histogram {
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
    Histogram {
        of: "Score (bits)".to_owned(),
        counted: "Hits".to_owned(),
        columns: columns.collect(),
        plot: Plot { name: "scores", ..Plot::default() },
        ..Histogram::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_have_common_ends_and_the_last_includes_its_own() {
        let columns = histogram(&[-2000.0, -1500.0, 2999.0, 3000.0]).columns;
        let [first, .., last] = &columns[..] else { panic!("columns") };
        assert_eq!(
            (&*first.label, &first.ends, first.count.value),
            ("−2,000 to −1,500", &["-2000", "-1500"].map(str::to_owned), 1)
        );
        assert_eq!((&*last.label, last.count.value, columns.len()), ("2,500 to 3,000", 2, 10));
        assert!(columns.windows(2).all(|pair| pair[0].ends[1] == pair[1].ends[0]));
        let columns = histogram(&[20.5, 20.6]).columns;
        let counted: Vec<_> = columns.iter().filter(|column| column.count.value > 0).collect();
        assert_eq!(
            counted.iter().map(|column| &*column.label).collect::<Vec<_>>(),
            ["20.50 to 20.55", "20.60 to 20.65"]
        );
        let svg = histogram(&[20.5, 20.6]).draw(String::new(), WIDE).svg();
        assert!(svg.contains(">20.50</text>"), "{svg}");
    }
}
