//! The filters of version 2.

use store_catalogue::model::{ANALYSIS_JOBS, EXPERIMENT_TYPE_WORDS, lineage_path};
use store_catalogue::{Bounds, Condition, Pattern};

use super::refusal::invalid;
use super::values::Reader;
use crate::request::filters::text::PATTERN_CHARS_MAX;
use crate::request::query::Query;

#[derive(Debug)]
pub(super) struct Filter {
    pub name: &'static str,
    pub(super) kind: FilterKind,
    pub description: &'static str,
}

#[derive(Debug)]
pub(super) enum FilterKind {
    BiomeLineage,
    /// An attribute that is equal to the text, or attributes that contain it in any letter case.
    Search {
        is: Option<&'static str>,
        has: &'static [&'static str],
    },
    Pipeline,
    ExperimentType,
    YearMin,
    YearMax,
    DepthMax,
}

pub(super) const PIPELINES: [&str; 8] = ["V1", "V2", "V3", "V4", "V4.1", "V5", "V6", "V6.1"];

/// The first version of the pipeline that is distinguished from earlier ones.
const PIPELINE_6: f64 = 6.0;

impl Filter {
    pub(super) const fn new(name: &'static str, kind: FilterKind, description: &'static str) -> Self {
        Self { name, kind, description }
    }

    /// Returns the condition of the filter, if the query has it and it has an effect.
    pub(super) fn condition(&self, query: &Query, reader: &mut Reader<'_>) -> Option<Condition> {
        let within = |attribute: &str, min: Option<i64>, max: Option<i64>| {
            #[expect(clippy::cast_precision_loss, reason = "years and depths are small")]
            let bound = |number: Option<i64>| number.map(|number| number as f64);
            Condition::AttributeNumber(attribute.to_owned(), Bounds { min: bound(min), max: bound(max) })
        };
        match self.kind {
            FilterKind::BiomeLineage => {
                let lineage = query.filled(self.name)?;
                Some(Condition::LineagePath(lineage_path(lineage)))
            }
            FilterKind::Search { is, has } => {
                let text = query.filled(self.name)?;
                if text.chars().count() > PATTERN_CHARS_MAX {
                    let problem = format!("Enter a text of at most {PATTERN_CHARS_MAX} characters.");
                    reader.refuse(invalid("query", self.name, &problem));
                    return None;
                }
                let pattern = Pattern::parse(&Pattern::escape(text)).ok()?;
                let is = is.map(|name| Condition::Attribute(name.to_owned(), text.to_owned()));
                let has = has.iter().map(|name| Condition::AttributePattern((*name).to_owned(), pattern.clone()));
                Some(Condition::AnyOf(is.into_iter().chain(has).collect()))
            }
            FilterKind::Pipeline => match reader.choice("enum", self.name, &PIPELINES)? {
                "V6" | "V6.1" => Some(has_analyses(true)),
                "V5" => Some(has_analyses(false)),
                _ => None,
            },
            FilterKind::ExperimentType => {
                let names = EXPERIMENT_TYPE_WORDS.map(|(.., name)| name);
                let chosen = reader.choice("enum", self.name, &names)?;
                let (name, ..) = EXPERIMENT_TYPE_WORDS.into_iter().find(|(.., name)| *name == chosen)?;
                Some(Condition::Attribute("experiment_type".to_owned(), name.to_owned()))
            }
            FilterKind::YearMin => Some(within("published_year", Some(reader.integer(self.name)?), None)),
            FilterKind::YearMax => Some(within("published_year", None, Some(reader.integer(self.name)?))),
            FilterKind::DepthMax => {
                let depth = reader.positive(self.name)?;
                Some(within("depth", None, Some(i64::try_from(depth).unwrap_or(i64::MAX))))
            }
        }
    }
}

/// Returns the condition for studies with analyses of version 6 of the pipeline, or of an earlier
/// one. It uses the version from a harvest, otherwise the versions of the loaded analyses.
fn has_analyses(of_6: bool) -> Condition {
    let harvested = |name: &str| Condition::Attribute("@pipeline".to_owned(), name.to_owned());
    let not = |condition| Condition::Not(Box::new(condition));
    let is_not_harvested = not(Condition::AnyOf(vec![harvested("V5"), harvested("V6"), harvested("none")]));
    let from_6 = Condition::AttributeNumber("pipeline_version".to_owned(), Bounds { min: Some(PIPELINE_6), max: None });
    let analyses = if of_6 { from_6 } else { not(from_6) };
    let has_some = Condition::NamedBy(ANALYSIS_JOBS.to_owned(), Box::new(analyses));
    let by_analyses = not(Condition::AnyOf(vec![not(is_not_harvested), not(has_some)]));
    Condition::AnyOf(vec![harvested(if of_6 { "V6" } else { "V5" }), by_analyses])
}
