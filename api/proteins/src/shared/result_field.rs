//! The fields of results, and their values.

use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;

use api_tables::Cell;
use store_proteins::{
    DigestAlgorithm, FoundProtein, Occurrence, PfamAnnotation, Protein, RecordParts, known_cluster_size,
};

/// A field of a result, in the order of the table of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultField {
    /// The accession.
    Accession,
    /// The number of residues.
    Length,
    /// Set if the gene is complete.
    FullLength,
    /// The number of proteins in the cluster that it represents.
    ClusterSize,
    /// The residues.
    Sequence,
    /// The MD5 digest of the sequence.
    Md5,
    /// The GA4GH digest of the sequence.
    Ga4gh,
    /// The lineages of the biomes in which it was found.
    Biomes,
    /// The accessions of its Pfam families.
    Pfam,
    /// The names of these families, in the same order.
    PfamNames,
    /// The accessions of the clans of these families.
    Clans,
    /// The accessions of the studies in which it occurs.
    Studies,
    /// The accessions of the assemblies in which it occurs.
    Assemblies,
    /// The name of a protein of own data.
    Name,
    /// The source of a protein of own data.
    Source,
    /// The description by its source.
    Description,
}

impl ResultField {
    /// All fields with their names, and the part of the record with the value. Values from the
    /// columns of the index need no part.
    const TABLE: [(Self, &'static str, RecordParts); 16] = [
        (Self::Accession, "accession", RecordParts::NONE),
        (Self::Length, "length", RecordParts::NONE),
        (Self::FullLength, "full_length", RecordParts::NONE),
        (Self::ClusterSize, "cluster_size", RecordParts::NONE),
        (Self::Sequence, "sequence", RecordParts::SEQUENCE),
        (Self::Md5, "md5", RecordParts::SEQUENCE),
        (Self::Ga4gh, "ga4gh", RecordParts::SEQUENCE),
        (Self::Biomes, "biomes", RecordParts::BIOMES),
        (Self::Pfam, "pfam", RecordParts::PFAM_HITS),
        (Self::PfamNames, "pfam_names", RecordParts::PFAM_HITS),
        (Self::Clans, "clans", RecordParts::PFAM_HITS),
        (Self::Studies, "studies", RecordParts::OCCURRENCES),
        (Self::Assemblies, "assemblies", RecordParts::OCCURRENCES),
        (Self::Name, "name", RecordParts::NAME),
        (Self::Source, "source", RecordParts::NAME),
        (Self::Description, "description", RecordParts::NAME),
    ];

    /// The default fields of a result. They are known without reading the record.
    pub const DEFAULT: [Self; 4] = [Self::Accession, Self::Length, Self::FullLength, Self::ClusterSize];

    /// Returns all fields.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::TABLE.into_iter().map(|(field, ..)| field)
    }

    /// Returns the name.
    pub const fn name(self) -> &'static str {
        Self::TABLE[self as usize].1
    }

    pub(super) const fn part(self) -> RecordParts {
        Self::TABLE[self as usize].2
    }

    /// Returns the value of a protein. The record is required if
    /// [`super::results::ResultWriter::needs_records`].
    pub(crate) fn value(self, found: &FoundProtein, protein: Option<&Protein>) -> Cell {
        let sequence = || protein.map_or("", |protein| &*protein.sequence);
        let unless_empty = |text: fn(&Protein) -> &str| {
            Cell::Text(protein.map(text).filter(|text| !text.is_empty()).map(str::to_owned))
        };
        match self {
            Self::Accession => Cell::text(found.accession),
            Self::Length => Cell::number(found.length),
            Self::FullLength => Cell::Truth(found.full_length),
            Self::ClusterSize => known_cluster_size(found.cluster_size).map_or(Cell::Number(None), Cell::number),
            Self::Sequence => Cell::text(sequence()),
            Self::Md5 => Cell::text(DigestAlgorithm::Md5.digest(sequence())),
            Self::Ga4gh => Cell::text(DigestAlgorithm::Sha512t24u.digest(sequence())),
            Self::Name => unless_empty(|protein| &protein.name),
            Self::Source => unless_empty(|protein| protein.source.as_deref().unwrap_or_default()),
            Self::Description => unless_empty(|protein| &protein.description),
            Self::PfamNames => Cell::List(protein.map(family_names).unwrap_or_default()),
            Self::Biomes | Self::Pfam | Self::Clans | Self::Studies | Self::Assemblies => {
                Cell::List(protein.map(|protein| self.texts(protein)).unwrap_or_default().into_iter().collect())
            }
        }
    }

    /// Returns the texts of a field whose value is a list of texts; other fields have none.
    pub(crate) fn texts(self, protein: &Protein) -> BTreeSet<String> {
        let Protein { biomes, pfam_annotations, occurrences, .. } = protein;
        match self {
            Self::Biomes => biomes.iter().map(|biome| biome.lineage.clone()).collect(),
            Self::Pfam => pfam_annotations.iter().map(|found| found.hit.family.to_string()).collect(),
            Self::Clans => {
                pfam_annotations.iter().filter_map(|found| Some(found.clan.as_deref()?.to_owned())).collect()
            }
            Self::Studies | Self::Assemblies => {
                let text = |found: &Occurrence| {
                    if self == Self::Studies { found.study.clone() } else { found.assembly.clone() }
                };
                occurrences.iter().map(text).filter(|text| !text.is_empty()).collect()
            }
            _ => BTreeSet::new(),
        }
    }
}

/// Returns the names of the Pfam families, in the order of their accessions. Their semicolons become
/// commas, because semicolons separate the values of a cell.
fn family_names(protein: &Protein) -> Vec<String> {
    let name = |found: &PfamAnnotation| (found.hit.family.to_string(), found.name.replace(';', ","));
    protein.pfam_annotations.iter().map(name).collect::<BTreeMap<_, _>>().into_values().collect()
}

impl FromStr for ResultField {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::all().find(|field| field.name() == name).ok_or_else(|| {
            let names = Self::TABLE.map(|(_, name, _)| name).join(", ");
            format!("Unknown field \"{}\". Choose from: {names}.", api_http::error::shown(name))
        })
    }
}
