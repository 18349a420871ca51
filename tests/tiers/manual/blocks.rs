//! The blocks of code of a page, and their actions.

/// A comment above a block that says that it is not run, and why.
const NOT_RUN: &str = "<!-- not run: ";

/// A comment above a block that names the file that its text is saved in.
const FILE: &str = "<!-- file: ";

/// A comment with a command that is run without being shown.
const HIDDEN: &str = "<!-- hidden: ";

/// The action for the text of a block.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum Kind {
    /// Run in the shell of the page.
    Shell,
    /// Run by Python.
    Python,
    /// Run by R.
    R,
    /// Saved in a file.
    File(String),
}

/// An action, and its output if the page shows it.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// The line where it stands, from 1.
    pub(super) line: usize,
    pub(super) kind: Kind,
    pub(super) text: String,
    pub(super) shown: Option<Vec<String>>,
}

impl Block {
    /// Returns whether it is in R, or runs a file in R.
    pub(super) fn needs_r(&self) -> bool {
        self.kind == Kind::R || self.text.starts_with("Rscript ")
    }

    /// Returns the actions of a page, in order.
    ///
    /// # Panics
    ///
    /// Panics where a block is in no known language, and where commands are in a block that is not
    /// run without saying why.
    pub(super) fn all(page: &str) -> Vec<Self> {
        let (mut found, mut lines) = (Vec::new(), page.lines().zip(1..));
        let mut note = "";
        while let Some((line, number)) = lines.next() {
            let trimmed = line.trim_start();
            if let Some(command) = trimmed.strip_prefix(HIDDEN) {
                let command = command.trim_end_matches("-->").trim();
                found.push(Self { line: number, kind: Kind::Shell, text: format!("{command}\n"), shown: None });
            } else if trimmed.starts_with("<!-- ") {
                note = trimmed;
            } else if let Some(language) = trimmed.strip_prefix("```") {
                let indentation = line.len() - trimmed.len();
                let body = lines.by_ref().map(|(line, _)| line).take_while(|line| line.trim() != "```");
                let body: Vec<&str> = body.map(|line| line.get(indentation..).unwrap_or_default()).collect();
                found.extend(Self::of(number + 1, language, std::mem::take(&mut note), &body));
            } else if !trimmed.is_empty() {
                note = "";
            }
        }
        found
    }

    fn of(line: usize, language: &str, note: &str, body: &[&str]) -> Vec<Self> {
        let text = body.join("\n") + "\n";
        let one = |kind, text| vec![Self { line, kind, text, shown: None }];
        if note.starts_with(NOT_RUN) {
            return Vec::new();
        }
        if let Some(name) = note.strip_prefix(FILE) {
            let name = name.trim_end_matches("-->").trim();
            let rules = if name == "Snakefile" { one(Kind::Shell, rules(body)) } else { Vec::new() };
            return [one(Kind::File(name.to_owned()), text), rules].concat();
        }
        match language {
            "sh" => one(Kind::Shell, text),
            "python" => one(Kind::Python, text),
            "r" => one(Kind::R, text),
            "console" => Self::dialogue(line, body),
            "text" | "json" | "toml" => {
                let commands = ["$ ", "mgdex ", "curl ", "cargo "];
                let is_command = |line: &&str| commands.iter().any(|command| line.starts_with(command));
                assert!(!body.iter().any(is_command), "line {line}: say above the block why it is not run: {body:?}");
                Vec::new()
            }
            _ => panic!("line {line}: a block in the language {language:?}"),
        }
    }

    /// Returns the commands of a block, each after a `$`, and the output of each. A command
    /// continues after `\` and `|`.
    fn dialogue(line: usize, body: &[&str]) -> Vec<Self> {
        let (mut found, mut lines) = (Vec::<Self>::new(), body.iter().zip(line..));
        while let Some((text, number)) = lines.next() {
            if let Some(command) = text.strip_prefix("$ ") {
                let mut command = command.to_owned();
                while command.ends_with(['\\', '|']) {
                    command = format!("{command}\n{}", lines.next().expect("the end of a command").0);
                }
                found.push(Self { line: number, kind: Kind::Shell, text: command + "\n", shown: Some(Vec::new()) });
            } else {
                let before = found.last_mut().and_then(|block| block.shown.as_mut());
                before.unwrap_or_else(|| panic!("line {number}: what prints this?")).push((*text).to_owned());
            }
        }
        found
    }
}

/// Returns the commands of the rules of a Snakefile, as Snakemake runs them. Each value stands on
/// the line of its name, and each rule after those whose output it needs.
fn rules(snakefile: &[&str]) -> String {
    let (mut commands, mut input, mut output) = (String::new(), "", "");
    for line in snakefile {
        let (name, value) = line.trim().split_once(':').unwrap_or_default();
        let value = value.trim().trim_matches('"');
        match name {
            "input" => input = value,
            "output" => output = value,
            "shell" => commands += &(value.replace("{input}", input).replace("{output}", output) + "\n"),
            _ if name.starts_with("rule ") => (input, output) = ("", ""),
            _ => {}
        }
    }
    commands
}

#[cfg(test)]
mod tests {
    use super::{Block, Kind};

    #[test]
    fn kinds_of_blocks_are_distinguished() {
        let page = "# T\n<!-- hidden: mgdex serve & -->\n```sh\na\nb\n```\n\n- x\n\n  ```console\n  $ c \\\n    d\n  1\n  $ e\n  ```\n\
                    <!-- not run: why -->\n```text\nmgdex\n```\n<!-- file: f -->\n\n```text\ng\n```\n```r\nh\n```\n";
        let blocks = Block::all(page);
        let found: Vec<(usize, Kind, &str, Option<usize>)> = blocks
            .iter()
            .map(|block| (block.line, block.kind.clone(), &*block.text, block.shown.as_ref().map(Vec::len)))
            .collect();
        assert_eq!(
            found,
            [
                (2, Kind::Shell, "mgdex serve &\n", None),
                (4, Kind::Shell, "a\nb\n", None),
                (11, Kind::Shell, "c \\\n  d\n", Some(1)),
                (14, Kind::Shell, "e\n", Some(0)),
                (23, Kind::File("f".to_owned()), "g\n", None),
                (26, Kind::R, "h\n", None),
            ]
        );
    }

    #[test]
    fn rules_become_commands() {
        let snakefile =
            ["rule all:", r#"    input: "b""#, "rule b:", r#"    output: "b""#, r#"    shell: "c > {output}""#];
        assert_eq!(super::rules(&snakefile), "c > b\n");
    }

    #[test]
    #[should_panic(expected = "line 2: say above the block why it is not run")]
    fn commands_are_run_or_skipped_with_a_reason() {
        Block::all("```text\nmgdex serve\n```\n");
    }
}
