//! Alignments as text, with the positions of each row.

use std::fmt::Write;

use similarity::Domain;

/// The columns per row.
const WIDTH: usize = 60;

/// Returns an alignment in rows of at most 60 columns: query, matches, protein.
pub(super) fn text(domain: &Domain, accession: &str) -> String {
    let (mut query_at, mut target_at) = (domain.query_from, domain.from);
    let name_width = accession.len();
    let digits = domain.query_to.max(domain.to).to_string().len();
    let mut text = String::new();
    let [query, middle, target] = [&domain.query, &domain.middle, &domain.target].map(String::as_bytes);
    let rows = query.chunks(WIDTH).zip(middle.chunks(WIDTH)).zip(target.chunks(WIDTH));
    for ((query, middle), target) in rows {
        let [query, middle, target] = [query, middle, target].map(String::from_utf8_lossy);
        let num = |row: &str, gap| row.chars().filter(|letter| *letter != gap).count() as u64;
        let (query_end, target_end) = (query_at + num(&query, '.'), target_at + num(&target, '-'));
        // Writing to memory cannot fail.
        let _ = writeln!(text, "{:<name_width$} {query_at:>digits$} {query} {}", "query", query_end.max(1) - 1);
        let _ = writeln!(text, "{:<name_width$} {:>digits$} {middle}", "", "");
        let _ = writeln!(text, "{accession} {target_at:>digits$} {target} {}\n", target_end.max(1) - 1);
        (query_at, target_at) = (query_end, target_end);
    }
    text.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_the_positions_of_their_ends() {
        let query = "m".repeat(59) + ".." + &"k".repeat(9);
        let target = "M".repeat(59) + "gg-" + &"K".repeat(8);
        let domain = Domain {
            query_from: 3,
            query_to: 70,
            from: 101,
            to: 169,
            middle: " ".repeat(query.len()),
            query,
            target,
            ..serde_json::from_str::<Domain>(DOMAIN).expect("a domain")
        };
        let expected = [
            format!("query   3 {}. 61", "m".repeat(59)),
            String::new(),
            format!("MGYP1 101 {}g 160", "M".repeat(59)),
            String::new(),
            format!("query  62 .{} 70", "k".repeat(9)),
            String::new(),
            format!("MGYP1 161 g-{} 169", "K".repeat(8)),
        ];
        let shown = text(&domain, "MGYP1");
        assert_eq!(
            shown.lines().map(str::trim_end).collect::<Vec<_>>(),
            expected.map(|line| line.trim_end().to_owned())
        );
    }

    const DOMAIN: &str = r#"{"ievalue":0,"cevalue":0,"score":0,"bias":0,"query_from":1,"query_to":1,"from":1,"to":1,"envelope_from":1,
        "envelope_to":1,"accuracy":1,"query":"","match":"","target":"","posterior":""}"#;
}
