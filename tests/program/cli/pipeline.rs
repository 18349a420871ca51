//! The commands of the documentation's chapter on searching, as a shell and as Snakemake run them.

use std::fs;

use crate::cli::documented::{blocks, chapter, shell};
use support::TestFolder;
use tempfile::TempDir;

/// A rule of a Snakefile.
#[derive(Debug, Default)]
struct Rule {
    input: String,
    output: String,
    shell: String,
}

/// Returns the rules of a Snakefile, in which each value stands on the line of its name.
fn rules(snakefile: &str) -> Vec<Rule> {
    let mut rules: Vec<Rule> = Vec::new();
    for line in snakefile.lines() {
        let (name, value) = line.trim().split_once(':').unwrap_or_default();
        let value = value.trim().trim_matches('"').to_owned();
        match (name, rules.last_mut()) {
            ("input", Some(rule)) => rule.input = value,
            ("output", Some(rule)) => rule.output = value,
            ("shell", Some(rule)) => rule.shell = value,
            _ if name.starts_with("rule ") => rules.push(Rule::default()),
            _ => {}
        }
    }
    rules
}

#[test]
fn the_documented_pipeline_runs() {
    let (chapter, data, folder) =
        (chapter("Searching"), TestFolder::of_sample_with(true), TempDir::new().expect("a temporary folder"));
    let text = |name: &str| fs::read_to_string(folder.path().join(name)).expect(name);
    let rules = rules(blocks(&chapter, "python")[0]);
    let commands: Vec<&Rule> = rules.iter().filter(|rule| !rule.shell.is_empty()).collect();
    assert_eq!((rules.len(), commands.len()), (4, 3), "{rules:?}");
    for rule in commands {
        assert!(rule.input.is_empty() || folder.path().join(&rule.input).is_file(), "rules come in order: {rule:?}");
        let line = rule.shell.replace("{input}", &rule.input).replace("{output}", &rule.output);
        let done = shell(&line, folder.path(), data.path(), None);
        assert_eq!((done.code, &*done.stdout, &*done.stderr), (Some(0), "", ""), "{rule:?}");
    }
    let wanted = rules[0].input.replace(['"', ' '], "");
    assert!(wanted.split(',').all(|name| !text(name).is_empty()), "{wanted}");
    let sequences = text("transporters.fasta").lines().filter(|line| line.starts_with('>')).count();
    assert_eq!([text("accessions.txt"), text("records.jsonl")].map(|text| text.lines().count()), [sequences; 2]);

    for line in blocks(&chapter, "sh")[0].lines() {
        let done = shell(line, folder.path(), data.path(), None);
        assert_eq!((done.code, &*done.stderr), (Some(0), ""), "{line}");
    }
    assert!(text("proteins.fasta").starts_with(">MGYP"));
}
