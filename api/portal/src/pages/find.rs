//! The search box: accessions, families, biomes, lists, sequences, and words.

mod combined;
mod identifiers;

use api_catalogue::lookup;
use api_http::error::shown;
use api_http::paths;
use api_proteins::suggestions::Kind;
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use store::{PfamAccession, ProteinAccession, looks_like_nucleotides};
use store_catalogue::CatalogueGeneration;
use store_catalogue::model::{ASSEMBLIES, STUDIES};
use store_proteins::{DigestAlgorithm, ProteinGeneration};

use crate::context::address::{Pairs, encoded, segment};
use crate::context::layout::Layout;
use crate::context::page_context::{PageContext, render};
use crate::context::problem::PortalProblem;
use crate::context::typed_sequence::TypedSequence;
use crate::pages::compare;
use crate::parts::accession::proteins_from;
use crate::parts::completion::{self, Completion, completions};
use crate::parts::number::Number;
use crate::parts::own::{self, Mark};
use crate::search;
use combined::Combined;
use identifiers::OutsideIdentifier;

/// Collections whose accessions are looked up.
const COLLECTIONS: [&str; 6] = ["studies", "samples", "runs", "assemblies", "analyses", "genomes"];

/// Collections that are searched for words.
const TEXT_COLLECTIONS: [&str; 3] = ["studies", "samples", "publications"];

/// The kinds of suggestions, with their headings.
const SUGGESTED: [(&str, Kind); 3] = [("Biomes", Kind::Biome), ("Families", Kind::Family), ("Clans", Kind::Clan)];

/// The number of words examined to recognise a list.
const LIST_SAMPLE: usize = 100;

/// The maximum bytes of a text in an address.
const ADDRESS_MAX: usize = 2000;

/// The maximum number of listed proteins with one sequence.
const EXACT_MATCHES_MAX: usize = 100;

#[derive(Template)]
#[template(path = "find.html")]
struct FindPage {
    layout: Layout,
    /// The typed text; empty if it is long.
    typed: String,
    /// The typed text, shortened for display.
    text: String,
    /// Proteins of own data with this name.
    named: Vec<(ProteinAccession, Option<Mark>)>,
    typed_sequence: Option<SequenceAnswer>,
    /// The typed sequence, if similar proteins can be searched for.
    similar_to: String,
    /// An identifier that is not indexed.
    outside: Option<OutsideIdentifier>,
    /// Headings and suggestions; those without proteins come last.
    suggestions: Vec<(&'static str, Vec<Completion>)>,
}

/// The result for a typed sequence.
enum SequenceAnswer {
    /// Several sequences.
    Several(Number),
    /// The index has no sequence digests.
    NotIndexed(Number),
    /// No protein has the sequence.
    Unknown { num_residues: Number, is_dna: bool },
    /// These proteins have the sequence; there may be more.
    Found { proteins: Vec<(ProteinAccession, Option<Mark>)>, has_more: bool },
}

/// Redirects to the page for the text, or shows suggestions.
pub(crate) fn answer(context: &PageContext) -> Result<Response, PortalProblem> {
    let text = context.given().value("text").trim().to_owned();
    if text.is_empty() {
        return Ok(context.redirect(""));
    }
    if is_list(&text) {
        return if context.is_posted() {
            compare::of_list(context, &text, "")
        } else {
            Ok(compare::redirect_to_list(context, &text))
        };
    }
    if context.is_posted() && text.len() <= ADDRESS_MAX {
        return Ok(context.redirect(&format!("find?text={}", encoded(&text))));
    }
    let typed_sequence = TypedSequence::of(&text);
    if typed_sequence.is_none() && text.len() > ADDRESS_MAX {
        let detail = format!("Enter a sequence, protein accessions, or at most {ADDRESS_MAX} bytes of other text.");
        return Err(PortalProblem::Refused(StatusCode::PAYLOAD_TOO_LARGE, detail));
    }
    // Longer texts are sequences.
    let is_short = text.len() <= ADDRESS_MAX;
    if is_short && typed_sequence.is_none() && completion::has_near(&text) {
        let query = Pairs::default().with("q", &search::with_fields(&text)).to_query();
        return Ok(context.redirect(&format!("search{query}")));
    }
    if is_short && let Some(path) = find_page(context, &text)? {
        return Ok(context.redirect(&path));
    }
    let named = own::named(context, &text)?;
    if let [(accession, _)] = named[..] {
        return Ok(context.redirect(&format!("proteins/{accession}")));
    }
    let searches = if is_short { combined::searches(context, &text)? } else { None };
    match searches {
        Some(Combined::One(path)) => Ok(context.redirect(&path)),
        Some(Combined::Several(searches)) => results(context, text, named, typed_sequence, searches),
        None => results(context, text, named, typed_sequence, Vec::new()),
    }
}

/// Shows the proteins with a name or a sequence, or suggestions. Redirects to a single protein with
/// the sequence.
fn results(
    context: &PageContext,
    text: String,
    named: Vec<(ProteinAccession, Option<Mark>)>,
    typed_sequence: Option<TypedSequence>,
    searches: Vec<Completion>,
) -> Result<Response, PortalProblem> {
    let mut layout = context.layout("Find").section("home");
    let mut similar_to = String::new();
    let typed_sequence = match typed_sequence.filter(|_| named.is_empty()) {
        Some(TypedSequence::Several(count)) => Some(SequenceAnswer::Several(Number::of(count))),
        Some(TypedSequence::One(sequence)) => {
            let answer = find_exact(context, &sequence)?;
            if let SequenceAnswer::Found { proteins, has_more: false } = &answer
                && let [(accession, _)] = proteins[..]
            {
                return Ok(context.redirect(&format!("proteins/{accession}")));
            }
            if !matches!(answer, SequenceAnswer::NotIndexed(_)) {
                let md5 = DigestAlgorithm::Md5.digest(&sequence);
                let call = format!("{}?md5={md5}", paths::PROTEINS_ROUTE);
                layout = layout.call("Proteins with this sequence", &call);
            }
            if context.finds_similar() && !looks_like_nucleotides(sequence.as_bytes()) {
                similar_to = sequence;
            }
            Some(answer)
        }
        None => None,
    };
    let (mut suggestions, mut outside) = (vec![("Proteins", searches)], None);
    if typed_sequence.is_none() && named.is_empty() {
        for (heading, kind) in SUGGESTED {
            let mut found = completions(context, &[kind], &text)?;
            found.sort_by_key(|found| found.count == 0);
            suggestions.push((heading, found));
        }
        suggestions.push(("Catalogue", collections_with(context, &text)));
        outside = OutsideIdentifier::of(&text);
    }
    suggestions.retain(|(_, found)| !found.is_empty());
    render(&FindPage {
        layout,
        text: shown(&text).into_owned(),
        typed: if text.len() > ADDRESS_MAX { String::new() } else { text },
        named,
        typed_sequence,
        similar_to,
        outside,
        suggestions,
    })
}

/// Returns the lists of the resources that have all words of a text.
fn collections_with(context: &PageContext, words: &str) -> Vec<Completion> {
    let words = encoded(words);
    let found = TEXT_COLLECTIONS.into_iter().filter_map(|path| {
        // A text that cannot be searched for matches nothing.
        let document = context.document(&format!("/{path}"), &format!("search={words}&page_size=1")).ok()?;
        let count = document.pagination().count;
        let text = format!("{} with these words", Number(count).counted(path));
        let href = format!("{}/portal/{path}?search={words}", context.root());
        (count > 0).then(|| Completion { text, what: String::new(), href, count })
    });
    found.collect()
}

/// Returns whether a text is a list of protein accessions.
fn is_list(text: &str) -> bool {
    let first = ProteinAccession::listed(text).take(LIST_SAMPLE);
    let (accessions, others): (Vec<&str>, Vec<&str>) =
        first.partition(|word| ProteinAccession::parse_as_written(word).is_ok());
    // A long list may contain errors.
    let is_long = accessions.len() + others.len() == LIST_SAMPLE;
    accessions.len() > 1 && (others.is_empty() || is_long && accessions.len() > others.len())
}

/// Finds the proteins with exactly this sequence.
fn find_exact(context: &PageContext, sequence: &str) -> Result<SequenceAnswer, PortalProblem> {
    let num_residues = Number::of(sequence.trim_end_matches('*').len());
    let Some(checksums) = context.proteins()?.checksums() else { return Ok(SequenceAnswer::NotIndexed(num_residues)) };
    let mut accessions = checksums.find_sequence(sequence, None, EXACT_MATCHES_MAX + 1)?;
    let has_more = accessions.len() > EXACT_MATCHES_MAX;
    accessions.truncate(EXACT_MATCHES_MAX);
    if accessions.is_empty() {
        return Ok(SequenceAnswer::Unknown { num_residues, is_dna: looks_like_nucleotides(sequence.as_bytes()) });
    }
    let marks = Mark::of_all(context.proteins()?, accessions.iter().copied())?;
    Ok(SequenceAnswer::Found { proteins: accessions.into_iter().zip(marks).collect(), has_more })
}

/// Returns the path of the page for an unambiguous text.
fn find_page(context: &PageContext, text: &str) -> Result<Option<String>, PortalProblem> {
    if let Some(page) = identifiers::publication_page(context, text)? {
        return Ok(Some(page));
    }
    if let Some(data) = context.proteins.as_ref()
        && let Some(page) = protein_page(data, text)
    {
        return Ok(Some(page));
    }
    if let Some(data) = context.catalogue.as_ref()
        && let Some(page) = catalogue_page(data, text)?
    {
        return Ok(Some(page));
    }
    // The catalogue may lack the study or the assembly of proteins.
    for resource_type in [STUDIES, ASSEMBLIES] {
        if let Some((_, search)) = proteins_from(context, resource_type, &text.to_uppercase())? {
            return Ok(Some(search));
        }
    }
    Ok(None)
}

/// Returns the path of the page of a protein, family, clan or biome.
fn protein_page(data: &ProteinGeneration, text: &str) -> Option<String> {
    if let Ok(accession) = ProteinAccession::parse_as_written(text) {
        return Some(format!("proteins/{accession}"));
    }
    if let Ok(family) = text.parse::<PfamAccession>() {
        return Some(format!("families/{family}"));
    }
    if let Some(clan) = clan(data, text) {
        return Some(format!("clans/{clan}"));
    }
    if data.biomes().find_lineage(text).is_some() {
        return Some(format!("biomes/{}", segment(text)));
    }
    let mut named = data.families().iter().filter(|(_, family)| family.name.eq_ignore_ascii_case(text));
    match (named.next(), named.next()) {
        (Some((family, _)), None) => Some(format!("families/{family}")),
        _ => None,
    }
}

/// Returns the accession of a clan, written in any letter case.
fn clan(data: &ProteinGeneration, text: &str) -> Option<String> {
    let clan = text.to_uppercase();
    data.families().has_clan(&clan).then_some(clan)
}

fn catalogue_page(data: &CatalogueGeneration, text: &str) -> Result<Option<String>, PortalProblem> {
    // A plain number may be the accession of many things.
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Ok(None);
    }
    for path in COLLECTIONS {
        let Some(collection) = lookup::at_path(path, data.contents()) else { continue };
        for identifier in [text, &text.to_uppercase()] {
            if data.find(&collection.resource_type, identifier)?.is_some() {
                return Ok(Some(format!("{path}/{}", segment(identifier))));
            }
        }
    }
    Ok(None)
}
