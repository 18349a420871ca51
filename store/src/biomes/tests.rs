use super::*;

fn table() -> BiomeTable {
    let mut table = BiomeTable::default();
    for (id, lineage) in [
        (0, "root"),
        (62, "root:Engineered:Wastewater"),
        (49, "root:Engineered:Bioremediation:Terephthalate:Wastewater"),
        (492, "root:Mixed"),
    ] {
        table.insert(Some(id), lineage).expect(lineage);
    }
    table
}

#[test]
fn is_closed_upwards_and_keeps_ids_apart() {
    let table = table();
    let engineered = table.find_lineage("root:Engineered").expect("an ancestor is added");
    assert_eq!(table[engineered].id, None);
    assert_eq!(table.find_lineage("root:Engineered:Waste"), None, "levels are compared whole");
    assert_eq!(table.find_lineage("Wastewater"), None, "a lineage starts at the root");
    assert_eq!(table.find_id(1), None);
}

#[test]
fn an_id_may_come_after_the_lineage_but_never_twice() {
    let mut table = table();
    let engineered = table.insert(Some(1), "root:Engineered").expect("the ancestor gets its id");
    assert_eq!(table.find_id(1), Some(engineered));
    assert_eq!(table.insert(Some(1), "root:Engineered").expect("again"), engineered);
    assert!(table.insert(Some(2), "root:Engineered").is_err());
    assert!(table.insert(Some(1), "root:Mixed").is_err());
    assert!(table.insert(Some(9), "root::Mixed").is_err());
    assert!(table.insert(Some(9), "").is_err());
    assert!(table.insert(Some(9), &"a:".repeat(100_000)).is_err());
    assert!(table.insert(Some(9), &vec!["a"; 100_000].join(":")).is_err());
}

#[test]
fn a_longer_table_extends_a_shorter_one_with_the_same_biomes() {
    let (short, mut long) = (table(), table());
    long.insert(Some(1), "root:Engineered").expect("it had no id");
    long.insert(None, "root:Other").expect("new");
    assert!(short.extends(&short) && long.extends(&short) && !short.extends(&long));
    let mut other = BiomeTable::default();
    other.insert(Some(0), "root").expect("new");
    other.insert(None, "root:Mixed").expect("new");
    assert!(!long.extends(&other), "another biome at the same place");
}

#[test]
fn unknown_lineages_get_suggestions() {
    let text = |table: &BiomeTable, lineage| table.resolve(lineage).expect_err(lineage).to_string();
    let documented =
        "No biome matches lineage 'Wastewater'. Provide a full lineage such as 'root:Engineered:Wastewater'.";
    assert_eq!(
        text(&table(), "Wastewater"),
        format!("{documented} Others with that ending: 'root:Engineered:Bioremediation:Terephthalate:Wastewater'.")
    );
    let mut small = BiomeTable::default();
    assert_eq!(text(&small, "Wastewater"), "No biome matches lineage 'Wastewater'.");
    small.insert(Some(62), "root:Engineered:Wastewater").expect("new");
    assert_eq!(text(&small, "Wastewater"), documented);
    assert!(text(&small, "Nowhere").ends_with("such as 'root:Engineered:Wastewater'."));
}
