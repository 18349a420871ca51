//! Faults of queries in words: what stands before the faulty part, instead of its offset in bytes.

/// So many characters before a fault are shown.
const SHOWN: usize = 30;

/// What stands before the names that may have been meant.
const SUGGESTED: &str = " Did you mean ";

/// Says what is wrong with the text of a parameter, of which the interface says where by offsets.
pub(crate) fn of(problem: &str, value: &str) -> String {
    let faults: Vec<_> = problem.split("; byte ").map(|fault| of_one(fault, value)).collect();
    faults.join(" ")
}

/// Returns what was said without the names that may have been meant.
pub(crate) fn without_suggestions(told: &str) -> &str {
    told.split_once(SUGGESTED).map_or(told, |(told, _)| told)
}

fn of_one(problem: &str, value: &str) -> String {
    let placed = problem.strip_prefix("byte ").unwrap_or(problem).split_once(", ");
    let placed = placed.and_then(|(start, fault)| Some((start.parse().ok()?, fault)));
    let Some((start, fault)) = placed else { return problem.to_owned() };
    let (part, told) = match fault.strip_prefix('"').and_then(|rest| rest.split_once("\": ")) {
        Some((part, told)) => (part, told),
        None => ("", fault.strip_prefix("at the end: ").unwrap_or(fault)),
    };
    let place = match (before(value, start), part) {
        (None, "") => String::new(),
        (None, part) => format!("“{part}”: "),
        (Some(before), "") => format!("After “{before}” "),
        (Some(before), part) => format!("After “{before}”, at “{part}”: "),
    };
    let told = without_offsets(told, value).replace("; understood: ", ". Possible here: ");
    let told = told.replace("; did you mean ", &format!(".{SUGGESTED}"));
    format!("{place}{told}{}", if told.ends_with(['.', '?']) { "" } else { "." })
}

/// Returns the last characters of a text before an offset.
fn before(text: &str, end: usize) -> Option<&str> {
    let text = text.get(..end)?.trim_end();
    let start = text.char_indices().rev().nth(SHOWN - 1).map_or(0, |(start, _)| start);
    (!text.is_empty()).then(|| &text[start..])
}

/// Names the places that a problem mentions.
fn without_offsets(told: &str, value: &str) -> String {
    let Some((head, rest)) = told.split_once(" at byte ") else { return told.to_owned() };
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
    fn faults_are_told_by_what_stands_before_them() {
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
            ("limit", "x", "The limit is a whole number above 0.".to_owned()),
        ] {
            let text = format!("{name}={}", encoded(value));
            let Err(ProteinProblem::Parameters(problems)) =
                QueryParameters::parse(&text, Some(ResultFormat::Json), &BiomeTable::default())
            else {
                panic!("{value} has a fault");
            };
            assert_eq!(of(&problems[0].msg, value), expected);
        }
    }
}
