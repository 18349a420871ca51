//! Headers of FASTA files from gene finders and other programs.

use indexer::run::{Reason, Rejection};
use indexer::values::{self, quoted};

use super::entry::Facts;
use super::features::{attribute, is_complete};
use super::locus::{is_reverse, range};
use super::{DESCRIPTION_BYTES_MAX, TEXT_BYTES_MAX};

/// The name of a protein, and the facts in its header.
#[derive(Debug, PartialEq)]
pub(super) struct Header {
    pub(super) name: String,
    pub(super) facts: Facts,
    /// Set if the description had to be fixed.
    pub(super) is_fixed: bool,
}

/// Parses a header without its `>`: the name of the protein, and the rest.
pub(super) fn parse_header(header: &[u8]) -> Result<Header, Rejection> {
    // NCBI separates titles by Ctrl-A.
    let end = header.iter().position(|byte| matches!(byte, b' ' | b'\t' | b'\x01')).unwrap_or(header.len());
    let (name, rest) = header.split_at(end);
    let (name, rest) = (values::utf8(name)?, String::from_utf8_lossy(rest));
    if let Some((name, facts)) = metaeuk(name) {
        check_name(&name)?;
        return Ok(Header { name, facts: facts?, is_fixed: false });
    }
    check_name(name)?;
    let (facts, is_fixed) = if let Some(facts) = prodigal(name, rest.trim()) {
        (facts?, false)
    } else {
        let (description, is_fixed) = fixed_description(rest.trim());
        (Facts { description, ..Facts::default() }, is_fixed)
    };
    Ok(Header { name: name.to_owned(), facts, is_fixed })
}

/// Returns a description that can be stored, and whether it was changed. A description is optional,
/// so errors in it never reject the protein.
pub(super) fn fixed_description(text: &str) -> (String, bool) {
    let is_bad =
        |letter: char| letter != '\t' && store_proteins::is_control(letter) || letter == char::REPLACEMENT_CHARACTER;
    let mut description = text.replace(|letter| letter == '\t' || is_bad(letter), " ").trim().to_owned();
    let is_long = description.len() > DESCRIPTION_BYTES_MAX;
    if is_long {
        description.truncate(description.floor_char_boundary(DESCRIPTION_BYTES_MAX));
    }
    (description, is_long || text.contains(is_bad))
}

/// Parses a name from `MetaEuk`, which contains all exons:
/// `TARGET|CONTIG|STRAND|SCORE|E-VALUE|NUMBER|LOW|HIGH|EXON|…`, with 0-based positions. The name of
/// the protein is the part that its GFF has, `TARGET|CONTIG|STRAND|LOW`. Returns `None` for any
/// other text.
fn metaeuk(name: &str) -> Option<(String, Result<Facts, Rejection>)> {
    if !name.ends_with(']') {
        return None;
    }
    let is_exon = |field: &str| field.split(':').count() == 3 && field.ends_with(']') && field.contains("]:");
    let fields: Vec<&str> = name.split('|').collect();
    let num_exons = fields.iter().rev().take_while(|field| is_exon(field)).count();
    let (fields, _) = fields.split_at(fields.len() - num_exons);
    let [target @ .., contig, strand @ ("+" | "-"), _, _, number, low, high] = fields else { return None };
    let [number, start, end] = [number, low, high].map(|number| values::whole(number));
    let (Some(_), Some(start), Some(end), false) = (number, start, end, target.is_empty() || num_exons == 0) else {
        return None;
    };
    let facts = |range| Facts {
        contig: (*contig).to_owned(),
        range: Some(range),
        is_reverse: Some(*strand == "-"),
        ..Facts::default()
    };
    let name = format!("{}|{contig}|{strand}|{low}", target.join("|"));
    Some((name, range("gene", start.saturating_add(1), end.saturating_add(1)).map(facts)))
}

/// Checks the name of a protein.
pub(super) fn check_name(name: &str) -> Result<(), Rejection> {
    if name.is_empty() {
        return Err(Rejection::new(Reason::BadName, "the name is missing"));
    }
    if name.contains('/') {
        return Err(Rejection::new(Reason::BadName, format!("name {} has a slash", quoted(name))));
    }
    values::text("name", name, TEXT_BYTES_MAX).map_err(|bad| Rejection { reason: Reason::BadName, ..bad })?;
    Ok(())
}

/// Parses the text that Prodigal writes after the name, as in `contig_3 # 2 # 181 # -1 #
/// ID=1_3;partial=00;start_type=ATG`, or returns `None` for any other text.
fn prodigal(name: &str, rest: &str) -> Option<Result<Facts, Rejection>> {
    let mut fields = rest.strip_prefix("# ")?.splitn(4, " # ");
    let start = values::whole(fields.next()?)?;
    let end = values::whole(fields.next()?)?;
    let is_reverse = Some(is_reverse(fields.next()?)?);
    let full_length = attribute(fields.next()?, "partial").map(is_complete);
    let (contig, _) = name.rsplit_once('_').unwrap_or_default();
    let facts = |range| Facts { contig: contig.to_owned(), range, is_reverse, full_length, ..Facts::default() };
    Some(range("gene", start, end).map(Some).map(facts))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_have_a_locus_or_a_description() {
        let locus = |contig: &str, range, is_reverse, full_length| Facts {
            contig: contig.to_owned(),
            range: Some(range),
            is_reverse: Some(is_reverse),
            full_length,
            ..Facts::default()
        };
        let description = |text: &str| Facts { description: text.to_owned(), ..Facts::default() };
        for (header, name, facts) in [
            (
                "k141_7_3 # 2 # 181 # -1 # ID=1_3;partial=00;gc_cont=0.3",
                "k141_7_3",
                locus("k141_7", (2, 181), true, Some(true)),
            ),
            ("c_1 # 2 # 181 # 1 # ID=1_1;partial=10;start_type=Edge", "c_1", locus("c", (2, 181), false, Some(false))),
            ("c_1 # 2 # 181 # 1 # ID=1_1", "c_1", locus("c", (2, 181), false, None)),
            ("renamed # 2 # 181 # 1 # partial=01", "renamed", locus("", (2, 181), false, Some(false))),
            ("one", "one", Facts::default()),
            ("one  ", "one", Facts::default()),
            ("one an ABC\ttransporter [Bacillus] ", "one", description("an ABC transporter [Bacillus]")),
            ("one # 2 # 181", "one", description("# 2 # 181")),
            ("one # 2 # 181 # + # by hand", "one", locus("", (2, 181), false, None)),
            ("one # a # b # c # d", "one", description("# a # b # c # d")),
        ] {
            let header_of = |name: &str, facts| Header { name: name.to_owned(), facts, is_fixed: false };
            assert_eq!(parse_header(header.as_bytes()), Ok(header_of(name, facts)), "{header}");
        }
    }

    #[test]
    fn bad_descriptions_are_fixed() {
        let long = "é".repeat(DESCRIPTION_BYTES_MAX);
        for (rest, expected) in [
            ("two\x01three".as_bytes(), "two three"),
            (b" \x1b[31m red \x07", "[31m red"),
            (b"latin \xe9t\xe9", "latin  t "),
            (long.as_bytes(), &long[..DESCRIPTION_BYTES_MAX]),
        ] {
            for separator in [" ", "\x01"] {
                let header = parse_header(&[b"one", separator.as_bytes(), rest].concat()).expect("a header");
                assert_eq!((&*header.name, header.is_fixed), ("one", true));
                assert_eq!(header.facts.description, expected.trim());
            }
        }
    }

    #[test]
    fn metaeuk_names_match_its_features() {
        let exons = "194[194]:264[264]:71[71]|404[404]:474[474]:71[71]";
        let facts = Facts {
            contig: "NODE_20".to_owned(),
            range: Some((195, 2283)),
            is_reverse: Some(true),
            ..Facts::default()
        };
        for (target, has_exons) in [("AB0000001.1", true), ("sp|P1|A_B", true), ("AB0000001.1", false)] {
            let name = format!("{target}|NODE_20|-|823|3.852e-238|2|194|2282");
            let header = parse_header(format!("{name}|{exons}").as_bytes()).expect("a header");
            assert_eq!((header.name, &header.facts), (format!("{target}|NODE_20|-|194"), &facts));
            if !has_exons {
                let header = parse_header(name.as_bytes()).expect("a header");
                assert_eq!((header.name, header.facts), (name, Facts::default()));
            }
        }
    }

    #[test]
    fn each_fault_has_its_reason() {
        let long = format!("{} x", "n".repeat(TEXT_BYTES_MAX + 1));
        for (header, reason) in [
            (&b""[..], Reason::BadName),
            (b" one", Reason::BadName),
            (b"a/1-7 x", Reason::BadName),
            (b"a\x07b", Reason::BadName),
            (long.as_bytes(), Reason::BadName),
            (b"\xff", Reason::BadRow),
            (b"c_1 # 181 # 2 # 1 # ID=1_1", Reason::BadNumber),
            (b"c_1 # 0 # 2 # 1 # ID=1_1", Reason::BadNumber),
            (b"c_1 # 1 # 4294967296 # 1 # ID=1_1", Reason::BadNumber),
        ] {
            let fault = parse_header(header).expect_err(&String::from_utf8_lossy(header));
            assert_eq!(fault.reason, reason, "{}", fault.detail);
        }
        assert!(parse_header(&long.as_bytes()[1..]).is_ok());
    }
}
