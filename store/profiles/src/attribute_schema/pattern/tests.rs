use proptest::prelude::*;
use proptest::sample::select;

use super::*;

fn compile(pattern: &str) -> Pattern {
    PatternCompiler::default().compile(pattern).expect(pattern)
}

fn refusal(pattern: &str) -> String {
    PatternCompiler::default().compile(pattern).expect_err(pattern).to_string()
}

#[test]
fn work_is_bounded_and_the_same_each_time() {
    let small = compile("^[A-Z]{3}[0-9]{3}$");
    let mut work = Work::default();
    let half = "a".repeat(1 << 20);
    assert_eq!(small.is_match(&half, &mut work), Ok(false));
    assert_eq!(small.is_match(&half, &mut work), Ok(false));
    assert_eq!(small.is_match("a", &mut work), Err(Undecided));
    let around = compile("(?=.*x)");
    let mut work = Work::default();
    assert_eq!(around.is_match(&"a".repeat(1 << 10), &mut work), Ok(false));
    let left = work.left;
    assert_eq!(around.is_match(&"a".repeat(1 << 10), &mut work), Ok(false));
    assert_eq!(WORK_MAX - left, left - work.left);
    assert_eq!(around.is_match(&"a".repeat(4 << 10), &mut work), Err(Undecided));
    assert_eq!(around.is_match(&("a".repeat(4 << 10) + "x"), &mut Work::default()), Ok(true));
}

#[test]
fn ordinary_look_arounds_take_little_work() {
    for pattern in [r"^(?=.*[A-Z])(?=.*\d)[A-Za-z\d]{8,}$", r"^(?!x).{1,20}$", r"^(?!\d+$)[\w-]+$", r"^(?!.*[<>]).*$"] {
        let pattern = compile(pattern);
        let mut work = Work::default();
        assert!(pattern.is_match(&"Ab1".repeat(1 << 10), &mut work).is_ok());
        assert!(WORK_MAX - work.left < WORK_MAX / 100, "{pattern:?}: {work:?}");
        assert!(pattern.size_bytes() < PROGRAM_BYTES[0], "{} bytes: {pattern:?}", pattern.size_bytes());
    }
    let letters = compile(r"^(?!\p{Nd})[\p{L}\p{N}_ ]{1,50}$");
    assert!(letters.size_bytes() < PROGRAM_BYTES[1], "{} bytes", letters.size_bytes());
}

#[test]
fn patterns_have_the_smallest_engine_that_can_match_them() {
    for (pattern, expected) in [
        ("^[A-Z]{3}[0-9]{3}$", PROGRAM_BYTES[0]),
        (r"^\S+@\S+$", PROGRAM_BYTES[1]),
        (r"^[\p{L} ]+$", PROGRAM_BYTES[2]),
        ("^.{255}$", LARGE_PROGRAM_BYTES),
    ] {
        let engine = compile(pattern).engine;
        let Engine::Linear { program_bytes, .. } = engine else { panic!("{pattern}: {engine:?}") };
        assert_eq!(program_bytes, expected, "{pattern}");
    }
    assert!(matches!(compile(r"(a|b)\1").engine, Engine::Backtracking(_)));
}

#[test]
fn the_number_of_large_patterns_is_limited() {
    let compiler = &mut PatternCompiler::default();
    for _ in 0..NUM_LARGE_MAX {
        assert!(compiler.compile(r"^[\p{L} ]{1,20}$").is_ok());
    }
    let refused = compiler.compile(r"^[\p{L} ]{1,20}$").expect_err("too many").to_string();
    assert_eq!(refused, "is too large: compiled, it takes more than 64 KiB, as 16 others do");
    assert!(compiler.compile(r"^[\p{L} ]+$").is_ok());
}

#[test]
fn rejections_name_the_problem() {
    for (pattern, reason) in [
        ("(a", "is not a regular expression of ECMA 262: a group is not closed, at character 2"),
        ("a)", "is not a regular expression of ECMA 262: no group is open, at character 2"),
        ("[a", "is not a regular expression of ECMA 262: a class is not closed, at character 2"),
        ("a**", "is not a regular expression of ECMA 262: there is nothing to repeat, at character 3"),
        ("(?<a", "is not a regular expression of ECMA 262: the group is of an unknown kind, at character 3"),
        (
            r"[\w-.]\p{L}",
            r"is not supported: \p{…} in a pattern that is not valid with the flag u (a class is the end of a range, at character 5)",
        ),
        (
            r"\p{Greek}",
            r"is not supported: \p{…} in a pattern that is not valid with the flag u (no such property, at character 9)",
        ),
        ("(?i:a)", "is not supported: a group with flags"),
        ("(?<a>b)|(?<a>c)", "is not supported: two groups of the name a"),
        ("(a{1,1000}){1,1000}", "is too large: compiled, it takes more than 1024 KiB"),
        (&"(".repeat(65), "is too large: its groups are nested deeper than 64"),
        (&r"(?=a)\p{L}".repeat(120), "is too large: its classes have more than 65536 ranges of characters"),
    ] {
        assert_eq!(refusal(pattern), reason, "{pattern}");
    }
}

/// Patterns that both engines match.
fn linear_pattern() -> impl Strategy<Value = String> {
    let part = select(vec!["a", "b", ".", "é", r"\b", r"\B", "^", "$", r"\W", "[^a]", "(?:)"]).prop_map(str::to_owned);
    part.prop_recursive(4, 24, 4, |inner| {
        let repeated = (inner.clone(), select(vec!["", "*", "+?", "?", "{2}", "{0,2}?", "{1,}"]));
        let repeated = repeated.prop_map(|(body, quantifier)| format!("({body}){quantifier}"));
        let sequence =
            prop::collection::vec(prop_oneof![inner.clone(), repeated], 0..4).prop_map(|parts| parts.concat());
        prop::collection::vec(sequence, 1..3).prop_map(|alternatives| format!("(?:{})", alternatives.join("|")))
    })
}

proptest! {
    #[test]
    fn both_engines_match_the_same_texts(pattern in linear_pattern(), texts in prop::collection::vec("[abé -]{0,6}", 1..8)) {
        let linear = compile(&pattern);
        let is_linear = matches!(linear.engine, Engine::Linear { .. });
        prop_assert!(is_linear);
        let engine = Engine::Backtracking(Program::new(&parser::parse(&pattern).unwrap()));
        let backtracking = Pattern { text: pattern.clone(), engine };
        for text in texts {
            let found = backtracking.is_match(&text, &mut Work::default());
            if found != Err(Undecided) {
                prop_assert_eq!(found, linear.is_match(&text, &mut Work::default()), "{} on {:?}", pattern, text);
            }
        }
    }
}
