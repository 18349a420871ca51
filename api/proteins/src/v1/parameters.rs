//! The parameters of a search.

use std::borrow::Cow;
use std::collections::BTreeMap;

use store::{BiomeTable, PfamAccession};
use store_proteins::ProteinQuery;

use crate::problem::{ParameterProblem, Problems, ProteinProblem};

/// The number of hits by default.
pub(crate) const LIMIT_DEFAULT: i64 = 50;

pub(crate) const LIMIT_MIN: i64 = 1;

pub(crate) const LIMIT_MAX: i64 = 1000;

/// The known parameters. Others are ignored.
const NAMES: [&str; 4] = ["biome_id", "biome_lineage", "pfam_accession", "limit"];

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SearchParameters {
    pub(crate) query: ProteinQuery,
    pub(crate) limit: usize,
}

impl SearchParameters {
    /// Reads the query part of a URI. Unknown parameters are ignored. The last value of a repeated
    /// one is used.
    ///
    /// # Errors
    ///
    /// * Some parameters cannot be used, or the number of filters is not one: all problems are
    ///   listed.
    /// * No biome has the lineage.
    pub(crate) fn parse(query: &str, biomes: &BiomeTable) -> Result<Self, ProteinProblem> {
        let mut values: [Option<Cow<'_, str>>; NAMES.len()] = Default::default();
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            if let Some(position) = NAMES.iter().position(|known| *known == name) {
                values[position] = Some(value);
            }
        }
        let [id, lineage, family, limit] = &values;
        let mut problems = Problems::default();
        let id = id.as_deref().and_then(|id| problems.collect(parse_integer("biome_id", id)));
        let family = family.as_deref().and_then(|family| problems.collect(parse_family(family)));
        let limit = limit.as_deref().and_then(|limit| problems.collect(parse_limit(limit)));
        if values[..NAMES.len() - 1].iter().flatten().count() != 1 {
            problems.push(ParameterProblem {
                kind: "value_error",
                loc: vec!["query".into()],
                msg: "Provide exactly one of biome_id or pfam_accession or biome_lineage".into(),
                ctx: None,
            });
        }
        problems.check()?;
        let query = match (id, family) {
            (Some(id), _) => ProteinQuery::with_biome_id(id, biomes),
            (_, Some(family)) => ProteinQuery::Family(family),
            (None, None) => {
                let biome = biomes.resolve(lineage.as_deref().unwrap_or_default());
                ProteinQuery::Biome(biome.map_err(ProteinProblem::UnknownLineage)?)
            }
        };
        Ok(Self { query, limit: usize::try_from(limit.unwrap_or(LIMIT_DEFAULT)).unwrap_or(0) })
    }
}

/// Reads a number of at most 64 bits.
fn parse_integer(name: &'static str, text: &str) -> Result<i64, ParameterProblem> {
    text.trim().parse().map_err(|_| not_an_integer(name))
}

/// Reads a family: `5`, `PF00005`, `pf00005` or `PF00005.31`.
fn parse_family(text: &str) -> Result<PfamAccession, ParameterProblem> {
    const NAME: &str = "pfam_accession";
    let text = text.trim();
    let number = match text.get(..2) {
        Some(prefix) if prefix.eq_ignore_ascii_case("PF") => {
            let digits = PfamAccession::without_version(&text[2..]);
            let digits = Some(digits).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
            parse_integer(NAME, digits.ok_or_else(|| not_an_integer(NAME))?)?
        }
        _ => parse_integer(NAME, text)?,
    };
    match u64::try_from(number) {
        Ok(number) if number > 0 => Ok(PfamAccession(number)),
        _ => Err(too_low(NAME)),
    }
}

fn parse_limit(text: &str) -> Result<i64, ParameterProblem> {
    const NAME: &str = "limit";
    match parse_integer(NAME, text)? {
        limit if limit < LIMIT_MIN => Err(too_low(NAME)),
        limit if limit > LIMIT_MAX => Err(ParameterProblem {
            ctx: Some(BTreeMap::from([("le", LIMIT_MAX)])),
            ..ParameterProblem::new("less_than_equal", NAME, "Input should be less than or equal to 1000")
        }),
        limit => Ok(limit),
    }
}

/// Returns the problem of a text that is not a number.
fn not_an_integer(name: &'static str) -> ParameterProblem {
    let text = "Input should be a valid integer, unable to parse string as an integer";
    ParameterProblem::new("int_parsing", name, text)
}

fn too_low(name: &'static str) -> ParameterProblem {
    ParameterProblem {
        ctx: Some(BTreeMap::from([("ge", 1)])),
        ..ParameterProblem::new("greater_than_equal", name, "Input should be greater than or equal to 1")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn good_parameters_are_read() {
        let mut biomes = BiomeTable::default();
        let biogas = biomes.insert(Some(132), "root:Engineered:Biogas plant").expect("new");
        let one = biomes.insert(Some(1), "root:Mixed").expect("new");
        let family = |number| ProteinQuery::Family(PfamAccession(number));
        for (text, query, limit) in [
            ("biome_id=132", ProteinQuery::BiomeExact(biogas), 50),
            ("biome_id=-7&limit=1", ProteinQuery::Or(Vec::new()), 1),
            ("biome_lineage=root%3AEngineered:Biogas+plant&limit=1000", ProteinQuery::Biome(biogas), 1000),
            ("pfam_accession=5", family(5), 50),
            ("pfam_accession=PF00005", family(5), 50),
            ("pfam_accession=pf00005&format=json&page=2", family(5), 50),
            ("pfam_accession=9223372036854775807", family(9_223_372_036_854_775_807), 50),
            ("limit=0&biome_id=x&limit=7&biome_id=1", ProteinQuery::BiomeExact(one), 7),
        ] {
            let read = SearchParameters::parse(text, &biomes).expect(text);
            assert_eq!(read, SearchParameters { query, limit }, "{text}");
        }
        let unknown = SearchParameters::parse("biome_lineage=", &biomes);
        assert!(matches!(unknown, Err(ProteinProblem::UnknownLineage(_))));
    }
}
