//! The fields of the index, and the terms by which proteins are found.

use std::sync::LazyLock;

use store::{BiomeOrdinal, BiomeTable, FamilyTable, PfamAccession};
use tantivy::Term;
use tantivy::schema::{BytesOptions, Field, FieldType, NumericOptions, Schema};

use crate::{Occurrence, Record};

use super::bucket::{LENGTH_BUCKETS, SIZE_BUCKETS};

/// The column of packed hits, which ascend with the document; see [`super::packed_hit`].
pub(crate) const HIT: &str = "hit";

/// The column with the sizes of large clusters. Other documents have no value in it.
pub(crate) const LARGE_CLUSTER_SIZE: &str = "large_cluster_size";

/// The column of numbers of residues.
pub(crate) const LENGTH: &str = "length";

/// The columns of biomes; see [`super::biome_column`].
pub(crate) const BIOME_CODE: &str = "biome_code";
pub(crate) const SEVERAL_BIOMES: &str = "several_biomes";

/// The column of the numbers of the Pfam families of a protein. A document has any number of them,
/// ascending, and each once.
pub(crate) const FAMILY: &str = "family";

/// All columns.
pub(crate) const COLUMNS: [&str; 6] = [HIT, LARGE_CLUSTER_SIZE, BIOME_CODE, SEVERAL_BIOMES, FAMILY, LENGTH];

/// Clusters of one protein have no term, because they are frequent: they are the proteins without
/// any other size.
pub(crate) const IMPLIED_SIZE_BUCKET: u8 = 1;

pub(crate) struct ProteinSchema {
    pub(crate) schema: Schema,
    /// Terms: the ordinals of the biomes of the protein.
    biome: Field,
    /// Terms: the ordinals of these biomes and of all their ancestors.
    pub(crate) lineage: Field,
    /// Terms and a column: the numbers of the Pfam families of the protein.
    pub(crate) family: Field,
    /// Stored, not indexed.
    pub(crate) record: Field,
    /// Terms: a kind of fact and its value.
    fact: Field,
    /// Terms: accessions.
    pub(crate) clan: Field,
    pub(crate) study: Field,
    pub(crate) assembly: Field,
    /// Terms: the names of own data, as they are written.
    name: Field,
}

impl ProteinSchema {
    /// Returns the fields that have terms.
    pub(crate) fn term_fields(&self) -> [Field; 8] {
        [self.biome, self.lineage, self.family, self.fact, self.clan, self.study, self.assembly, self.name]
    }
}

pub(crate) static SCHEMA: LazyLock<ProteinSchema> = LazyLock::new(|| {
    let column = || NumericOptions::default().set_fast();
    // Without field norms, which only scores need.
    let terms = || NumericOptions::default().set_indexed();
    let texts = || BytesOptions::default().set_indexed();
    let mut builder = Schema::builder();
    // The order of the fields is that of their numbers.
    for name in [HIT, LARGE_CLUSTER_SIZE, BIOME_CODE, SEVERAL_BIOMES] {
        builder.add_u64_field(name, column());
    }
    let biome = builder.add_u64_field("biome", terms());
    let lineage = builder.add_u64_field("lineage", terms());
    let family = builder.add_u64_field(FAMILY, terms().set_fast());
    let record = builder.add_bytes_field("record", BytesOptions::default().set_stored());
    builder.add_u64_field(LENGTH, column());
    let fact = builder.add_u64_field("fact", terms());
    let clan = builder.add_bytes_field("clan", texts());
    let study = builder.add_bytes_field("study", texts());
    let assembly = builder.add_bytes_field("assembly", texts());
    let name = builder.add_bytes_field("name", texts());
    let schema = builder.build();
    ProteinSchema { schema, biome, lineage, family, record, fact, clan, study, assembly, name }
});

/// The term that a search looks up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct SearchTerm<'a> {
    pub(crate) field: Field,
    value: Value<'a>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Value<'a> {
    Number(u64),
    /// In any letter case; the term is [`folded`].
    Text(&'a str),
    Name(&'a str),
}

/// Kinds of facts. The numbers are part of the format.
const FULL_LENGTH: u64 = 0;
const ANY_FAMILY: u64 = 1;
const SIZE_BUCKET: u64 = 2;
const LENGTH_BUCKET: u64 = 3;
const LACK: u64 = 4;

impl<'a> SearchTerm<'a> {
    /// The proteins of the biome itself.
    pub(crate) fn biome(biome: BiomeOrdinal) -> Self {
        Self { field: SCHEMA.biome, value: Value::Number(biome.into()) }
    }

    /// The proteins of the biome or of one below it.
    pub(crate) fn lineage(biome: BiomeOrdinal) -> Self {
        Self { field: SCHEMA.lineage, value: Value::Number(biome.into()) }
    }

    pub(crate) fn family(family: PfamAccession) -> Self {
        Self { field: SCHEMA.family, value: Value::Number(family.0) }
    }

    pub(crate) fn clan(clan: &'a str) -> Self {
        Self { field: SCHEMA.clan, value: Value::Text(clan) }
    }

    pub(crate) fn study(study: &'a str) -> Self {
        Self { field: SCHEMA.study, value: Value::Text(study) }
    }

    pub(crate) fn assembly(assembly: &'a str) -> Self {
        Self { field: SCHEMA.assembly, value: Value::Text(assembly) }
    }

    pub(crate) fn name(name: &'a str) -> Self {
        Self { field: SCHEMA.name, value: Value::Name(name) }
    }

    /// Proteins that are known to be complete, and proteins of unknown completeness. The others,
    /// which are most, have neither term.
    pub(crate) fn complete_or_unknown(full_length: Option<bool>) -> Self {
        Self::fact(FULL_LENGTH, full_length.is_some().into())
    }

    pub(crate) fn any_family() -> Self {
        Self::fact(ANY_FAMILY, 0)
    }

    pub(crate) fn size_bucket(bucket: u8) -> Self {
        Self::fact(SIZE_BUCKET, bucket)
    }

    pub(crate) fn length_bucket(bucket: u8) -> Self {
        Self::fact(LENGTH_BUCKET, bucket)
    }

    /// Proteins without a recorded study.
    pub(crate) fn without_study() -> Self {
        Self::fact(LACK, 0)
    }

    /// Proteins without a recorded assembly.
    pub(crate) fn without_assembly() -> Self {
        Self::fact(LACK, 1)
    }

    fn fact(kind: u64, value: u8) -> Self {
        Self { field: SCHEMA.fact, value: Value::Number(kind << 8 | u64::from(value)) }
    }

    pub(crate) fn to_term(self) -> Term {
        match self.value {
            Value::Number(number) => Term::from_field_u64(self.field, number),
            Value::Text(text) => Term::from_field_bytes(self.field, folded(text).as_bytes()),
            Value::Name(name) => Term::from_field_bytes(self.field, name.as_bytes()),
        }
    }

    /// Returns the value if it is a number that fits.
    pub(crate) fn small_number(self) -> Option<u16> {
        match self.value {
            Value::Number(number) => number.try_into().ok(),
            Value::Text(_) | Value::Name(_) => None,
        }
    }

    /// Appends the value as the engine's dictionary of terms has it.
    pub(crate) fn write_value(self, value: &mut Vec<u8>) {
        match self.value {
            Value::Number(number) => value.extend(number.to_be_bytes()),
            Value::Text(text) if text.is_ascii() => value.extend(text.bytes().map(|byte| byte.to_ascii_uppercase())),
            Value::Text(text) => value.extend(folded(text).bytes()),
            Value::Name(name) => value.extend(name.as_bytes()),
        }
    }
}

/// Returns a text in the letter case that terms have: upper case, in all scripts.
pub(crate) fn folded(text: &str) -> String {
    text.to_uppercase()
}

/// Returns every term by which a record is found, each once, in whatever letter case the record has
/// it. A biome that is not in the table has no term.
pub(crate) fn terms_of(biomes: &BiomeTable, families: &FamilyTable, record: &Record) -> Vec<Term> {
    let mut terms = Vec::with_capacity(32);
    visit_terms(biomes, families, record, |term| terms.push(term.to_term()));
    terms.sort_unstable();
    terms.dedup();
    terms
}

/// Formats a term as its field and its text or number.
pub(crate) fn shown(field: Field, value: &[u8]) -> String {
    let entry = SCHEMA.schema.get_field_entry(field);
    match (entry.field_type(), value.try_into()) {
        (FieldType::U64(_), Ok(number)) => format!("the term {} of {}", u64::from_be_bytes(number), entry.name()),
        _ => format!("the term {:?} of {}", String::from_utf8_lossy(value), entry.name()),
    }
}

/// Visits every term by which a record is found, some of them several times.
pub(crate) fn visit_terms<'a>(
    biomes: &BiomeTable,
    families: &'a FamilyTable,
    record: &'a Record,
    mut visit: impl FnMut(SearchTerm<'a>),
) {
    // The sources have empty texts for unknown values.
    let mut visit = |term: SearchTerm<'a>| {
        if !matches!(term.value, Value::Text("") | Value::Name("")) {
            visit(term);
        }
    };
    for entry in record.biomes.iter().filter(|entry| biomes.get(entry.biome).is_some()) {
        visit(SearchTerm::biome(entry.biome));
        biomes.self_and_ancestors(entry.biome).map(SearchTerm::lineage).for_each(&mut visit);
    }
    for hit in &record.pfam_hits {
        visit(SearchTerm::any_family());
        visit(SearchTerm::family(hit.family));
        families.get(hit.family).and_then(|family| family.clan.as_deref()).map(SearchTerm::clan).map(&mut visit);
    }
    if record.full_length != Some(false) {
        visit(SearchTerm::complete_or_unknown(record.full_length));
    }
    let size_bucket = SIZE_BUCKETS.of(record.cluster_size);
    if size_bucket != IMPLIED_SIZE_BUCKET {
        visit(SearchTerm::size_bucket(size_bucket));
    }
    visit(SearchTerm::length_bucket(LENGTH_BUCKETS.of(record.sequence.len() as u64)));
    for occurrence in &record.occurrences {
        visit(SearchTerm::study(&occurrence.study));
        visit(SearchTerm::assembly(&occurrence.assembly));
    }
    visit(SearchTerm::name(&record.name));
    let lacks = |text: fn(&Occurrence) -> &str| record.occurrences.iter().all(|occurrence| text(occurrence).is_empty());
    if lacks(|occurrence| &occurrence.study) {
        visit(SearchTerm::without_study());
    }
    if lacks(|occurrence| &occurrence.assembly) {
        visit(SearchTerm::without_assembly());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_shown_as_texts_and_numbers() {
        let shown = |term: SearchTerm<'_>| {
            let term = term.to_term();
            super::shown(term.field(), term.serialized_value_bytes())
        };
        assert_eq!(shown(SearchTerm::study("erp00001")), "the term \"ERP00001\" of study");
        assert_eq!(shown(SearchTerm::family(PfamAccession(5))), "the term 5 of family");
    }
}
