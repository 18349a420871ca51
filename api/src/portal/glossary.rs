//! The words of the portal, each with a sentence or two.

use askama::Template;
use axum::response::Response;

use super::layout::Layout;
use super::problem::PortalProblem;
use super::visit::{Visit, page};

/// The names of anchors, words, and what they mean, in the order of the words.
const TERMS: [(&str, &str, &str); 22] = [
    (
        "analysis",
        "Analysis",
        "What a version of MGnify's pipeline computed from one run or assembly: its taxa and functions.",
    ),
    ("assembly", "Assembly", "Contigs that were put together from the reads of one or more runs."),
    (
        "biome",
        "Biome",
        "The kind of environment that a sample is from, in the classification of GOLD. Each biome contains those within it.",
    ),
    ("clan", "Clan", "Pfam families that have a common ancestor, such as CL0023, the P-loop NTPases."),
    (
        "cluster",
        "Cluster",
        "Proteins of nearly the same sequence. One of them, the representative, stands for all: a search finds representatives. The cluster size is the number of its proteins.",
    ),
    ("contig", "Contig", "A continuous piece of DNA in an assembly. A protein can be encoded on many contigs."),
    (
        "evalue",
        "E-value",
        "How many matches as good as this one are expected by chance. The smaller, the more certain a match is.",
    ),
    (
        "envelope",
        "Envelope",
        "The residues, counted from 1, that a domain most likely spans: from the first to the last that may belong to the match of a family.",
    ),
    (
        "full-length",
        "Full length",
        "Whether the gene was found from its start to its stop. If not, an end of the contig cuts it off.",
    ),
    (
        "ga4gh",
        "GA4GH identifier",
        "A short name that is computed from a sequence, so that the same sequence has the same name everywhere. It begins with SQ.",
    ),
    (
        "hmm",
        "HMM",
        "The profile of a family: a hidden Markov model. These positions, counted from 1, are those of the profile that a domain matches.",
    ),
    ("lineage", "Lineage", "The path to a biome from the root: the names of all biomes that contain it, then its own."),
    (
        "interval",
        "Log2 ratio",
        "How much larger the share of proteins is here than elsewhere: 1 is twice as large, −1 half as large, 0 the same. The interval holds the true ratio in 95 of 100 cases.",
    ),
    ("md5", "MD5", "A number that is computed from a sequence, by which other databases know it, too."),
    (
        "own",
        "Own data",
        "Proteins that were added to this server beside those of MGnify. Their source says by whom or from what.",
    ),
    (
        "family",
        "Pfam family",
        "Protein domains with a common ancestor, described by a profile, such as PF00005, the ABC transporters.",
    ),
    (
        "q",
        "q, the false discovery rate",
        "About this share of all differences with this q or a smaller one is due to chance. The G-test, or Fisher's exact test if few are expected, corrected by Benjamini and Hochberg.",
    ),
    ("run", "Run", "One run of a sequencing machine on material from a sample."),
    ("sample", "Sample", "What was taken at one place and time, with what was measured there."),
    ("score", "Score", "How well a sequence matches a profile, in bits: the higher, the better."),
    ("strand", "Strand", "The strand of the contig that encodes a protein: + is the given one, − the opposite one."),
    (
        "study",
        "Study",
        "Samples, runs and analyses that belong together, as they were deposited, with a title and a summary.",
    ),
];

#[derive(Template)]
#[template(path = "glossary.html")]
struct GlossaryPage {
    layout: Layout,
    terms: &'static [(&'static str, &'static str, &'static str)],
}

pub(super) fn answer(visit: &Visit) -> Result<Response, PortalProblem> {
    page(&GlossaryPage { layout: visit.layout("Glossary"), terms: &TERMS })
}

/// Returns a word and what it means, by the name of its anchor.
pub(super) fn term(anchor: &str) -> (&'static str, &'static str) {
    TERMS.iter().find(|(known, ..)| *known == anchor).map_or(("", ""), |&(_, word, meaning)| (word, meaning))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_an_order_and_a_meaning() {
        assert!(TERMS.is_sorted_by_key(|(_, word, _)| word.to_lowercase()));
        for template in ["parts", "search", "protein", "biome", "family", "clan"] {
            let path = format!("{}/portal/templates/{template}.html", env!("CARGO_MANIFEST_DIR"));
            let text = std::fs::read_to_string(path).expect("a template");
            for asked in text.split("what(layout, \"").skip(1) {
                let anchor = asked.split('"').next().unwrap_or_default();
                assert_ne!(term(anchor).0, "", "{anchor}");
            }
        }
        assert!(TERMS.iter().all(|(anchor, _, meaning)| term(anchor).1 == *meaning && meaning.ends_with('.')));
    }
}
