//! Tables of annotations: tab-separated columns, found by their names.

use strum::VariantNames;

use super::biomes::Biomes;
use super::entry::Facts;
use super::locus::{is_reverse, range, whole};
use super::{DESCRIPTION_BYTES_MAX, TEXT_BYTES_MAX};
use crate::lines::Line;
use crate::run::{Reason, Rejection};
use crate::values::{self, quoted};

#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr, strum::VariantNames)]
#[strum(serialize_all = "snake_case")]
enum Column {
    Name,
    Biome,
    Study,
    Assembly,
    Contig,
    Start,
    End,
    Strand,
    ClusterSize,
    FullLength,
    Description,
}

/// The columns of a table in their order.
#[derive(Debug)]
pub(super) struct Columns(Vec<Column>);

impl Columns {
    /// Reads the header, or returns what is wrong with it.
    pub(super) fn from_header(line: Line<'_>) -> Result<Self, String> {
        let header = super::gather::text_of(line).map_err(|bad| bad.detail)?;
        let mut columns = Vec::new();
        for cell in header.split('\t') {
            let name = cell.trim().to_ascii_lowercase();
            let column: Column = name.parse().map_err(|_| unknown_column(&name))?;
            if columns.contains(&column) {
                return Err(format!("the header has the column {name} twice"));
            }
            columns.push(column);
        }
        if columns.contains(&Column::Name) {
            Ok(Self(columns))
        } else {
            Err("the header has no column name".to_owned())
        }
    }

    /// Reads a row: the name of the protein, and what is said about it. A biome that is new is added only by a good row.
    pub(super) fn read(&self, line: Line<'_>, biomes: &mut Biomes<'_>) -> Result<(String, Facts), Rejection> {
        let text = super::gather::text_of(line)?;
        let num_cells = text.split('\t').count();
        if num_cells != self.0.len() {
            let detail = format!("expected {} columns, found {num_cells}", self.0.len());
            return Err(Rejection::new(Reason::BadRow, detail));
        }
        let (mut name, mut biome, mut facts) = ("", "", Facts::default());
        let (mut start, mut end) = (None, None);
        for (&column, cell) in self.0.iter().zip(text.split('\t')) {
            let cell = cell.trim();
            if cell.is_empty() {
                continue;
            }
            let short_text = || values::text(column.into(), cell, TEXT_BYTES_MAX).map(str::to_owned);
            match column {
                Column::Name => name = cell,
                Column::Biome => biome = cell,
                Column::Study => facts.study = short_text()?,
                Column::Assembly => facts.assembly = short_text()?,
                Column::Contig => facts.contig = short_text()?,
                Column::Start => start = Some(whole("start", cell)?),
                Column::End => end = Some(whole("end", cell)?),
                Column::Strand => {
                    let bad =
                        || Rejection::new(Reason::BadPlace, format!("strand {} is neither + nor -", quoted(cell)));
                    facts.is_reverse = Some(is_reverse(cell).ok_or_else(bad)?);
                }
                Column::ClusterSize => {
                    let bad = |bad| Rejection { reason: Reason::BadClusterSize, ..bad };
                    facts.cluster_size = Some(values::cluster_size(whole("cluster_size", cell).map_err(bad)?)?);
                }
                Column::FullLength => facts.full_length = values::full_length(cell)?,
                Column::Description => {
                    facts.description = values::text("description", cell, DESCRIPTION_BYTES_MAX)?.to_owned();
                }
            }
        }
        super::headers::check_name(name)?;
        facts.range = match (start, end) {
            (None, None) => None,
            (Some(start), Some(end)) => Some(range("gene", (start, end))?),
            _ => return Err(Rejection::new(Reason::BadPlace, "start and end are known only together")),
        };
        if !biome.is_empty() {
            facts.biome = Some(biomes.ordinal_of(biome)?);
        }
        Ok((name.to_owned(), facts))
    }
}

fn unknown_column(name: &str) -> String {
    let near = store::near_names(Column::VARIANTS.iter().copied(), name);
    let name = quoted(name);
    match near.first() {
        Some(near) => format!("unknown column {name}: did you mean {near}?"),
        None => format!("unknown column {name}; known: {}", Column::VARIANTS.join(", ")),
    }
}
