//! The JSON metadata of a portal row.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// `[[contig_id, start, end, strand], …]`
type Contigs = Vec<(i64, i64, i64, i64)>;

/// `[[assembly_id, contigs], …]`
pub(super) type Assemblies = Vec<(i64, Contigs)>;

#[derive(Debug, Default)]
pub(super) struct Metadata {
    /// `b`: ids and counts.
    pub(super) biomes: Vec<(i64, i64)>,
    /// `p`.
    pub(super) pfam_hits: Vec<PfamRow>,
    /// `s`: ids and assemblies.
    pub(super) studies: Vec<(i64, Assemblies)>,
    /// `a`: assemblies of older rows, without studies.
    pub(super) assemblies: Assemblies,
    /// The length of `m`, which the service does not show.
    pub(super) num_mgnifam_hits: u64,
    pub(super) num_unknown_keys: u64,
}

/// `[accession, e-value, bit score, HMM start, HMM end, envelope start, envelope end]`, in older
/// rows without the HMM positions.
#[derive(Debug)]
pub(super) struct PfamRow {
    pub(super) accession: String,
    pub(super) evalue: f64,
    pub(super) bit_score: f64,
    pub(super) hmm: Option<(i64, i64)>,
    pub(super) envelope: (i64, i64),
}

impl<'de> Deserialize<'de> for Metadata {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MetadataVisitor)
    }
}

struct MetadataVisitor;

impl<'de> Visitor<'de> for MetadataVisitor {
    type Value = Metadata;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Metadata, A::Error> {
        let mut metadata = Metadata::default();
        let mut seen = [false; 5];
        while let Some(key) = map.next_key::<String>()? {
            let known = ["b", "p", "s", "a", "m"].iter().position(|known| *known == key);
            if let Some(known) = known
                && std::mem::replace(&mut seen[known], true)
            {
                return Err(A::Error::custom(format!("key {key:?} appears twice")));
            }
            match key.as_str() {
                "b" => metadata.biomes = or_null(&mut map)?,
                "p" => metadata.pfam_hits = or_null(&mut map)?,
                "s" => metadata.studies = or_null(&mut map)?,
                "a" => metadata.assemblies = or_null(&mut map)?,
                "m" => metadata.num_mgnifam_hits = or_null::<Vec<IgnoredAny>, A>(&mut map)?.len() as u64,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                    metadata.num_unknown_keys += 1;
                }
            }
        }
        Ok(metadata)
    }
}

/// Reads a value that may be null if it is empty.
fn or_null<'de, T: Deserialize<'de> + Default, A: MapAccess<'de>>(map: &mut A) -> Result<T, A::Error> {
    Ok(map.next_value::<Option<T>>()?.unwrap_or_default())
}

impl<'de> Deserialize<'de> for PfamRow {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(PfamRowVisitor)
    }
}

struct PfamRowVisitor;

impl<'de> Visitor<'de> for PfamRowVisitor {
    type Value = PfamRow;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a Pfam hit of 5 or 7 fields")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut fields: A) -> Result<PfamRow, A::Error> {
        let accession = required(&mut fields, 0)?;
        let evalue = required(&mut fields, 1)?;
        let bit_score = required(&mut fields, 2)?;
        let first = (required(&mut fields, 3)?, required(&mut fields, 4)?);
        let second = match fields.next_element()? {
            Some(start) => Some((start, required(&mut fields, 6)?)),
            None => None,
        };
        if fields.next_element::<IgnoredAny>()?.is_some() {
            return Err(A::Error::invalid_length(8, &self));
        }
        let (hmm, envelope) = match second {
            Some(envelope) => (Some(first), envelope),
            None => (None, first),
        };
        Ok(PfamRow { accession, evalue, bit_score, hmm, envelope })
    }
}

fn required<'de, T: Deserialize<'de>, A: SeqAccess<'de>>(fields: &mut A, position: usize) -> Result<T, A::Error> {
    fields.next_element()?.ok_or_else(|| A::Error::invalid_length(position, &PfamRowVisitor))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> serde_json::Result<Metadata> {
        serde_json::from_str(text)
    }

    #[test]
    fn other_forms_are_rejected() {
        for text in [
            "",
            "null",
            "[]",
            r#"{"b":[[1,2]]"#,
            r#"{"b":[[1]]}"#,
            r#"{"b":[[1,2,3]]}"#,
            r#"{"b":[[1,2.5]]}"#,
            r#"{"b":[[1,2]],"b":[]}"#,
            r#"{"p":[["PF00462",1,2,3]]}"#,
            r#"{"p":[["PF00462",1,2,3,4,5]]}"#,
            r#"{"p":[["PF00462",1,2,3,4,5,6,7]]}"#,
            r#"{"p":[["PF00462",NaN,2,3,4]]}"#,
            r#"{"s":[[1,[[2,[[3,4,5]]]]]]}"#,
            r#"{"b":[[1,2]]} x"#,
        ] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
