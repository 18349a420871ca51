//! Studies and assemblies of proteins are compared with a plain scan of their records.

use std::collections::{BTreeMap, BTreeSet};

use super::model::MODEL;
use super::*;
use crate::QueryField;

#[test]
fn accessions_match_the_records_of_all_segments() {
    for field in [QueryField::Study, QueryField::Assembly] {
        let mut numbers = BTreeMap::<String, u64>::new();
        for (_, record) in &MODEL.proteins {
            let of = |occurrence: &Occurrence| match field {
                QueryField::Study => occurrence.study.to_ascii_uppercase(),
                _ => occurrence.assembly.to_ascii_uppercase(),
            };
            let named: BTreeSet<String> = record.occurrences.iter().map(of).collect();
            named.into_iter().filter(|name| !name.is_empty()).for_each(|name| *numbers.entry(name).or_default() += 1);
        }
        assert!(numbers.len() > 3);
        for (beginning, num_max) in
            [("", 100), ("", 2), ("er", 3), ("ERP000001", 9), ("erz00000", 1), ("ERZ000012", 9), ("X", 9), ("", 0)]
        {
            let upper = beginning.to_uppercase();
            let expected = numbers.iter().filter(|(name, _)| name.starts_with(&upper)).take(num_max);
            let expected: Vec<_> = expected.map(|(name, number)| (name.clone(), *number)).collect();
            let found = MODEL.generation.accession_counts(field, beginning, num_max).expect("sound");
            assert_eq!(found, expected, "{field} {beginning} {num_max}");
        }
    }
    assert!(MODEL.generation.accession_counts(QueryField::Biome, "", 9).expect("sound").is_empty());
}
