//! Coding sequences in GFF3.

use std::borrow::Cow;
use std::iter;

use indexer::run::{Reason, Rejection};
use indexer::values;
use percent_encoding::percent_decode_str;

use super::TEXT_BYTES_MAX;
use super::entry::Facts;
use super::locus::{is_reverse, range, whole};

const NUM_COLUMNS: usize = 9;

/// The attributes that name the protein, the best first. Prodigal has none of them; `MetaEuk` has
/// only the second last; BRAKER and others, whose proteins have the names of transcripts, have the
/// last.
const NAMES: [&str; 5] = ["protein_id", "locus_tag", "ID", "TCS_ID", PARENT];

/// The attribute with the transcript or gene that a coding sequence is a part of.
const PARENT: &str = "Parent";

/// The suffix of a protein name that `MetaEuk` adds for its coding sequences.
const METAEUK_PART: &str = "_CDS_";

/// The prefix of ids of coding sequences, which the names of their proteins may lack.
const ID_PREFIX: &str = "cds-";

/// A line.
#[derive(Debug, PartialEq)]
pub(super) enum FeatureLine {
    /// A comment, a directive, or a blank line.
    None,
    /// The start of the sequences.
    End,
    /// A feature that does not code for a protein.
    Other,
    Coding(CodingSequence),
}

/// A coding sequence, which may be one of several parts of a gene.
#[derive(Debug, PartialEq)]
pub(super) struct CodingSequence {
    /// The possible names of the protein, the best first, each once.
    pub(super) names: Vec<String>,
    /// The parent, otherwise the id. The parts of a gene share it; it may be empty.
    pub(super) id: String,
    pub(super) facts: Facts,
}

pub(super) fn read(text: &str) -> Result<FeatureLine, Rejection> {
    if text.starts_with("##FASTA") || text.starts_with('>') {
        return Ok(FeatureLine::End);
    }
    if text.starts_with('#') || text.trim_ascii().is_empty() {
        return Ok(FeatureLine::None);
    }
    let columns: Vec<&str> = text.split('\t').collect();
    let &[sequence, _, kind, start, end, _, strand, _, attributes] = columns.as_slice() else {
        let detail = format!("expected {NUM_COLUMNS} columns, found {}", columns.len());
        return Err(Rejection::new(Reason::BadRow, detail));
    };
    if kind != "CDS" {
        return Ok(FeatureLine::Other);
    }
    let id = attribute(attributes, "ID").map(decoded).transpose()?.unwrap_or_default();
    let names = names(sequence, &id, attributes)?;
    let gene = attribute(attributes, PARENT).map(decoded).transpose()?.unwrap_or(id);
    let contig = decoded(sequence)?;
    let facts = Facts {
        contig: values::text("contig", &contig, TEXT_BYTES_MAX)?.to_owned(),
        range: Some(range("gene", whole("start", start)?, whole("end", end)?)?),
        is_reverse: is_reverse(strand),
        full_length: attribute(attributes, "partial").map(is_complete),
        ..Facts::default()
    };
    Ok(FeatureLine::Coding(CodingSequence { names, id: gene.into_owned(), facts }))
}

/// Returns the possible names of a protein. With Prodigal's `ID=1_3`, it is only the name of the
/// contig with `_3`: otherwise numbers of contigs would be confused with their names.
fn names(sequence: &str, id: &str, attributes: &str) -> Result<Vec<String>, Rejection> {
    if let Some((contig, gene)) = id.split_once('_')
        && [contig, gene].iter().all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
    {
        return Ok(vec![format!("{sequence}_{gene}")]);
    }
    let mut names: Vec<String> = Vec::with_capacity(NAMES.len() + 1);
    // An attribute may have several values.
    let values = NAMES.into_iter().filter_map(|wanted| attribute(attributes, wanted));
    for value in values.flat_map(|values| values.split(',')) {
        let value = decoded(value)?;
        let metaeuk_name = value.rsplit_once(METAEUK_PART).map(|(name, _)| name);
        for name in iter::once(&*value).chain(value.strip_prefix(ID_PREFIX)).chain(metaeuk_name) {
            if !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
    }
    Ok(names)
}

/// Returns the value of an attribute, as in `ID=1_3;partial=00`.
pub(super) fn attribute<'a>(attributes: &'a str, wanted: &str) -> Option<&'a str> {
    let mut pairs = attributes.split(';').filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|&(key, _)| key == wanted).map(|(_, value)| value)
}

/// Returns whether a gene has both of its ends, according to the attribute `partial`.
pub(super) fn is_complete(partial: &str) -> bool {
    partial == "00"
}

fn decoded(text: &str) -> Result<Cow<'_, str>, Rejection> {
    let bad = |error| Rejection::new(Reason::BadRow, format!("not UTF-8 text: {error}"));
    percent_decode_str(text).decode_utf8().map_err(bad)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coding(text: &str) -> CodingSequence {
        match read(text).expect(text) {
            FeatureLine::Coding(sequence) => sequence,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn proteins_are_named_by_their_genes() {
        for (columns, names) in [
            // Prodigal, Pyrodigal, and contigs that look like numbers.
            ("k141_7 P CDS 2 181 8.4 - 0 ID=1_3;partial=00;start_type=ATG;", vec!["k141_7_3"]),
            ("k141_7 P CDS 2 181 8.4 - 0 ID=k141_7_3;partial=00", vec!["k141_7_3"]),
            ("2 P CDS 2 181 8.4 - 0 ID=1_3", vec!["2_3"]),
            // NCBI, Prokka, and Bakta.
            (
                "NC_1.1 RefSeq CDS 2 181 . - 0 ID=cds-WP_1.1;Parent=gene-b1;locus_tag=b1;protein_id=WP_1.1",
                vec!["WP_1.1", "b1", "cds-WP_1.1", "gene-b1"],
            ),
            ("c1 Prodigal:2.6 CDS 2 181 . - 0 ID=ABC_00001;inference=x;locus_tag=ABC_00001", vec!["ABC_00001"]),
            ("c1 x CDS 2 181 . - 0 ID=cds-a%2Cb", vec!["cds-a,b", "a,b"]),
            ("c1 x CDS 2 181 . - 0 Parent=mRNA1,mRNA2", vec!["mRNA1", "mRNA2"]),
            // BRAKER, and MetaEuk.
            ("c1 AUGUSTUS CDS 2 181 . - 0 ID=g1.t1.CDS1;Parent=g1.t1;", vec!["g1.t1.CDS1", "g1.t1"]),
            (
                "c1 x CDS 2 181 . - 0 Target_ID=T;TCS_ID=T|c1|-|1_CDS_0;Parent=T|c1|-|1_exon_0",
                vec!["T|c1|-|1_CDS_0", "T|c1|-|1", "T|c1|-|1_exon_0"],
            ),
        ] {
            assert_eq!(coding(&columns.replace(' ', "\t")).names, names, "{columns}");
        }
    }

    #[test]
    fn a_line_has_a_locus() {
        let facts = |text: &str| coding(&text.replace(' ', "\t")).facts;
        let expected = Facts {
            contig: "a c".to_owned(),
            range: Some((2, 181)),
            is_reverse: Some(true),
            full_length: Some(false),
            ..Facts::default()
        };
        assert_eq!(facts("a%20c x CDS 2 181 . - 0 ID=1_3;partial=01"), expected);
        let ncbi = Facts { is_reverse: Some(false), ..expected.clone() };
        assert_eq!(facts("a%20c x CDS 2 181 . + 0 ID=x;partial=true"), ncbi);
        let unknown = Facts { is_reverse: None, full_length: None, ..expected };
        assert_eq!(facts("a%20c x CDS 2 181 . ? 0 ID=x"), unknown);
    }

    #[test]
    fn other_lines_are_recognized_and_errors_have_reasons() {
        for text in ["", " ", "##gff-version  3", "# Sequence Data: seqnum=1", "###"] {
            assert_eq!(read(text), Ok(FeatureLine::None), "{text:?}");
        }
        for text in ["##FASTA", ">c1"] {
            assert_eq!(read(text), Ok(FeatureLine::End));
        }
        assert_eq!(read("c1\tx\tgene\tx\ty\t.\t+\t.\tID=g"), Ok(FeatureLine::Other));
        let long = format!("{} x CDS 2 181 . + 0 ID=x", "c".repeat(TEXT_BYTES_MAX + 1));
        for (columns, reason) in [
            ("c1 x CDS 2 181 . + 0", Reason::BadRow),
            ("c1 x CDS 2 181 . + 0 ID=x y", Reason::BadRow),
            ("c1 x CDS 2 181 . + 0 ID=%ff", Reason::BadRow),
            ("c1 x CDS x 181 . + 0 ID=x", Reason::BadNumber),
            ("c1 x CDS 182 181 . + 0 ID=x", Reason::BadNumber),
            ("c1 x CDS 0 181 . + 0 ID=x", Reason::BadNumber),
            ("c%07 x CDS 2 181 . + 0 ID=x", Reason::BadText),
            (&long, Reason::BadText),
        ] {
            assert_eq!(read(&columns.replace(' ', "\t")).expect_err(columns).reason, reason, "{columns}");
        }
    }
}
