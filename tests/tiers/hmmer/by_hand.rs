//! The same hits, in the same order, with the same scores, E-values and alignments as those of
//! `phmmer` and `hmmsearch`, run by hand over the selection in FASTA.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use support::machine::rounds;
use support::{TestFolder, needed_program, program};
use tempfile::TempDir;

use crate::profile;
use support::similarity::command::{json_lines, printed, selection, sequences, similar};

/// Each has other proteins: some few, some all.
const SELECTIONS: [&str; 20] = [
    "length:[1 TO *]",
    "full_length:true",
    "full_length:false",
    "pfam:*",
    "NOT pfam:*",
    "pfam:PF00005",
    "clan:CL0023",
    "biome:root:Environmental:Aquatic:Marine",
    "biome:\"root:Host-associated\"",
    "biome:\"root:Host-associated:Plants\" OR pfam:PF13649",
    "NOT biome:root:Environmental",
    "length:[1 TO 60]",
    "length:[300 TO *]",
    "length:[100 TO 120] AND full_length:true",
    "cluster_size:[2 TO *]",
    "cluster_size:1 AND length:[200 TO 400]",
    "biome:\"root:Host-associated:Human\" AND pfam:*",
    "biome:root:Environmental:Terrestrial OR pfam:PF00072",
    "full_length:true AND NOT biome:root:Environmental:Aquatic",
    "length:[80 TO 90]",
];

/// Query, target, E-value and score of a hit.
type HitNumbers = (String, String, f64, f64);

/// Query, target, and the numbers of a domain.
type DomainNumbers = (String, String, Value);

/// The results of a program that was run by hand.
struct ByHand {
    hits: Vec<HitNumbers>,
    domains: Vec<DomainNumbers>,
    /// The rows of the alignments.
    rows: HashSet<String>,
}

impl ByHand {
    fn run(folder: &Path, engine: &str, more: &[&str], query: &Path, targets: &Path) -> Self {
        let paths = ["hits", "domains", "alignments"].map(|name| folder.join(name));
        let mut command = Command::new(engine);
        command.args(["--cpu", "0", "--notextw", "-E", "0.5", "--domE", "0.5"]).args(more);
        command.arg("--tblout").arg(&paths[0]).arg("--domtblout").arg(&paths[1]).arg("-o").arg(&paths[2]);
        let output = command.arg(query).arg(targets).output().expect("the engine is installed");
        assert!(output.status.success(), "{output:?}");
        let [hits, domains, alignments] = paths.map(|path| fs::read_to_string(path).expect("written"));
        let number = |cell: &str| cell.parse::<f64>().expect("a number");
        let rows = |text: &str| {
            let lines = text.lines().filter(|line| !line.starts_with('#'));
            lines.map(|line| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>()).collect::<Vec<_>>()
        };
        let hits =
            rows(&hits).iter().map(|row| (row[2].clone(), row[0].clone(), number(&row[4]), number(&row[5]))).collect();
        let domain = |row: &Vec<String>| {
            let [cevalue, ievalue, score, bias] = [11, 12, 13, 14].map(|cell| number(&row[cell]));
            let [query_from, query_to, from, to, envelope_from, envelope_to] =
                [15, 16, 17, 18, 19, 20].map(|cell| row[cell].parse::<u64>().expect("a position"));
            let numbers = json!({
                "ievalue": ievalue, "cevalue": cevalue, "score": score, "bias": bias,
                "query_from": query_from, "query_to": query_to, "from": from, "to": to,
                "envelope_from": envelope_from, "envelope_to": envelope_to, "accuracy": number(&row[21]),
            });
            (row[3].clone(), row[0].clone(), numbers)
        };
        let domains = rows(&domains).iter().map(domain).collect();
        let rows = alignments.lines().filter_map(|line| line.split_whitespace().nth(2).map(str::to_owned)).collect();
        Self { hits, domains, rows }
    }
}

/// Returns hits and domains in the form of those that were found by hand, and checks that their
/// alignments are among those.
fn found(lines: &[Value], by_hand: &ByHand) -> (Vec<HitNumbers>, Vec<DomainNumbers>) {
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let (mut hits, mut domains) = (Vec::new(), Vec::new());
    for hit in lines {
        let names = (text(&hit["query"]), text(&hit["accession"]));
        let numbers = ["evalue", "score"].map(|name| hit[name].as_f64().expect("a number"));
        hits.push((names.0.clone(), names.1.clone(), numbers[0], numbers[1]));
        for domain in hit["domains"].as_array().expect("domains") {
            let mut numbers = domain.as_object().expect("an object").clone();
            for row in ["query", "target"] {
                let row = text(&numbers.remove(row).expect("a row"));
                assert!(by_hand.rows.contains(&row), "{row}");
            }
            let lengths = ["match", "posterior"].map(|row| text(&numbers.remove(row).expect("a row")).len());
            assert_eq!(lengths, [domain["query"].as_str().map_or(0, str::len); 2]);
            domains.push((names.0.clone(), names.1.clone(), numbers.into()));
        }
    }
    (hits, domains)
}

#[test]
fn hits_match_the_engine_run_by_hand() {
    let Some(_) = needed_program("phmmer", "hmmer") else { return };
    let (num_selections, num_queries) = (rounds(6, SELECTIONS.len()), rounds(4, 12));
    let data = TestFolder::of_sample();
    let folder = TempDir::new().expect("a temporary folder");
    let all = sequences(&data);
    // Queries of all lengths, from the whole sample.
    let of_all = all.iter().step_by(all.len() / num_queries).take(num_queries);
    let queries: Vec<String> = of_all.map(|(accession, residues)| format!(">{accession}\n{residues}\n")).collect();
    let [fasta, targets] = ["queries.fasta", "targets.fasta"].map(|name| folder.path().join(name));
    fs::write(&fasta, queries.concat()).expect("written");
    let mut num_hits = 0;
    for (number, query) in SELECTIONS.iter().enumerate().step_by(SELECTIONS.len() / num_selections).take(num_selections)
    {
        let selected = program()
            .args(["search", "--query", query, "--limit", "all", "--format", "fasta", "--data"])
            .arg(data.path())
            .output();
        fs::write(&targets, selected.expect("the program starts").stdout).expect("written");
        let space: &[&str] = if number % 2 == 0 { &[] } else { &["-Z", "1000000"] };
        let by_hand = ByHand::run(folder.path(), "phmmer", space, &fasta, &targets);
        let more = if space.is_empty() { ["--space", "selection"] } else { ["--space", "1000000"] };
        let command = &mut similar(data.path(), &fasta, &["--query", query, "--evalue", "0.5", "--format", "ndjson"]);
        let lines = json_lines(&printed(command.args(more)));
        let (hits, domains) = found(&lines, &by_hand);
        assert_eq!((&hits, &domains), (&by_hand.hits, &by_hand.domains), "{query}");
        num_hits += hits.len();
    }
    assert!(num_hits > num_selections * num_queries / 4, "{num_hits}");
}

#[test]
fn hits_of_profiles_in_any_format_match_the_engine_run_by_hand() {
    let (Some(text), Some(hmmconvert)) = (profile(), needed_program("hmmconvert", "hmmer")) else { return };
    let data = TestFolder::of_sample();
    let folder = TempDir::new().expect("a temporary folder");
    let [profile, targets] = ["profile", "targets"].map(|name| folder.path().join(name));
    let fasta = sequences(&data).into_iter().map(|(accession, residues)| format!(">{accession}\n{residues}\n"));
    fs::write(&targets, fasta.collect::<String>()).expect("written");
    let engine = similarity::Engine::find(None).expect("HMMER is installed");
    let selection = selection(&data);
    for format in ["3/a", "3/b", "3/c", "3/d", "3/e", "3/f"] {
        fs::write(&profile, &text).expect("written");
        let converted = Command::new(&hmmconvert).args(["--outfmt", format]).arg(&profile).output().expect("a program");
        fs::write(&profile, &converted.stdout).expect("written");
        let query = similarity::Query::profile(&String::from_utf8_lossy(&converted.stdout)).expect("a profile");
        let by_hand = ByHand::run(folder.path(), "hmmsearch", &[], &profile, &targets);
        let run = TempDir::new().expect("a temporary folder");
        let search = similarity::Search {
            engine: &engine,
            query: &query,
            evalue: 0.5,
            space: None,
            hits_max: u64::MAX,
            limits: &similarity::Limits::default(),
        };
        let mut lines = Vec::new();
        let done = search.run(run.path(), &similarity::Targets::Selection(&selection), &|_| (), &|_| true, |hit| {
            let mut line = serde_json::to_value(hit).expect("JSON");
            line["query"] = json!(by_hand.hits[0].0);
            lines.push(line);
            Ok(())
        });
        let done = done.expect("hits");
        assert_eq!((done.num_hits, done.num_targets, done.num_skipped), (by_hand.hits.len() as u64, 10_000, 0));
        let (hits, domains) = found(&lines, &by_hand);
        assert!(hits.len() > 20, "{format}: {}", hits.len());
        assert_eq!((&hits, &domains), (&by_hand.hits, &by_hand.domains), "{format}");
    }
}
