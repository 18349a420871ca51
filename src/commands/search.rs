//! Searching proteins without a server.

use api::proteins::ProteinSearchResult;
use store::{Filter, ProteinHit, SearchAnswer};

use crate::arguments::{FilterArguments, SearchArguments, SearchFormat};
use crate::commands::open_proteins;
use crate::failure::Failure;
use crate::output::Output;

pub(crate) fn run(arguments: &SearchArguments) -> Result<(), Failure> {
    let proteins = open_proteins(&arguments.data)?;
    let filter = match &arguments.filter {
        FilterArguments { biome_id: Some(id), .. } => Filter::BiomeId(*id),
        FilterArguments { lineage: Some(lineage), .. } => Filter::BiomeLineage(lineage.clone()),
        FilterArguments { pfam: Some(family), .. } => Filter::Family(*family),
        _ => return Err(Failure::Message("no filter was given".to_owned())),
    };
    let hits = match proteins.search(&filter, arguments.limit)? {
        SearchAnswer::Hits(hits) => hits,
        SearchAnswer::UnknownLineage(unknown) => return Err(Failure::Message(unknown.to_string())),
    };
    let mut output = Output::new();
    match arguments.format {
        SearchFormat::Json => {
            let hits: Vec<ProteinSearchResult> = hits.into_iter().map(Into::into).collect();
            output.line(serde_json::to_string(&hits)?)?;
        }
        SearchFormat::Tsv => {
            output.line("mgyp\tfull_length\tcluster_size")?;
            for ProteinHit { accession, full_length, cluster_size } in hits {
                let full_length = full_length.map(|value| value.to_string()).unwrap_or_default();
                output.line(format_args!("{accession}\t{full_length}\t{cluster_size}"))?;
            }
        }
    }
    output.finish()
}
