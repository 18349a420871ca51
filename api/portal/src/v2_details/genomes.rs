//! Genomes made from an assembly, and genomes contained in it.

use serde_json::Value;

use super::annotations::lineage;
use super::number;
use crate::context::document::as_text;
use crate::context::page_context::PageContext;
use crate::context::problem::PortalProblem;
use crate::parts::table::{Cell, Column, Table};

/// A list of genomes of an assembly.
pub(super) struct GenomeList {
    /// The last segment of the path.
    pub(super) name: &'static str,
    pub(super) heading: &'static str,
    /// Members of the items, with their columns.
    members: &'static [(&'static str, Column)],
}

pub(super) static GENOME_LISTS: [GenomeList; 2] = [
    GenomeList {
        name: "genome-links",
        heading: "Genomes of this assembly",
        members: &[("species_rep", ("Species representative", "short")), ("mag_accession", ("MAG", "short"))],
    },
    GenomeList {
        name: "additional-contained-genomes",
        heading: "Genomes contained in this assembly",
        members: &[
            ("run_accession", ("Run", "short")),
            ("containment", ("Containment", "number")),
            ("cani", ("Containment ANI", "number")),
        ],
    },
];

impl GenomeList {
    /// Returns the table of a page of the list, which is at `address`.
    pub(super) fn table(
        &self,
        context: &PageContext,
        document: &Value,
        address: String,
    ) -> Result<Option<Table>, PortalProblem> {
        let mut rows = Vec::new();
        for item in document["items"].as_array().into_iter().flatten() {
            let genome = &item["genome"];
            let [id, catalogue] = ["accession", "catalogue_id"].map(|member| as_text(&genome[member]));
            let mut row = vec![
                Cell::text(&*id).linked(context.page_of("genomes", &id)?),
                Cell::text(lineage(&as_text(&genome["taxon_lineage"]))),
                Cell::text(&*catalogue).linked(context.page_of("genome-catalogues", &catalogue)?),
            ];
            row.extend(self.members.iter().map(|(member, ..)| Cell::text(number(&item[*member]))));
            rows.push(row);
        }
        let mut columns = vec![("Genome", ""), ("Lineage", "long"), ("Catalogue", "short")];
        columns.extend(self.members.iter().map(|(_, column)| *column));
        let count = document["count"].as_u64().and_then(|count| usize::try_from(count).ok()).unwrap_or_default();
        Ok(Table::new(self.heading, &columns, rows).link_to_all(count, "through the API", address).non_empty())
    }
}
