use proptest::prelude::*;

use super::*;

/// The output of `hmmbuild` 3.3.2 for 16 columns, with each annotation.
const RECORDED: &str = include_str!("recorded.hmm");

/// Returns the output of `hmmconvert` in an older format.
fn in_format(format: char) -> String {
    let mut text = String::new();
    for line in RECORDED.lines() {
        let mut words: Vec<_> = line.split_whitespace().collect();
        // Consensus and mask are columns of newer formats.
        if words.len() == 26 {
            words.drain(if format < 'f' { 24..25 } else { 0..0 });
            words.drain(if format < 'e' { 22..23 } else { 0..0 });
        }
        let line = match (format, &*words) {
            ('a'..='e', ["MM", ..]) | ('a'..='d', ["CONS", ..]) | ('a', ["STATS", "LOCAL", "VITERBI", ..]) => {
                continue;
            }
            ('a', ["STATS", "LOCAL", "MSV", location, slope]) => {
                format!("STATS LOCAL VLAMBDA {slope}\nSTATS LOCAL VMU {location}")
            }
            ('a', ["STATS", "LOCAL", "FORWARD", location, _]) => format!("STATS LOCAL FTAU {location}"),
            _ => words.join(" "),
        };
        text = text + &line + "\n";
    }
    text.replacen("HMMER3/f", &format!("HMMER3/{format}"), 1)
}

fn problem(text: &str) -> String {
    rewritten(text).expect_err("a fault").to_string()
}

#[test]
fn data_used_by_searches_are_unchanged() {
    let (text, length) = rewritten(RECORDED).expect("a profile");
    assert_eq!(length, 16);
    let head = "HMMER3/f\nNAME q\nLENG 16\nALPH amino\nCONS yes\nSTATS LOCAL MSV -6.0381 0.73367\n";
    assert!(text.starts_with(head), "{text}");
    // All rows are kept, with different space between their words.
    let rows = |text: &str| -> Vec<String> {
        let rows = text.lines().skip_while(|line| !line.starts_with("HMM "));
        rows.map(|row| row.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
    };
    assert_eq!(rows(&text), rows(RECORDED));
    assert_eq!(rewritten(&text), Ok((text.clone(), length)));
}

#[test]
fn each_format_is_read() {
    for format in 'a'..='f' {
        let (text, length) = rewritten(&in_format(format)).unwrap_or_else(|fault| panic!("{format}: {fault}"));
        assert_eq!(length, 16);
        assert!(text.starts_with(&format!("HMMER3/{}\n", format.max('b'))), "{format}: {text}");
        assert_eq!(text.lines().filter(|line| line.starts_with("STATS LOCAL ")).count(), 3, "{format}");
        assert_eq!(text.contains("\nCONS yes\n"), format >= 'e', "{format}");
    }
    assert!(problem(&in_format('g')).contains("a letter from a to f"));
    assert!(problem(&in_format('f').replace("HMMER3/f", "HMMER3/ff")).contains("a letter from a to f"));
    assert!(problem(&in_format('f').replace("HMMER3/f", "HMMER2.0")).contains("a letter from a to f"));
}

#[test]
fn only_known_tags_are_kept_and_only_once() {
    let with = |line: &str| RECORDED.replacen("HMM ", &format!("{line}\nHMM "), 1);
    for line in
        [" LENG 40000", "\tLENG 16", "LENG  16", "  ALPH DNA", " STATS LOCAL MSV -10000 0.7", "stats", "CONS no"]
    {
        let read = rewritten(&with(line));
        assert!(
            line == "stats" || read.as_ref().is_err_and(|fault| fault.to_string().contains(" again")),
            "{line}: {read:?}"
        );
    }
    let expected = rewritten(RECORDED);
    for line in
        ["\u{b}LENG 40000", " NAME other", "NAME\u{b}x", "COM [1] a", "COM [1] a", "X y", "MAXL 9", "# LENG 7", "\u{0}"]
    {
        assert_eq!(rewritten(&with(line)), expected, "{line:?}");
    }
    for (from, to, expected) in [
        ("ALPH  amino", "ALPH\u{b}amino", "ALPH has 0 values"),
        ("ALPH  amino", "ALPH  DNA", "ALPH is not amino"),
        ("ALPH  amino", "ALPH  amino DNA", "ALPH has 2 values, and not 1"),
        ("LENG  16", "LENG  sixteen", "LENG is not a number"),
        ("LENG  16", "LENG  0", "LENG is not a number"),
        ("LENG  16", "LENG  -16", "LENG is not a number"),
        ("LENG  16", "LENG  99999999999999999999", "LENG is not a number"),
        ("LENG  16", "LENG  15", "line 70 is not its end"),
        ("LENG  16", "LENG  17", "line 73 is not the line expected for position 17 of 17"),
        ("LENG  16", "LENG  10001", "10001 residues or positions"),
        ("CONS  yes", "CONS  no", "CONS is not yes"),
        ("CONS  yes", "", "CONS has 0 values"),
        ("STATS LOCAL MSV", "STATS GLOCAL MSV", "STATS LOCAL MSV has 0 values"),
        ("//", "", "its end is missing"),
        ("//", "//\n//", "not the last line"),
        ("//", "/", "line 73 is not its end"),
    ] {
        let problem = problem(&RECORDED.replacen(from, to, 1));
        assert!(problem.contains(expected), "{from} {to}: {problem}");
    }
    assert!(problem(&RECORDED.repeat(2)).contains("not the last line"));
    assert!(problem("").contains("does not begin"));
}

#[test]
fn rows_have_valid_numbers() {
    for (from, to) in [
        ("3.84401", "-9"),
        ("3.84401", "nan"),
        ("3.84401", "1e-3"),
        ("3.84401", "inf"),
        ("3.84401", "0x1p3"),
        ("3.84401", "3.8440100000000000000000000000"),
        ("3.84401", "*"),
        ("3.84401", "3.84401 3.84401"),
        ("3.84401", ""),
        // More likely than certain.
        ("0.15134", "0.10000"),
        ("0.31520", "0.0"),
        ("0.61958", "0.60000"),
        ("1.75008", "0.0"),
        ("      1   3", "      2   3"),
        ("1 G x - C", "1 G x - #"),
        ("1 G x - C", "1 G x - CC"),
        ("1 G x - C", "x G x - C"),
        ("1 G x - C", "1 G x -"),
        ("1 G x - C", "1 \u{e9} x - C"),
    ] {
        let text = RECORDED.replacen(from, to, 1);
        assert!(text != RECORDED && problem(&text).contains("is not"), "{from} {to}");
    }
    let text = RECORDED.replacen("1 G x - C", "- G x - C", 1);
    assert!(rewritten(&text).is_ok());
}

#[test]
fn statistics_are_possible_for_the_length() {
    let with = |name: &str, location: &str, slope: &str| {
        let line = RECORDED.lines().find(|line| line.contains(name)).expect("a line");
        rewritten(&RECORDED.replace(line, &format!("STATS LOCAL {name} {location} {slope}")))
    };
    for (name, location, slope) in
        [("MSV", "-11", "0.7"), ("VITERBI", "-11", "1.05"), ("FORWARD", "-7", "0.5"), ("FORWARD", "5", "0.5")]
    {
        assert!(with(name, location, slope).is_ok(), "{name} {location} {slope}");
    }
    for (name, location, slope) in [
        ("MSV", "-10000", "0.7"),
        ("MSV", "-11.01", "0.7"),
        ("VITERBI", "-11.01", "0.7"),
        ("FORWARD", "-7.01", "0.7"),
        ("FORWARD", "5.01", "0.7"),
        ("MSV", "-6", "1.06"),
        ("MSV", "-6", "0.49"),
        ("MSV", "-6", "-0.7"),
        ("MSV", "nan", "0.7"),
        ("MSV", "-6", "*"),
    ] {
        let problem = with(name, location, slope).expect_err("beyond").to_string();
        assert!(
            problem.contains(&format!("STATS LOCAL {name} is {location} and {slope}; for 16 positions")),
            "{problem}"
        );
    }
}

proptest! {
    #[test]
    fn rewriting_is_idempotent_for_any_input(
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0..30_usize, "[ -~\n\t\u{b}\u{0}]{0,9}|LENG 9|STATS LOCAL MSV -9 0[.]7|\nLENG  1"), 0..4),
        is_near in any::<bool>(),
        format in prop::char::range('a', 'f')
    ) {
        let mut text = in_format(format);
        for (start, num_removed, added) in edits {
            let start = start.index(if is_near { text.len().min(500) } else { text.len() });
            let end = text.len().min(start + num_removed);
            text.replace_range(start..end, &added);
        }
        if let Ok((written, length)) = rewritten(&text) {
            prop_assert_eq!(rewritten(&written), Ok((written.clone(), length)));
            let num = |tag: &str| written.lines().filter(|line| line.split(' ').next() == Some(tag)).count();
            prop_assert_eq!([num("LENG"), num("ALPH"), num("NAME"), num("STATS"), num("//")], [1, 1, 1, 3, 1]);
            let num_rows = 3 * length + 2 + num("COMPO");
            let num_rows_written = written.lines().skip_while(|line| !line.starts_with("m->m")).count() - 2;
            prop_assert_eq!(num_rows_written, num_rows);
            prop_assert!(written.bytes().all(|byte| byte == b'\n' || byte == b' ' || byte.is_ascii_graphic()));
        }
    }
}
