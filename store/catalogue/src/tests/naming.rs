//! Whole generations: opening, orders, places, limits, and input that a builder rejects.

use store::{Error, Result};

use super::*;

#[test]
fn a_removed_generation_is_served_until_it_is_closed() {
    let folder = Folder::new();
    let name = folder.publish(|builder| _ = add(builder, &entry("samples", "S1")));
    let generation = folder.open();
    std::fs::remove_dir_all(folder.generations.path(name)).expect("there");
    assert_eq!(generation.resources(&[0]).expect("in memory or still open").len(), 1);
    drop(generation);
}

#[test]
fn long_orders_and_many_identifiers_are_read_back() {
    let folder = Folder::new();
    let values: Vec<u32> = (0..5000_u32).map(|number| number.wrapping_mul(0x9e37_79b9) % 700).collect();
    folder.publish(|builder| {
        for number in 0..5000 {
            add(builder, &entry("samples", &format!("S{number}")));
        }
        builder.add_order("samples", "x", ascending(&values, 0)).expect("a permutation");
    });
    let generation = folder.open();
    for number in [0, 1, 63, 64, 999, 4999] {
        assert_eq!(generation.find("samples", &format!("S{number}")).expect("readable"), Some(number));
    }
    let mut expected: Vec<Ordinal> = (0..5000).collect();
    expected.sort_by_key(|&ordinal| std::cmp::Reverse(values[ordinal as usize]));
    assert_eq!(select(&generation, &selection("samples", vec![], &[("x", true)])), expected);
    let few = vec![Condition::Identified(vec!["S7".into(), "S4".into(), "S7".into(), "S5000".into()])];
    assert_eq!(select(&generation, &selection("samples", few, &[])), [4, 7]);
}

#[test]
fn places_are_distinct_and_sorted() {
    let folder = Folder::new();
    folder.publish(|builder| {
        let places = [(Some(1.5), Some(2.0)), (None, Some(2.0)), (Some(-0.0), Some(-7.0)), (Some(1.5), None)];
        for (number, (latitude, longitude)) in places.iter().chain(&places).enumerate() {
            let entry = entry("samples", &number.to_string());
            add(builder, &CatalogueEntry { latitude: *latitude, longitude: *longitude, ..entry });
        }
        let zero = entry("samples", "zero");
        add(builder, &CatalogueEntry { latitude: Some(0.0), longitude: Some(-7.0), ..zero });
    });
    let generation = folder.open();
    let places = |conditions| {
        let listing = generation.select(&selection("samples", conditions, &[])).expect("readable");
        generation.places(&listing).expect("readable")
    };
    let place = |longitude, latitude, num_resources| Place { longitude, latitude, num_resources };
    assert_eq!(places(vec![]), [place(-7.0, 0.0, 3), place(2.0, 1.5, 2)]);
    assert_eq!(places(vec![Condition::Identified(vec!["4".into(), "5".into()])]), [place(2.0, 1.5, 1)]);
}

#[test]
fn long_texts_are_cut_alike() {
    let folder = Folder::new();
    let long = "é".repeat(70_000);
    let word = "w".repeat(300);
    folder.publish(|builder| {
        let mut sample = entry("samples", &long);
        sample.lineages = vec![format!("root:{long}")];
        sample.attributes = vec![(long.clone(), long.clone())];
        sample.metadata = vec![MetadataEntry { key: long.clone(), value: Some(long.clone()), unit: String::new() }];
        sample.named = vec![(long.clone(), long.clone())];
        sample.found_in = vec![(long.clone(), long.clone(), long.clone())];
        sample.text = vec![format!("{word} short"), long.clone()];
        add(builder, &sample);
        add(builder, &entry("samples", "other"));
    });
    let generation = folder.open();
    assert_eq!(generation.find("samples", &long).expect("readable"), Some(0));
    let metadata = |value: &str| Condition::Metadata {
        keys: vec![long.clone()],
        value: Some(value.into()),
        bounds: Bounds::default(),
        unit: None,
    };
    for condition in [
        Condition::Lineage(format!("root:{long}")),
        Condition::Attribute(long.clone(), long.clone()),
        metadata(&long),
        metadata(&format!("{long}!")),
        Condition::Names(long.clone(), long.clone()),
        Condition::FoundIn(long.clone(), long.clone(), long.clone()),
        Condition::Text("SHORT".into()),
        Condition::AttributePattern(long.clone(), Pattern::parse("^éé").expect("valid")),
    ] {
        assert_eq!(select(&generation, &selection("samples", vec![condition], &[])), [0]);
    }
    for condition in [metadata("é"), Condition::Text(word), Condition::Attribute("é".into(), long.clone())] {
        assert!(select(&generation, &selection("samples", vec![condition], &[])).is_empty());
    }
}

#[test]
fn contradictory_input_is_rejected() {
    let folder = Folder::new();
    folder.publish(|builder| {
        let refused = |result: Result<()>| assert!(matches!(result, Err(Error::Catalogue(_))), "{result:?}");
        let mut study = entry("studies", "T");
        add(builder, &study);
        refused(builder.add_order("samples", "x", []));
        refused(builder.add_order("studies", "x", []));
        for wrong in [vec![Ok((1, false))], vec![Ok((0, false)), Ok((0, true))]] {
            refused(builder.add_order("studies", "x", wrong));
        }
        let failed = builder.add_order("studies", "x", [Err(Error::BiomeTable("stop".into()))]);
        assert!(matches!(failed, Err(Error::BiomeTable(_))));
        builder.add_order("studies", "x", [Ok((0, true))]).expect("a permutation");
        refused(builder.add_order("studies", "x", [Ok((0, false))]));
        refused(builder.add(&study, &rendered(&study)).map(|_| ()));
        add(builder, &entry("runs", "R"));
        refused(builder.add(&study, &rendered(&study)).map(|_| ()));
        study.resource_type = "assemblies".into();
        study.named = vec![("samples".into(), "S".into())];
        add(builder, &study);
        let sample = entry("samples", "S");
        refused(builder.add(&sample, &rendered(&sample)).map(|_| ()));
    });
    assert_eq!(folder.open().contents().num_resources, 3);
}
