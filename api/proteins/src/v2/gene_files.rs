//! The genes of a contig as files: TSV and GFF3.

use std::fmt::Write;
use std::sync::Arc;

use api_catalogue::Formulas;
use axum::response::Response;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use store_proteins::{ContigKey, ProteinGeneration, SourceEntry};

use super::genes::{ContigItem, GeneItem, GeneReader};
use super::listing::stream;
use crate::shared::result_format::ResultFormat;
use crate::shared::values::{write_head, write_rows};

/// The genes that a stream reads at a time.
const PART_GENES: usize = 500;

const COLUMNS: &str = "accession name representative start end strand pfam";

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
}

impl GeneFile {
    /// Streams at most `limit` genes.
    pub(super) fn stream(mut self, data: Arc<ProteinGeneration>, format: ResultFormat, limit: u64) -> Response {
        let mut head = Vec::new();
        if format == ResultFormat::Gff3 {
            write_gff3_head(&self.contig, &mut head);
        } else {
            write_head(COLUMNS, format, &mut head);
        }
        stream(format, "contig", head, limit, PART_GENES, move |wanted, text| {
            let Self { key, contig, formulas, next } = &mut self;
            let is_part =
                |(source, _): &(Option<&SourceEntry>, _)| source.map(|source| &source.name) == contig.source.as_ref();
            let Some((_, contigs)) = data.contigs().find(is_part) else { return Ok(0) };
            let (genes, mut reader) = (contigs.genes(*key, *next, wanted)?, GeneReader::new(&data));
            let genes = genes.iter().map(|gene| reader.read(gene)).collect::<store::Result<Vec<_>>>()?;
            if format == ResultFormat::Gff3 {
                for gene in &genes {
                    write_gff3(contig, gene, text);
                }
            } else {
                write_rows(&genes, COLUMNS, format, *formulas, text)?;
            }
            *next += genes.len() as u64;
            Ok(genes.len())
        })
    }
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
