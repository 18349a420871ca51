//! The answers that the service must give for a release.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::sync::LazyLock;

use serde_json::{Value, json};

use crate::loading::release::rows::{Hit, Place, Rows};
use support::data_text;

/// The number of hits that an answer has at most.
pub(crate) const LIMIT: usize = 1000;

/// Hits by search term, ascending.
pub(crate) type Found<K> = BTreeMap<K, Vec<u64>>;

/// All records and the answers of all searches.
#[derive(Debug, Default)]
pub(crate) struct Truth {
    /// The records by accession.
    pub(crate) records: BTreeMap<u64, Value>,
    /// Accessions that exist and have no record.
    pub(crate) others: BTreeSet<u64>,
    /// Proteins by the ids of their own biomes; every id of the table is here.
    pub(crate) by_biome: Found<i64>,
    /// Proteins by lineages and all prefixes; every lineage of the table is here.
    pub(crate) by_lineage: Found<String>,
    /// Proteins by family.
    pub(crate) by_family: Found<u64>,
}

/// The ids of biomes by lineage.
pub(crate) static BIOME_IDS: LazyLock<HashMap<String, i64>> = LazyLock::new(biome_ids);

/// Description and clan of families.
pub(crate) static FAMILIES: LazyLock<HashMap<u64, (String, Option<String>)>> = LazyLock::new(families);

fn biome_ids() -> HashMap<String, i64> {
    let text = data_text("proteins/biomes_id_lineage.tsv");
    let header: Vec<&str> = text.lines().next().expect("a header").split('\t').collect();
    let column = |name| header.iter().position(|column| *column == name).expect(name);
    let (id, lineage) = (column("biome_id"), column("lineage"));
    let rows = text.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>());
    rows.map(|row| (row[lineage].to_owned(), row[id].parse().expect(row[id]))).collect()
}

fn families() -> HashMap<u64, (String, Option<String>)> {
    let text = data_text("proteins/Pfam-A.clans.tsv.gz");
    let rows = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    rows.map(|row| {
        let clan = Some(row[1].to_owned()).filter(|clan| !clan.is_empty());
        (row[0][2..].parse().expect(row[0]), (row[4].trim().to_owned(), clan))
    })
    .collect()
}

/// Returns an accession as the service writes it.
pub(crate) fn accession(number: u64) -> String {
    format!("MGYP{number:012}")
}

impl Truth {
    /// Reads a release of which representatives are indexed.
    pub(crate) fn of(release: &Path) -> Self {
        let rows = Rows::read(release);
        let indexed: Vec<u64> = rows.sizes.keys().copied().collect();
        Self::of_rows(&rows, &indexed)
    }

    /// Reads a release of which all proteins are indexed.
    pub(crate) fn of_all(release: &Path) -> Self {
        let rows = Rows::read(release);
        let indexed: Vec<u64> = rows.representatives.keys().copied().collect();
        Self::of_rows(&rows, &indexed)
    }

    /// Makes the records of proteins.
    pub(crate) fn of_rows(rows: &Rows, indexed: &[u64]) -> Self {
        let (biome_ids, families) = (&*BIOME_IDS, &*FAMILIES);
        let mut truth = Self {
            by_biome: biome_ids.values().map(|&id| (id, Vec::new())).collect(),
            by_lineage: biome_ids.keys().map(|lineage| (lineage.clone(), Vec::new())).collect(),
            ..Self::default()
        };
        for &protein in indexed {
            truth.add_searches(protein, rows, biome_ids);
            truth.records.insert(protein, record(protein, rows, biome_ids, families));
        }
        truth.others = rows.sequences.keys().copied().filter(|other| !truth.records.contains_key(other)).collect();
        truth
    }

    /// Returns the hits of an answer.
    pub(crate) fn hits(&self, proteins: &[u64]) -> Value {
        let hit = |protein: &u64| {
            let record = &self.records[protein];
            let (full_length, size) = (&record["full_length"], &record["cluster_size"]);
            json!({"mgyp": accession(*protein), "full_length": full_length, "cluster_size": size})
        };
        proteins.iter().take(LIMIT).map(hit).collect()
    }

    /// Records the search terms that find a protein.
    fn add_searches(&mut self, protein: u64, rows: &Rows, biome_ids: &HashMap<String, i64>) {
        let mut prefixes = BTreeSet::new();
        for (lineage, _) in rows.biomes.get(&protein).into_iter().flatten() {
            if let Some(id) = biome_ids.get(lineage) {
                self.by_biome.entry(*id).or_default().push(protein);
            }
            prefixes.insert(lineage.as_str());
            prefixes.extend(lineage.match_indices(':').map(|(end, _)| &lineage[..end]));
        }
        for prefix in prefixes {
            self.by_lineage.entry(prefix.to_owned()).or_default().push(protein);
        }
        let families: BTreeSet<u64> = rows.hits.get(&protein).into_iter().flatten().map(|hit| hit.family).collect();
        for family in families {
            self.by_family.entry(family).or_default().push(protein);
        }
    }
}

/// Makes the record of a protein.
fn record(
    protein: u64,
    rows: &Rows,
    biome_ids: &HashMap<String, i64>,
    families: &HashMap<u64, (String, Option<String>)>,
) -> Value {
    let (full_length, sequence) = &rows.sequences[&protein];
    let representative = rows.representatives.get(&protein).copied().unwrap_or(protein);
    let mut biomes = rows.biomes.get(&protein).cloned().unwrap_or_default();
    biomes.sort_by(|left, right| right.1.cmp(&left.1).then_with(|| left.0.cmp(&right.0)));
    let mut hits: Vec<Hit> = rows.hits.get(&protein).cloned().unwrap_or_default();
    hits.sort_by_key(|hit| (hit.envelope.0, hit.family, hit.hmm.0, hit.envelope.1, hit.hmm.1));
    let mut places: Vec<Place> = rows.places.get(&protein).cloned().unwrap_or_default();
    places.sort();
    let biome =
        |(lineage, count): &(String, u64)| json!({"count": count, "id": biome_ids.get(lineage), "name": lineage});
    let hit = |hit: &Hit| {
        let accession = format!("PF{:05}", hit.family);
        let (name, clan) = families.get(&hit.family).cloned().unwrap_or_else(|| (accession.clone(), None));
        json!({
            "accession": accession, "name": name, "clan": clan, "evalue": hit.evalue, "bit_score": hit.score,
            "hmm_start": hit.hmm.0, "hmm_end": hit.hmm.1, "env_start": hit.envelope.0, "env_end": hit.envelope.1,
        })
    };
    let place = |place: &Place| {
        json!({
            "study_accession": place.study, "assembly_accession": place.assembly,
            "contig_accession": format!("MGYC{:012}", place.contig), "contig_name": place.contig_name,
            "start": place.start, "end": place.end, "strand": if place.is_reverse { "-" } else { "+" },
        })
    };
    json!({
        "mgyp": accession(protein), "sequence": sequence, "full_length": full_length,
        "cluster_size": rows.sizes[&representative],
        "biomes": biomes.iter().map(biome).collect::<Vec<_>>(),
        "pfam_annotations": hits.iter().map(hit).collect::<Vec<_>>(),
        "study_assembly_contigs": places.iter().map(place).collect::<Vec<_>>(),
    })
}
