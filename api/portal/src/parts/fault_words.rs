//! Describes faults of queries by the text before them instead of byte offsets.

/// The number of characters shown before a fault.
const SHOWN: usize = 30;

/// The text before suggested names.
const SUGGESTED: &str = " Did you mean ";

/// Describes the problem of a parameter; the API gives byte offsets into its value.
pub(crate) fn describe(problem: &str, value: &str) -> String {
    let faults: Vec<_> = problem.split("; byte ").map(|fault| describe_one(fault, value)).collect();
    faults.join(" ")
}

/// Returns a description without its suggestions.
pub(crate) fn without_suggestions(text: &str) -> &str {
    text.split_once(SUGGESTED).map_or(text, |(text, _)| text)
}

fn describe_one(problem: &str, value: &str) -> String {
    let placed = problem.strip_prefix("byte ").unwrap_or(problem).split_once(", ");
    let placed = placed.and_then(|(start, fault)| Some((start.parse().ok()?, fault)));
    let Some((start, fault)) = placed else { return problem.to_owned() };
    let (part, text) = match fault.strip_prefix('"').and_then(|rest| rest.split_once("\": ")) {
        Some((part, text)) => (part, text),
        None => ("", fault.strip_prefix("at the end: ").unwrap_or(fault)),
    };
    let place = match (before(value, start), part) {
        (None, "") => String::new(),
        (None, part) => format!("“{part}”: "),
        (Some(before), "") => format!("After “{before}” "),
        (Some(before), part) => format!("After “{before}”, at “{part}”: "),
    };
    let text = without_offsets(text, value).replace("; understood: ", ". Possible here: ");
    let text = text.replace("; did you mean ", &format!(".{SUGGESTED}"));
    format!("{place}{text}{}", if text.ends_with(['.', '?']) { "" } else { "." })
}

/// Returns the last characters before an offset.
fn before(text: &str, end: usize) -> Option<&str> {
    let text = text.get(..end)?.trim_end();
    let start = text.char_indices().rev().nth(SHOWN - 1).map_or(0, |(start, _)| start);
    (!text.is_empty()).then(|| &text[start..])
}

/// Replaces the offsets in a problem with the text before them.
fn without_offsets(text: &str, value: &str) -> String {
    let Some((head, rest)) = text.split_once(" at byte ") else { return text.to_owned() };
    let end = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
    match rest[..end].parse().ok().and_then(|offset| before(value, offset)) {
        Some(before) => format!("{head} after “{before}”{}", &rest[end..]),
        None => format!("{head}{}", &rest[end..]),
    }
}

#[cfg(test)]
mod tests {
    use api_proteins::{ProteinProblem, QueryParameters, ResultFormat};
    use store::BiomeTable;

    use super::*;
    use crate::context::address::encoded;

    #[test]
    fn faults_quote_the_text_before_them() {
        let of_family = "the accession of a family such as PF00005, its number, or *.";
        for (name, value, expected) in [
            ("q", "pfam:", format!("After “pfam:” a value is missing. Possible here: {of_family}")),
            (
                "q",
                "pfam:x",
                format!("After “pfam:”, at “x”: this is not the accession of a family. Possible here: {of_family}"),
            ),
            (
                "q",
                "pfam:(5",
                "After “pfam:(5” the parenthesis after “pfam:” is not closed. Possible here: a closing parenthesis."
                    .into(),
            ),
            ("limit", "x", "The limit must be a whole number above 0.".to_owned()),
        ] {
            let text = format!("{name}={}", encoded(value));
            let Err(ProteinProblem::Parameters(problems)) =
                QueryParameters::parse(&text, Some(ResultFormat::Json), &BiomeTable::default())
            else {
                panic!("{value} has a fault");
            };
            assert_eq!(describe(&problems[0].msg, value), expected);
        }
    }
}
