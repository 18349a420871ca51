//! The lines that the demo prints when it starts to serve.

use std::net::SocketAddr;
use std::path::Path;

use api::paths::{CATALOGUE, PROTEIN_SEARCH, PROTEINS, protein_detail};
use indexer::counted;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use store_catalogue::CatalogueContents;
use store_proteins::{ProteinContents, ProteinGeneration, ProteinQuery};

use crate::data_folder::{DataFolder, Kind};
use crate::failure::Failure;
use crate::output::{Output, is_terminal};

/// The characters of a lineage that are escaped: all that a quoted URI query cannot have.
const LINEAGE_ESCAPES: AsciiSet = NON_ALPHANUMERIC.remove(b':').remove(b'-').remove(b'_').remove(b'.');

/// Requests to try, followed by the address, which stays visible. At a terminal there are few
/// lines, including one about the loaded data.
pub(super) struct Greeting {
    requests: Vec<String>,
    /// A sentence about the loaded data; at a terminal only.
    loaded: Option<String>,
    has_portal: bool,
}

impl Greeting {
    pub(super) fn new(data: &DataFolder, proteins: &ProteinGeneration, has_portal: bool) -> Result<Self, Failure> {
        let loaded = is_terminal().then(|| loaded(data)).transpose()?;
        Ok(Self { requests: example_requests(proteins)?, loaded, has_portal })
    }

    /// Prints the greeting. `token` is the file of a token for profiles, if there is one.
    pub(super) fn print(&self, address: SocketAddr, token: Option<&Path>) -> Result<(), Failure> {
        match &self.loaded {
            Some(loaded) => self.print_few(address, loaded),
            None => self.print_all(address, token),
        }
    }

    fn print_few(&self, address: SocketAddr, loaded: &str) -> Result<(), Failure> {
        let mut output = Output::new();
        output.line(format_args!("{loaded} Try:"))?;
        // A protein, and samples of the catalogue.
        let (first, others) = self.requests.split_at(self.requests.len().min(1));
        for request in first.iter().chain(others.last()) {
            output.line(format_args!("  curl 'http://{address}{request}'"))?;
        }
        output.line("Ctrl-C ends it.")?;
        if self.has_portal {
            output.line(format_args!("Open in a browser:\nhttp://{address}/"))?;
        }
        output.finish()
    }

    fn print_all(&self, address: SocketAddr, token: Option<&Path>) -> Result<(), Failure> {
        let mut output = Output::new();
        output.line("Try:")?;
        for request in &self.requests {
            output.line(format_args!("  curl 'http://{address}{request}'"))?;
        }
        if let Some(token) = token {
            let token = token.display();
            output.line(format_args!(
                "  curl -H \"Authorization: Bearer $(cat '{token}')\" 'http://{address}/my/profile'"
            ))?;
        }
        if self.has_portal {
            output.line(format_args!("Open http://{address}/ in a browser."))?;
        }
        output.finish()
    }
}

fn loaded(data: &DataFolder) -> Result<String, Failure> {
    let proteins: Option<ProteinContents> = data.contents(Kind::Proteins)?;
    let num_proteins = proteins.map_or(0, |contents| contents.num_proteins());
    let catalogue: Option<CatalogueContents> = data.contents(Kind::Catalogue)?;
    let num_resources = catalogue.map_or(0, |contents| contents.num_resources.into());
    let (proteins, resources) = (counted(num_proteins, "protein"), counted(num_resources, "resource"));
    Ok(format!(
        "{} has {proteins}, and a catalogue with {resources}: studies, samples and the like.",
        data.path.display()
    ))
}

/// Returns requests with interesting answers: a protein with a family, that family, the biome of
/// the first protein, and lists of the catalogue.
fn example_requests(proteins: &ProteinGeneration) -> Result<Vec<String>, Failure> {
    let mut requests = Vec::new();
    let mut shown = proteins.statistics().first;
    for (family, _) in proteins.families().iter() {
        if let Some(hit) = proteins.search(&ProteinQuery::Family(family), 1)?.first() {
            shown = Some(hit.accession);
            requests.push(format!("{PROTEINS}{PROTEIN_SEARCH}?pfam_accession={}&limit=3", family.0));
            break;
        }
    }
    let first = proteins.statistics().first.map(|first| proteins.fetch(first)).transpose()?.flatten();
    if let Some(biome) = first.as_ref().and_then(|protein| protein.biomes.first()) {
        requests.push(format!(
            "{PROTEINS}{PROTEIN_SEARCH}?biome_lineage={}&limit=3",
            utf8_percent_encode(&biome.lineage, &LINEAGE_ESCAPES)
        ));
    }
    requests.splice(0..0, shown.map(protein_detail));
    requests.push(format!("{CATALOGUE}/studies?page_size=3"));
    requests.push(format!("{CATALOGUE}/samples?search=soil&ordering=accession&page_size=3"));
    Ok(requests)
}
