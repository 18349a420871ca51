//! Headers of FASTA, as gene finders and others write them.

use super::entry::Facts;
use super::features::{attribute, is_complete};
use super::locus::{is_reverse, range};
use super::{DESCRIPTION_BYTES_MAX, TEXT_BYTES_MAX};
use crate::run::{Reason, Rejection};
use crate::values::{self, quoted};

/// Parses a header without its `>`: the name of the protein, and what follows it.
pub(super) fn parse_header(header: &[u8]) -> Result<(String, Facts), Rejection> {
    let text = values::utf8(header)?;
    let (name, rest) = text.split_once([' ', '\t']).unwrap_or((text, ""));
    check_name(name)?;
    let facts = if let Some(facts) = prodigal(name, rest.trim()) {
        facts?
    } else {
        let description = rest.trim().replace('\t', " ");
        values::text("description", &description, DESCRIPTION_BYTES_MAX)?;
        Facts { description, ..Facts::default() }
    };
    Ok((name.to_owned(), facts))
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

/// Parses what Prodigal writes behind the name, as in `contig_3 # 2 # 181 # -1 # ID=1_3;partial=00;start_type=ATG`, or returns `None` for
/// any other text.
fn prodigal(name: &str, rest: &str) -> Option<Result<Facts, Rejection>> {
    let mut fields = rest.strip_prefix("# ")?.splitn(4, " # ");
    let start = values::whole(fields.next()?)?;
    let end = values::whole(fields.next()?)?;
    let is_reverse = Some(is_reverse(fields.next()?)?);
    let full_length = attribute(fields.next()?, "partial").map(is_complete);
    let (contig, _) = name.rsplit_once('_').unwrap_or_default();
    let facts = |range| Facts { contig: contig.to_owned(), range, is_reverse, full_length, ..Facts::default() };
    Some(range("gene", (start, end)).map(Some).map(facts))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_follows_the_name_is_a_locus_or_a_description() {
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
            assert_eq!(parse_header(header.as_bytes()), Ok((name.to_owned(), facts)), "{header}");
        }
    }

    #[test]
    fn each_fault_has_its_reason() {
        let long = format!("{} x", "n".repeat(TEXT_BYTES_MAX + 1));
        let longer = format!("one {}", "n".repeat(DESCRIPTION_BYTES_MAX + 1));
        for (header, reason) in [
            (&b""[..], Reason::BadName),
            (b" one", Reason::BadName),
            (b"a/1-7 x", Reason::BadName),
            (b"a\x07b", Reason::BadName),
            (long.as_bytes(), Reason::BadName),
            (b"\xff", Reason::BadRow),
            (b"one two\x01three", Reason::BadText),
            (longer.as_bytes(), Reason::BadText),
            (b"c_1 # 181 # 2 # 1 # ID=1_1", Reason::BadNumber),
            (b"c_1 # 0 # 2 # 1 # ID=1_1", Reason::BadNumber),
            (b"c_1 # 1 # 4294967296 # 1 # ID=1_1", Reason::BadNumber),
        ] {
            let fault = parse_header(header).expect_err(&String::from_utf8_lossy(header));
            assert_eq!(fault.reason, reason, "{}", fault.detail);
        }
        assert!(
            parse_header(&long.as_bytes()[1..]).is_ok() && parse_header(&longer.as_bytes()[..longer.len() - 1]).is_ok()
        );
    }
}
