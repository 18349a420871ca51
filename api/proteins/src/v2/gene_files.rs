//! The genes of a contig as files: TSV and GFF3.

use std::fmt::Write;
use std::mem;
use std::sync::Arc;

use api_catalogue::Formulas;
use api_tables::{Cell, end_tsv_row};
use axum::response::Response;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use store_proteins::{ContigKey, ProteinGeneration, SourceEntry};

use super::genes::{ContigItem, GeneItem, GeneReader};
use crate::shared::result_format::ResultFormat;
use crate::shared::results::{push_tsv_cells, push_tsv_head};

/// The genes that a stream reads at a time.
const PART_GENES: usize = 500;

const COLUMNS: [&str; 7] = ["accession", "name", "representative", "start", "end", "strand", "pfam"];

/// The letters that GFF3 allows as they are.
const UNESCAPED: AsciiSet = NON_ALPHANUMERIC
    .remove(b'.')
    .remove(b':')
    .remove(b'^')
    .remove(b'*')
    .remove(b'$')
    .remove(b'@')
    .remove(b'!')
    .remove(b'+')
    .remove(b'_')
    .remove(b'?')
    .remove(b'-')
    .remove(b'|')
    .remove(b'/');

/// The genes of a contig that are still to be written.
pub(super) struct GeneFile {
    pub(super) key: ContigKey,
    pub(super) contig: ContigItem,
    pub(super) formulas: Formulas,
    /// The number of genes before the next one.
    pub(super) next: u64,
    pub(super) num_left: u64,
}

/// Streams the genes of a contig.
pub(super) fn stream(data: Arc<ProteinGeneration>, format: ResultFormat, mut file: GeneFile) -> Response {
    let mut head = Vec::new();
    if format == ResultFormat::Gff3 {
        write_gff3_head(&file.contig, &mut head);
    } else {
        push_tsv_head(COLUMNS.into_iter(), &mut head);
    }
    format.stream("contig", move || {
        let GeneFile { key, contig, formulas, next, num_left } = &mut file;
        let is_part =
            |(source, _): &(Option<&SourceEntry>, _)| source.map(|source| &source.name) == contig.source.as_ref();
        let Some((_, contigs)) = data.contigs().find(is_part).filter(|_| *num_left > 0) else { return Ok(None) };
        let wanted = usize::try_from(*num_left).map_or(PART_GENES, |left| left.min(PART_GENES));
        let genes = contigs.genes(*key, *next, wanted)?;
        let (mut text, mut reader) = (mem::take(&mut head), GeneReader::new(&data));
        for gene in &genes {
            let gene = reader.read(gene)?;
            if format == ResultFormat::Gff3 {
                write_gff3(contig, &gene, &mut text);
            } else {
                write_tsv(&gene, *formulas, &mut text);
            }
        }
        *next += genes.len() as u64;
        *num_left = if genes.len() < wanted { 0 } else { *num_left - genes.len() as u64 };
        Ok(Some(text))
    })
}

fn write_tsv(gene: &GeneItem, formulas: Formulas, text: &mut Vec<u8>) {
    let start = text.len();
    let cells = [
        Cell::text(&gene.accession),
        Cell::Text(gene.name.clone()),
        Cell::text(&gene.representative),
        Cell::number(u64::from(gene.start)),
        Cell::number(u64::from(gene.end)),
        Cell::text(gene.strand),
        Cell::List(gene.pfam.iter().cloned().collect()),
    ];
    push_tsv_cells(cells.into_iter(), formulas, text);
    end_tsv_row(start, text);
}

fn write_gff3_head(contig: &ContigItem, text: &mut Vec<u8>) {
    text.extend_from_slice(b"##gff-version 3\n");
    if let Some(length) = contig.length {
        let line = format!("##sequence-region {} 1 {length}\n", utf8_percent_encode(contig.label(), &UNESCAPED));
        text.extend_from_slice(line.as_bytes());
    }
}

/// Writes a gene as a line of GFF3. One over the origin ends after the end of the contig; without
/// its length, such a gene is a comment.
fn write_gff3(contig: &ContigItem, gene: &GeneItem, text: &mut Vec<u8>) {
    let GeneItem { accession, name, representative, start, end, strand, pfam } = gene;
    let over_origin = if end < start { contig.length } else { Some(0) };
    let mut line = String::new();
    if over_origin.is_none() {
        line.push_str("# over the origin of a contig of unknown length: ");
    }
    let end = u64::from(*end) + u64::from(over_origin.unwrap_or_default());
    let contig = utf8_percent_encode(contig.label(), &UNESCAPED);
    // Writing to memory does not fail.
    let _ = write!(line, "{contig}\tmgdex\tCDS\t{start}\t{end}\t.\t{strand}\t0\tprotein_id={accession}");
    if let Some(name) = name {
        let _ = write!(line, ";Name={}", utf8_percent_encode(name, &UNESCAPED));
    }
    let _ = write!(line, ";representative={representative}");
    if !pfam.is_empty() {
        let _ = write!(line, ";pfam={}", pfam.iter().map(String::as_str).collect::<Vec<_>>().join(","));
    }
    text.extend_from_slice(line.as_bytes());
    text.push(b'\n');
}
