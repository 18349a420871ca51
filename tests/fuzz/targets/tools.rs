//! Files of other tools: the output of HMMER, and its profiles.

use similarity::{Query, read_output};

use super::parts;

/// The parts are the tables of hits and domains, and the alignments. Rows of an alignment have the
/// same columns, and fewer hits are the first of more.
pub(super) fn hits(input: &[u8]) {
    let [(_, hits), (_, domains), (_, alignments)] = parts(input)[..] else { return };
    let Some(found) = read_output([hits, domains, alignments], 10) else { return };
    for domain in found.iter().flat_map(|hit| &hit.domains) {
        assert_eq!(domain.query.len(), domain.target.len());
        assert!(domain.from <= domain.to && domain.query_from <= domain.query_to);
    }
    let first = read_output([hits, domains, alignments], 1).expect("part of it");
    assert_eq!(first[..], found[..found.len().min(1)]);
}

/// A profile that was rewritten is complete, and is a sequence only if it is nothing else.
pub(super) fn profiles(input: &[u8]) {
    let Ok(text) = str::from_utf8(input) else { return };
    if let Ok((query, _)) = Query::fasta(text) {
        assert!(query.length() > 0);
    }
    let Ok(query) = Query::profile(text) else { return };
    let Query::Profile { text: written, num_positions } = &query else { panic!("{query:?}") };
    assert!(*num_positions > 0 && written.is_ascii() && written.ends_with("//\n"), "{written}");
    assert!(Query::fasta(text).is_err());
}
