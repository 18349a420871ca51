//! Missing resources that others name.

use super::*;

fn naming(resource_type: &str, id: &str, named: &[(&str, &str)]) -> CatalogueEntry {
    let named = named.iter().map(|&(named_type, id)| (named_type.to_owned(), id.to_owned())).collect();
    CatalogueEntry { named, ..entry(resource_type, id) }
}

/// Returns the numbers of missing resources in the manifest and in the result of the full check.
fn missing(folder: &Folder) -> Vec<(String, u64)> {
    let generation = folder.open();
    let published = generation.contents().missing.clone();
    let verified = CatalogueGeneration::verify_published(&folder.generations, generation.name()).expect("whole");
    assert_eq!(verified.missing, published);
    published.into_iter().collect()
}

#[test]
fn missing_resources_are_counted_once_and_any_identifier_counts() {
    let folder = Folder::new();
    let long = "é".repeat(9000);
    folder.publish(|builder| {
        for number in 0..300 {
            let mut sample = entry("samples", &format!("S{number:03}"));
            sample.identifiers.push(format!("B{number:03}"));
            add(builder, &sample);
        }
        let run = |id: &str, samples: &[&str]| {
            let named: Vec<(&str, &str)> = samples.iter().map(|&sample| ("samples", sample)).collect();
            naming("runs", id, &named)
        };
        add(builder, &run("R1", &["S000", "S064", "S299", "B128", "", "A", "S0640", "Z", &long]));
        builder.begin_segment();
        add(builder, &run("R2", &["S001", "B299", "S0640", "Z", "S300"]));
        let named = [("samples", "Z"), ("samples", "z"), ("studies", "M"), ("runs", "R2"), ("runs", "r2")];
        add(builder, &naming("assemblies", "E", &named));
    });
    let expected = [("runs", 1), ("samples", 6), ("studies", 1)].map(|(name, number)| (name.to_owned(), number));
    assert_eq!(missing(&folder), expected);
}

#[test]
fn biomes_are_identified_by_their_lineages() {
    let folder = Folder::new();
    folder.publish(|builder| {
        let of = |resource_type: &str, id: &str, lineages: &[&str]| CatalogueEntry {
            lineages: lineages.iter().map(|&lineage| lineage.to_owned()).collect(),
            ..entry(resource_type, id)
        };
        let mut biome = of("biomes", "7", &["root:A"]);
        biome.identifiers.push("root:A".to_owned());
        add(builder, &biome);
        add(builder, &of("studies", "M1", &["root:A", "root:B"]));
        add(builder, &of("genomes", "G", &["root:B:C", "root:B"]));
    });
    assert_eq!(missing(&folder), [("biomes".to_owned(), 2)]);
}

#[test]
fn nothing_is_missing_if_nothing_is_named() {
    let folder = Folder::new();
    folder.publish(|builder| _ = add(builder, &entry("samples", "S1")));
    assert_eq!(missing(&folder), []);
    folder.publish(|_| {});
    assert_eq!(missing(&folder), []);
}
