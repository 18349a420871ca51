//! The search box: accessions, families, biomes, lists, sequences, and words.

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

use crate::context::address::{encoded, segment};
use crate::context::layout::Layout;
use crate::context::problem::PortalProblem;
use crate::context::typed_sequence::TypedSequence;
use crate::context::visit::{Visit, page, redirect};
use crate::pages::compare;
use crate::parts::accession::proteins_from;
use crate::parts::completion::{Completion, completions};
use crate::parts::number::Number;
use crate::parts::own::{self, Mark};

/// Collections whose accessions are looked up.
const COLLECTIONS: [&str; 5] = ["studies", "samples", "runs", "assemblies", "analyses"];

/// Collections whose texts are searched for words.
const WITH_TEXTS: [&str; 2] = ["studies", "samples"];

/// The words of a list by which it is known.
const LOOKED_AT: usize = 100;

/// The bytes of a text that an address may have.
const ADDRESS_MAX: usize = 2000;

/// The most proteins of one sequence that are listed.
const SAME_MAX: usize = 100;

#[derive(Template)]
#[template(path = "find.html")]
struct FindPage {
    layout: Layout,
    typed: String,
    /// The typed text, shortened.
    text: String,
    /// Proteins of own data that have this name.
    named: Vec<(ProteinAccession, Option<Mark>)>,
    typed_sequence: Option<SequenceAnswer>,
    /// The typed sequence, if similar ones can be found.
    similar_to: String,
    near: Vec<Completion>,
    /// The collections with resources that have the words: how many, and the address of their list.
    with_words: Vec<(Number, &'static str, String)>,
}

/// The answer to a sequence that was typed.
enum SequenceAnswer {
    /// Several cannot be looked up here, but by this request.
    Several { count: Number, url: String },
    /// The index has no digests of sequences.
    NotIndexed(Number),
    /// No protein has it.
    Unknown { num_residues: Number, is_dna: bool },
    /// These proteins have it, and perhaps more.
    Found { proteins: Vec<(ProteinAccession, Option<Mark>)>, has_more: bool },
}

/// Leads to the page that the text names, or shows suggestions.
pub(crate) fn answer(visit: &Visit) -> Result<Response, PortalProblem> {
    let text = visit.given().value("text").trim().to_owned();
    if text.is_empty() {
        return Ok(redirect(&format!("{}/portal/", visit.root())));
    }
    if is_list(&text) {
        let is_posted = visit.is_posted();
        return if is_posted { compare::of_list(visit, &text, "") } else { Ok(compare::lead_to_list(visit, &text)) };
    }
    if visit.is_posted() && text.len() <= ADDRESS_MAX {
        return Ok(redirect(&format!("{}/portal/find?text={}", visit.root(), encoded(&text))));
    }
    let typed_sequence = TypedSequence::of(&text);
    if typed_sequence.is_none() && text.len() > ADDRESS_MAX {
        let detail = format!("Enter a sequence, protein accessions, or at most {ADDRESS_MAX} bytes of other text.");
        return Err(PortalProblem::Refused(StatusCode::PAYLOAD_TOO_LARGE, detail));
    }
    if let Some(path) = meant(visit, &text)? {
        return Ok(redirect(&format!("{}/portal/{path}", visit.root())));
    }
    let named = own::named(visit, &text)?;
    if let [(accession, _)] = named[..] {
        return Ok(to_protein(visit, accession));
    }
    let mut layout = visit.layout("Find").section("home");
    let mut similar_to = String::new();
    let typed_sequence = match typed_sequence.filter(|_| named.is_empty()) {
        Some(TypedSequence::Several(count)) => {
            let url = format!("{}{}", visit.base(), paths::SEQUENCES_SEARCH_ROUTE);
            Some(SequenceAnswer::Several { count: Number::of(count), url })
        }
        Some(TypedSequence::One(sequence)) => {
            let answer = look_up(visit, &sequence)?;
            if let SequenceAnswer::Found { proteins, has_more: false } = &answer
                && let [(accession, _)] = proteins[..]
            {
                return Ok(to_protein(visit, accession));
            }
            if !matches!(answer, SequenceAnswer::NotIndexed(_)) {
                let md5 = DigestAlgorithm::Md5.digest(&sequence);
                let call = format!("{}?md5={md5}", paths::PROTEINS_ROUTE);
                layout = layout.call("Proteins with this sequence", visit.base(), &call);
            }
            if visit.finds_similar() && !looks_like_nucleotides(sequence.as_bytes()) {
                similar_to = sequence;
            }
            Some(answer)
        }
        None => None,
    };
    let (mut near, mut with_words) = (Vec::new(), Vec::new());
    if typed_sequence.is_none() && named.is_empty() {
        near = completions(visit, &[Kind::Biome, Kind::Family, Kind::Clan], &text)?;
        with_words = collections_with(visit, &text);
    }
    page(&FindPage {
        layout,
        text: shown(&text).into_owned(),
        typed: text,
        named,
        typed_sequence,
        similar_to,
        near,
        with_words,
    })
}

fn to_protein(visit: &Visit, accession: ProteinAccession) -> Response {
    redirect(&format!("{}/portal/proteins/{accession}", visit.root()))
}

/// Returns the collections with resources that have all words of a text: how many, and the address of their list.
fn collections_with(visit: &Visit, text: &str) -> Vec<(Number, &'static str, String)> {
    let encoded = encoded(text);
    let found = WITH_TEXTS.into_iter().filter_map(|path| {
        // A text that cannot be searched for is in none.
        let document = visit.document(&format!("/{path}"), &format!("search={encoded}&page_size=1")).ok()?;
        let address = format!("{}/portal/{path}?search={encoded}", visit.root());
        Some((Number(document.pagination().count), path, address))
    });
    found.filter(|(count, ..)| count.0 > 0).collect()
}

/// Tells whether a text is several accessions of proteins.
fn is_list(text: &str) -> bool {
    let first = ProteinAccession::listed(text).take(LOOKED_AT);
    let (accessions, others): (Vec<&str>, Vec<&str>) =
        first.partition(|word| ProteinAccession::parse_as_written(word).is_ok());
    // A long list may have slips.
    let is_long = accessions.len() + others.len() == LOOKED_AT;
    accessions.len() > 1 && (others.is_empty() || is_long && accessions.len() > others.len())
}

/// Finds the proteins of exactly a sequence.
fn look_up(visit: &Visit, sequence: &str) -> Result<SequenceAnswer, PortalProblem> {
    let num_residues = Number::of(sequence.len());
    let Some(checksums) = visit.proteins()?.checksums() else { return Ok(SequenceAnswer::NotIndexed(num_residues)) };
    let mut accessions = checksums.find_sequence(sequence, None, SAME_MAX + 1)?;
    let has_more = accessions.len() > SAME_MAX;
    accessions.truncate(SAME_MAX);
    if accessions.is_empty() {
        return Ok(SequenceAnswer::Unknown { num_residues, is_dna: looks_like_nucleotides(sequence.as_bytes()) });
    }
    let marks = Mark::of_all(visit.proteins()?, accessions.iter().copied())?;
    Ok(SequenceAnswer::Found { proteins: accessions.into_iter().zip(marks).collect(), has_more })
}

/// Returns the path of the page that a text names unambiguously.
fn meant(visit: &Visit, text: &str) -> Result<Option<String>, PortalProblem> {
    if let Some(data) = visit.proteins.as_ref()
        && let Some(page) = of_proteins(data, text)
    {
        return Ok(Some(page.unwrap_or_else(|directory| format!("{directory}/{}", segment(text)))));
    }
    if let Some(data) = visit.catalogue.as_ref()
        && let Some(page) = of_catalogue(data, text)?
    {
        return Ok(Some(page));
    }
    of_what_the_catalogue_lacks(visit, &text.to_uppercase())
}

/// Returns the proteins from a study or assembly.
fn of_what_the_catalogue_lacks(visit: &Visit, accession: &str) -> Result<Option<String>, PortalProblem> {
    for resource_type in [STUDIES, ASSEMBLIES] {
        if let Some((_, path)) = proteins_from(visit, resource_type, accession)? {
            return Ok(Some(path));
        }
    }
    Ok(None)
}

/// Returns the page of a protein, family, clan or biome: its whole path, or what stands before the text itself.
fn of_proteins(data: &ProteinGeneration, text: &str) -> Option<Result<String, &'static str>> {
    if let Ok(accession) = ProteinAccession::parse_as_written(text) {
        return Some(Ok(format!("proteins/{accession}")));
    }
    if let Ok(family) = text.parse::<PfamAccession>() {
        return Some(Ok(format!("families/{family}")));
    }
    let clan = text.to_uppercase();
    if data.families().iter().any(|(_, family)| family.clan.as_deref() == Some(&clan)) {
        return Some(Ok(format!("clans/{clan}")));
    }
    if data.biomes().find_lineage(text).is_some() {
        return Some(Err("biomes"));
    }
    let mut named = data.families().iter().filter(|(_, family)| family.name.eq_ignore_ascii_case(text));
    match (named.next(), named.next()) {
        (Some((family, _)), None) => Some(Ok(format!("families/{family}"))),
        _ => None,
    }
}

fn of_catalogue(data: &CatalogueGeneration, text: &str) -> Result<Option<String>, PortalProblem> {
    // A bare number is an accession of many things.
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
