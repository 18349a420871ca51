//! The first members of the cluster of a protein.

use api_http::paths;
use store::ProteinAccession;
use store_proteins::RecordParts;

use crate::context::page_context::PageContext;
use crate::context::problem::PortalProblem;
use crate::parts::number::Number;

/// The most members on the page.
const MEMBERS_MAX: usize = 10;

pub(super) struct Members {
    /// The number of all members.
    pub(super) count: Number,
    pub(super) representative: ProteinAccession,
    /// Members with the lineages of their biomes, or `None` without a record.
    pub(super) rows: Vec<(ProteinAccession, Option<Vec<String>>)>,
    /// The path of all members in the API.
    pub(super) path: String,
}

impl Members {
    /// Returns the first members of the cluster by accession. Returns `None` if the protein is
    /// alone, or if clusters are unknown.
    pub(super) fn of(context: &PageContext, accession: ProteinAccession) -> Result<Option<Self>, PortalProblem> {
        let data = context.proteins()?;
        let Some(members) = data.members().filter(|_| !accession.is_own()) else { return Ok(None) };
        let representative = members.representative(accession)?.unwrap_or(accession);
        let found = members.find(representative, None, MEMBERS_MAX)?;
        let mut records = data.reader(RecordParts::BIOMES);
        let mut biomes = |member| {
            let record = records.fetch(member)?;
            Ok(record.map(|record| record.biomes.into_iter().map(|biome| biome.lineage).collect()))
        };
        let rows = found.into_iter().map(|member| Ok((member, biomes(member)?))).collect::<store::Result<_>>()?;
        let count = members.count(representative)?;
        Ok((count > 1).then(|| Self {
            count: Number(count),
            representative,
            rows,
            path: paths::protein_members(accession),
        }))
    }

    /// Returns whether members have records of their own.
    pub(super) fn have_records(&self) -> bool {
        self.rows.iter().any(|(member, biomes)| biomes.is_some() && *member != self.representative)
    }

    pub(super) fn caption(&self) -> String {
        let num_shown = Number::of(self.rows.len());
        if num_shown < self.count {
            return format!("The first {num_shown} of {} members, by accession", self.count);
        }
        format!("All {} members", self.count)
    }
}
