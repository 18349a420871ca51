//! Every number of the pages of biomes, families and clans, and of the first page, against a plain
//! scan of the proteins.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use super::page;
use super::scan::{Compared, Comparison, PROTEINS, Protein, count};

pub(super) type Counts = BTreeMap<Option<String>, u64>;

/// Formats a number as pages do.
pub(super) fn shown(number: u64) -> String {
    match number {
        0..1000 => number.to_string(),
        _ => format!("{},{:03}", shown(number / 1000), number % 1000),
    }
}

/// Returns the texts of the cells of the rows of a table, which is found by a part of its tag.
pub(super) fn table(page: &str, of: &str) -> Vec<Vec<String>> {
    let mut tables =
        page.split("<table").skip(1).filter(|rest| rest.split('>').next().is_some_and(|tag| tag.contains(of)));
    let table = tables.next().unwrap_or_else(|| panic!("no table {of}")).split("</table>").next().unwrap_or_default();
    let rows = table.split("<tr").skip(2);
    rows.map(|row| row.split("</th>").flat_map(|part| part.split("</td>")).map(text).filter(|(is_cell, _)| *is_cell))
        .map(|cells| cells.map(|(_, text)| text).collect())
        .collect()
}

/// Formats the number of proteins of a group with a value, and its share, as pages do.
pub(super) fn with_share(number: u64, num_all: u64) -> String {
    let tenths = (number * 1000 + num_all / 2) / num_all;
    format!("{} {}.{} %", shown(number), tenths / 10, tenths % 10)
}

/// Returns the text of a part of a row up to the end of a cell, and whether it is a cell.
fn text(part: &str) -> (bool, String) {
    let is_cell = part.contains("<th") || part.contains("<td");
    let start = part.rfind("<t").unwrap_or_default();
    let texts = part[start..].split('<').filter_map(|piece| piece.split_once('>')).map(|(_, text)| text);
    (is_cell, texts.collect::<String>().trim().replace("&#60;", "<"))
}

/// Returns the numbers of a list of facts, in the order of the page.
fn facts(page: &str) -> Vec<String> {
    let list = page.split("<dl").nth(1).and_then(|rest| rest.split("</dl>").next()).expect("facts");
    let numbers = list.split(['<', '>', ' ']).filter(|word| word.starts_with(|first: char| first.is_ascii_digit()));
    numbers.map(str::to_owned).collect()
}

fn assert_near(shown: &str, expected: f64, tolerance: f64) {
    let number: f64 = shown.replace('−', "-").replace(',', "").parse().expect(shown);
    assert!((number - expected).abs() <= tolerance, "{shown}: {expected}");
}

/// Checks the cells of a comparison.
pub(super) fn assert_compared(cells: &[String], expected: Compared) {
    let [difference, number, ratio, rate] = cells else { panic!("{cells:?}") };
    let words = match expected {
        Compared { rate: 0.05.., .. } => "",
        Compared { expected: ..10.0, count: ..10, .. } => "too few proteins",
        Compared { log2_ratio: 0.0.., .. } => "over-represented ↑",
        _ => "under-represented ↓",
    };
    assert_eq!(difference, words, "{expected:?}");
    assert_near(number, expected.expected, 0.051);
    let (ratio, interval) = ratio.split_once(" (").unwrap_or((ratio, ""));
    let ends: Vec<&str> = interval.trim_end_matches(')').split(" to ").filter(|end| !end.is_empty()).collect();
    assert_near(ratio, expected.log2_ratio, 0.0051);
    // Fisher's exact test has no interval.
    let expected_ends: Vec<Option<f64>> = expected.log2_interval.into_iter().flatten().collect();
    assert_eq!(ends.len(), expected_ends.len(), "{expected:?}");
    for (shown, expected) in ends.into_iter().zip(expected_ends) {
        match expected {
            Some(expected) => assert_near(shown, expected, 0.0051),
            None => assert!(shown.ends_with('∞'), "{shown}"),
        }
    }
    match rate.as_str() {
        "< 0.001" => assert!(expected.rate < 0.001, "{expected:?}"),
        rate => assert_near(rate, expected.rate, 0.000_51),
    }
}

/// Checks a tree of biomes: the rows below the top, and for whole trees the unrecorded proteins and
/// the sum.
fn assert_tree(page: &str, counts: &Counts, num_all: u64, top: &str, depth_max: usize, compared: Option<&Comparison>) {
    let mut rows = table(page, "biome-tree").into_iter();
    let mut lineages: Vec<&str> =
        page.split("data-lineage=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    let is_below = |lineage: &str| lineage == top || lineage.starts_with(&format!("{top}:"));
    let depth = |lineage: &str| lineage.matches(':').count() - top.matches(':').count();
    for lineage in &lineages {
        let row = rows.next().expect("a row");
        let number = counts[&Some((*lineage).to_owned())];
        assert_eq!((&*row[0], &row[1]), (lineage.rsplit(':').next().expect("a name"), &shown(number)));
        assert!(page.contains(&format!("data-lineage=\"{lineage}\" data-count=\"{number}\"")));
        match compared {
            // All proteins with a biome are below the only root.
            Some(_) if lineage.matches(':').count() == 0 => assert_eq!(row[3..], [""]),
            Some(compared) => assert_compared(&row[3..], compared.of(Some(lineage)).expect("few biomes")),
            None => assert_eq!(row.len(), 3),
        }
    }
    let expected = counts.keys().flatten().map(String::as_str).filter(|lineage| is_below(lineage));
    let expected: Vec<&str> = expected.filter(|lineage| depth(lineage) <= depth_max).collect();
    lineages.sort_unstable();
    assert_eq!(lineages, expected);
    let rest: Vec<Vec<String>> = rows.collect();
    if top == "root" {
        let num_without = counts.get(&None).copied().unwrap_or_default();
        let words = [("Biome not recorded", num_without), ("All proteins", num_all)];
        let rest: Vec<_> = rest.iter().map(|row| (&*row[0], row[1].clone())).collect();
        assert_eq!(rest, words.map(|(words, number)| (words, shown(number))));
        let root = counts.get(&Some("root".to_owned())).copied().unwrap_or_default();
        assert_eq!(root + num_without, num_all);
    } else {
        assert_eq!(rest, Vec::<Vec<String>>::new());
    }
}

/// Sizes of clusters that are counted together.
const SIZES: [RangeInclusive<u64>; 5] = [1..=1, 2..=9, 10..=99, 100..=999, 1000..=u64::MAX];

fn num_of_size(proteins: &[&Protein], size: &RangeInclusive<u64>) -> u64 {
    proteins.iter().filter(|protein| size.contains(&protein.cluster_size)).count() as u64
}

fn assert_lengths_and_sizes(page: &str, proteins: &[&Protein]) {
    let (_, sizes) = page.split_once("id=\"sizes\"").expect("sizes");
    for (row, size) in table(sizes, "numbers-of").iter().zip(SIZES) {
        assert_eq!(row[1], shown(num_of_size(proteins, &size)), "{}", row[0]);
    }
    let (_, lengths) = page.split_once("id=\"lengths\"").expect("lengths");
    let rows = table(lengths, "numbers-of");
    assert_eq!(rows.len(), 11);
    for (row, from) in rows.iter().zip((0..).step_by(100)) {
        let to = if from == 1000 { usize::MAX } else { from + 99 };
        let number = proteins.iter().filter(|protein| (from..=to).contains(&protein.length)).count();
        assert_eq!(row[1], shown(number as u64), "{}", row[0]);
    }
}

#[tokio::test]
async fn the_biomes_of_the_release_add_up() {
    let counts = count(&*PROTEINS, |protein| &protein.biomes);
    assert_tree(&page("/portal/").await, &counts, 10_000, "root", 2, None);
    assert_tree(&page("/portal/biomes").await, &counts, 10_000, "root", 99, None);
}

#[tokio::test]
async fn biomes_have_their_families_compared_with_other_biomes() {
    let lineages: BTreeSet<&String> = PROTEINS.iter().flat_map(|protein| &protein.biomes).collect();
    assert!(lineages.len() > 5);
    for lineage in lineages {
        let path = format!("/portal/biomes/{}", lineage.replace(':', "%3A").replace(' ', "%20"));
        let page = super::page(&path).await;
        let proteins: Vec<&Protein> = PROTEINS.iter().filter(|protein| protein.biomes.contains(lineage)).collect();
        let num_all = proteins.len() as u64;
        let num_alone = proteins.iter().filter(|protein| protein.own_biomes.contains(lineage)).count() as u64;
        let facts = facts(&page);
        assert!([shown(num_all), shown(num_alone)].iter().all(|number| facts.contains(number)), "{lineage}: {facts:?}");
        let below = count(proteins.iter().copied(), |protein| &protein.biomes);
        let below: Counts = below
            .into_iter()
            .filter(|(other, _)| other.as_deref().is_some_and(|other| other.starts_with(lineage)))
            .collect();
        if below.len() > 1 && lineage != "root" {
            assert_tree(&page, &below, num_all, lineage, 2, None);
        }
        let others = PROTEINS.iter().filter(|protein| !protein.biomes.is_empty() && !protein.biomes.contains(lineage));
        let elsewhere = count(others, |protein| &protein.families);
        let mut counts: Vec<_> = count(proteins, |protein| &protein.families).into_iter().collect();
        counts.sort_by_key(|(family, number)| (family.is_none(), Reverse(*number)));
        let num_families = counts.iter().filter(|(family, _)| family.is_some()).count();
        let most = format!("Most frequent <span class=\"count\">{}</span>", shown(num_families as u64));
        assert!(page.contains(&most), "{most}");
        let mut rows = Vec::new();
        for number in 1..=counts.len().div_ceil(50) {
            let page = super::page(&format!("{path}?families=frequent&page={number}")).await;
            let mut of_page = table(&page, "=\"families");
            let sum = of_page.pop().expect("the sum");
            assert_eq!((&*sum[0], &sum[1]), ("All proteins", &shown(num_all)));
            rows.extend(of_page);
        }
        assert_eq!(rows.len(), counts.len(), "{lineage}");
        let compared = Comparison::of_condition("biome", lineage, "pfam").await;
        let mut over = BTreeSet::new();
        for ((family, number), row) in counts.iter().zip(&rows) {
            assert!(row[0].starts_with(family.as_deref().unwrap_or("No Pfam family")), "{row:?}");
            assert_eq!(row[1], with_share(*number, num_all), "{lineage} {family:?}");
            if compared.num_others == 0 {
                assert_eq!(row.len(), 2);
            } else {
                let number = elsewhere.get(family).copied().unwrap_or_default();
                assert_eq!(row[2], with_share(number, compared.num_others), "{lineage} {family:?}");
                assert_compared(&row[3..], compared.of(family.as_deref()).expect("all families"));
                over.extend(family.clone().filter(|_| row[3].starts_with("over")));
            }
        }
        let page_of_over = super::page(&format!("{path}?families=over")).await;
        let num_over = format!("Over-represented <span class=\"count\">{}</span>", over.len());
        assert!(over.len() < 50 && page_of_over.contains(&num_over), "{lineage}: {num_over}");
        let listed = page_of_over.contains("<table class=\"families").then(|| table(&page_of_over, "=\"families"));
        let listed = listed.into_iter().flatten().map(|row| row[0].split(' ').next().expect("a word").to_owned());
        assert_eq!(listed.filter(|word| word != "All").collect::<BTreeSet<_>>(), over, "{lineage}");
        let sentence = match compared.num_others {
            0 => "There are no other proteins to compare them with: none was found only in other biomes.".to_owned(),
            others => format!(
                "The {} proteins of this biome are compared with the {} of other biomes that were not found here; 7,139 without a recorded biome are left out.",
                shown(num_all),
                shown(others)
            ),
        };
        assert!(page.contains(&sentence), "{lineage}: {sentence}");
    }
}

/// Some families of proteins are not in Pfam's table.
#[tokio::test]
async fn all_families_with_proteins_are_listed() {
    let mut expected = count(&*PROTEINS, |protein| &protein.families);
    expected.remove(&None);
    let mut found = Counts::new();
    for number in 1..=expected.len().div_ceil(100) {
        let page = page(&format!("/portal/families?page={number}")).await;
        assert!(page.contains(&shown(expected.len() as u64)), "{}", expected.len());
        for row in table(&page, "") {
            let accession = row[0].split(' ').next().expect("an accession").to_owned();
            let number = row.iter().rev().find_map(|cell| cell.replace(',', "").parse().ok()).expect("a number");
            found.insert(Some(accession), number);
        }
    }
    assert_eq!(found, expected);
    assert!(page("/portal/families?text=PF13394").await.contains("/portal/families/PF13394"));
}

#[tokio::test]
async fn a_biome_without_proteins_says_so_and_shows_its_studies() {
    let page = page("/portal/biomes/root%3AEnvironmental%3ATerrestrial%3ASoil").await;
    assert!(page.contains("No protein of this release was found in this biome."));
    assert!(page.contains("<h2 id=\"studies\">") && !page.contains("id=\"families\"") && !page.contains("biome-tree"));
    assert!(!page.contains("format=fasta"));
}

#[tokio::test]
async fn families_and_clans_are_compared_with_other_proteins_by_biome() {
    type Values = fn(&Protein) -> &BTreeSet<String>;
    let kinds: [(&str, &str, Values); 2] =
        [("family", "families", |protein| &protein.families), ("clan", "clans", |protein| &protein.clans)];
    for (kind, path, values) in kinds {
        let mut all: Vec<_> =
            count(&*PROTEINS, values).into_iter().filter_map(|(value, number)| Some((value?, number))).collect();
        all.sort_by_key(|(_, number)| Reverse(*number));
        let some = all.iter().take(30).chain(all.iter().skip(30).step_by(40));
        for (value, number) in some {
            let page = page(&format!("/portal/{path}/{value}")).await;
            let proteins: Vec<&Protein> = PROTEINS.iter().filter(|protein| values(protein).contains(value)).collect();
            assert_eq!(facts(&page)[0], shown(*number), "{value}");
            let counts = count(proteins.iter().copied(), |protein| &protein.biomes);
            let compared = Comparison::of_condition(if kind == "clan" { "clan" } else { "pfam" }, value, "biome").await;
            let (selected, others) = (compared.num_selected, compared.num_others);
            let is_possible = selected > 0 && others > 0;
            assert_tree(&page, &counts, *number, "root", 3, is_possible.then_some(&compared));
            assert_lengths_and_sizes(&page, &proteins);
            let left_out = number - selected;
            let sentence = if is_possible {
                format!(
                    "The {} proteins of the {kind} with a recorded biome are compared with the {} other proteins with one. Left out, without a recorded biome: {} of the {kind}, {} others.",
                    shown(selected),
                    shown(others),
                    shown(left_out),
                    shown(7139 - left_out)
                )
            } else {
                format!(
                    "Not compared with other proteins: {selected} of the {kind} and {} others have a recorded biome.",
                    shown(others)
                )
            };
            assert!(page.contains(&sentence), "{value}: {sentence}");
        }
    }
}
