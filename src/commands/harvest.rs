//! `mgdex catalogue harvest`: fetching the catalogue of a server, and loading it.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::builder::{FalseyValueParser, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueHint, value_parser};
use indexer::{Acceptance, counted};
use indexer_catalogue::CataloguePlan;
use indexer_harvest::{API, Analyses, HarvestLimits, HarvestPlan, HarvestReport, Numbers};
use strum::VariantNames;
use url::Url;

use crate::commands::index;
use crate::commands::summary;
use crate::data_folder::{DataFolder, Kind};
use crate::duration;
use crate::failure::Failure;
use crate::interruption;
use crate::output::print;
use crate::size::{Size, megabytes, parse_memory};

#[derive(Debug, Args)]
pub(crate) struct HarvestArguments {
    /// Server to harvest, such as `https://www.ebi.ac.uk/metagenomics/api/v2`
    #[arg(long, env = "MGDEX_FROM", value_name = "URL", value_hint = ValueHint::Url, value_parser = parse_server)]
    from: Url,
    /// Folder for the harvest. An unfinished harvest in it is continued
    #[arg(long, env = "MGDEX_TO", value_name = "DIR")]
    to: PathBuf,
    /// Version of the interface: `v2`, the only one
    #[arg(long = "api", hide = true, value_name = "VERSION", value_parser = parse_api)]
    _api: Option<Version>,
    /// Maximum rate of requests, such as 2/s or 0.5/s, or none for no limit. Requests are sent one
    /// at a time
    #[arg(long, env = "MGDEX_RATE", value_name = "RATE", default_value = "2/s", value_parser = parse_rate)]
    rate: Rate,
    /// Parts of analyses to fetch: nothing, the items of lists, also details such as downloads (one
    /// request each, most of all requests), or everything with annotations
    #[arg(long, env = "MGDEX_ANALYSES", value_name = "AMOUNT", default_value = "lists", value_parser = one_of::<Analyses>())]
    analyses: Analyses,
    /// Folder with an earlier harvest, such as that of --to: unchanged objects are not requested
    /// again
    #[arg(long, env = "MGDEX_SINCE", value_name = "DIR")]
    since: Option<PathBuf>,
    /// Pause before a request is repeated, which doubles each time
    #[arg(long, value_name = "TIME", default_value = "2s", value_parser = duration::between(Duration::from_millis(1), Duration::from_mins(5)))]
    retry_pause: Duration,
    /// Maximum number of objects of a type, and of rows of a list. A harvest that finds more stops,
    /// since the lists may be endless
    #[arg(long, value_name = "NUM", default_value_t = 100_000_000)]
    max_objects: u64,
    /// Maximum number of rows of a page [default: ten times the requested number]
    #[arg(long, value_name = "NUM", value_parser = value_parser!(u64).range(1..))]
    max_page_objects: Option<u64>,
    /// Accept a harvest, and publish a catalogue, with less than half of the objects of a type that
    /// there were before
    #[arg(long, env = "MGDEX_ALLOW_SHRINK", value_parser = FalseyValueParser::new())]
    allow_shrink: bool,
    /// Load the harvest afterwards, and make it the current catalogue
    #[arg(long, env = "MGDEX_LOAD", value_parser = FalseyValueParser::new())]
    load: bool,
    #[command(flatten)]
    data: DataFolder,
    /// Memory for loading, at least 64M
    #[arg(long, env = "MGDEX_MEMORY", value_name = "SIZE", default_value = "1G", value_parser = parse_memory)]
    memory: Size,
}

/// The version of the interface.
#[derive(Clone, Copy, Debug)]
struct Version;

const NOT_VERSION_1: &str = "version 1 is not harvested: use version 2, such as https://www.ebi.ac.uk/metagenomics/api/v2, and load the rest from rows";

fn parse_api(text: &str) -> Result<Version, &'static str> {
    if text == API { Ok(Version) } else { Err(NOT_VERSION_1) }
}

fn parse_server(text: &str) -> Result<Url, String> {
    let server: Url = text.parse().map_err(|error: url::ParseError| error.to_string())?;
    let path = server.path().trim_end_matches('/');
    if ["/v1", "/latest"].iter().any(|end| path.ends_with(end)) { Err(NOT_VERSION_1.to_owned()) } else { Ok(server) }
}

/// The least time between two requests.
#[derive(Clone, Copy, Debug)]
struct Rate(Duration);

fn one_of<T>() -> impl TypedValueParser<Value = T>
where
    T: FromStr<Err: std::error::Error + Send + Sync + 'static> + VariantNames + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(T::VARIANTS).try_map(|text| text.parse())
}

fn parse_rate(text: &str) -> Result<Rate, String> {
    if text == "none" {
        return Ok(Rate(Duration::ZERO));
    }
    let number = text.strip_suffix("/s").and_then(|number| number.parse::<f64>().ok());
    let number = number.filter(|number| (0.001..=1000.0).contains(number));
    let number = number.ok_or("expected requests in a second from 0.001/s to 1000/s, such as 2/s, or none")?;
    Ok(Rate(Duration::from_secs_f64(1.0 / number)))
}

pub(crate) fn run(arguments: &HarvestArguments) -> Result<(), Failure> {
    interruption::announce("the harvest so far is kept; run the same command again to continue")?;
    let plan = HarvestPlan {
        from: arguments.from.clone(),
        to: arguments.to.clone(),
        analyses: arguments.analyses,
        since: arguments.since.clone(),
        interval: arguments.rate.0,
        pause: arguments.retry_pause,
        limits: HarvestLimits { objects_max: arguments.max_objects, page_objects_max: arguments.max_page_objects },
        allow_shrink: arguments.allow_shrink,
    };
    for folder in [Some(&arguments.to), arguments.since.as_ref()].into_iter().flatten() {
        if HarvestReport::read(folder)?.is_some_and(|report| report.request.api != API) {
            return Err(Failure::Usage(format!("{} has a harvest of version 1; {NOT_VERSION_1}", folder.display())));
        }
    }
    let report = plan.run()?;
    log(&report);
    if !arguments.load {
        return print(arguments.to.display());
    }
    let generations = arguments.data.generations(Kind::Catalogue);
    let plan = CataloguePlan {
        generations: generations.root().to_owned(),
        harvest: Some(arguments.to.clone()),
        memory_bytes: arguments.memory.0,
        num_threads: index::num_cores(),
        acceptance: Acceptance { allow_shrink: arguments.allow_shrink, strict: false },
        ..CataloguePlan::default()
    };
    let published = plan.run()?;
    summary::log_catalogue(&published);
    print(generations.path(published.generation).display())
}

fn log(report: &HarvestReport) {
    for (name, Numbers { total, new, changed, withdrawn }) in &report.objects {
        tracing::info!("{name}: {total}, of which {new} new and {changed} changed; {withdrawn} withdrawn");
    }
    let (requests, bytes) = (counted(report.requests, "request"), megabytes(report.bytes));
    tracing::info!("{requests}, of which {} repeated; {bytes}; {} s waited", report.repeated, report.seconds_waited);
    for warning in report.warnings() {
        tracing::warn!("{warning}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_requests_per_second() {
        assert_eq!(parse_rate("2/s").expect("a rate").0, Duration::from_millis(500));
        assert_eq!(parse_rate("0.5/s").expect("a rate").0, Duration::from_secs(2));
        assert_eq!(parse_rate("none").expect("a rate").0, Duration::ZERO);
        for text in ["2", "0/s", "-1/s", "inf/s", "nan/s", "2/h", "", "/s"] {
            assert!(parse_rate(text).is_err(), "{text}");
        }
    }
}
