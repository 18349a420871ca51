//! From the text of a query to its tree. Parsing continues after a fault, so that all faults are
//! found at once.
//!
//! No available parser of Lucene's syntax suits: `tantivy-query-grammar` does not report the place
//! of a condition in the text, so that its faults could not be placed; it accepts much that
//! proteins do not have (boosts, phrases, patterns); and it recurses without a bound.

use std::mem;
use std::ops::Range;

use super::lexer::{Lexer, Token};
use super::place::QueryPlace;
use super::tree::{Nearness, Operator, Part, QueryTree, QueryValue};

/// The most bytes of the text of a query.
pub const QUERY_BYTES_MAX: usize = 64 << 10;

/// The most levels of parentheses and `NOT`.
pub const QUERY_DEPTH_MAX: usize = 64;

pub(super) const FAULTS_MAX: usize = 100;

/// The word before two conditions, and the word for the same strand.
const NEAR: &str = "near";
const SAME: &str = "same";

const NEAR_FORM: &str = "near(A, B, n) or near(A, B, n, same)";

type Tree = QueryTree<Part>;

/// The parts of the syntax by which languages differ; see [`super::QueryFields`].
#[derive(Clone, Copy)]
pub(super) struct Grammar {
    pub(super) has_units: bool,
    pub(super) near_genes_max: Option<u64>,
    pub(super) embeds: fn(&str) -> bool,
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    grammar: Grammar,
    depth: usize,
    num_open: usize,
    num_faults: usize,
    /// Set by a fault after which nothing is read.
    has_stopped: bool,
}

/// Parses a query, or a query inside a longer text. Nothing is looked up.
pub(super) fn parse(place: QueryPlace<'_>, grammar: Grammar) -> Tree {
    let (text, at) = (place.text_to_end(), place.range().start);
    let lexer = Lexer { text, at, has_units: grammar.has_units, has_commas: false };
    let mut parser = Parser { lexer, grammar, depth: 0, num_open: 0, num_faults: 0, has_stopped: false };
    let num_bytes = place.part().len();
    if num_bytes > QUERY_BYTES_MAX {
        let understood = format!("at most {QUERY_BYTES_MAX} bytes");
        return parser.fault(place.range(), format!("the query has {num_bytes} bytes"), Some(&understood));
    }
    parser.any(false)
}

/// Reads a single value, in which spaces need no quotation marks, and its place in the text.
pub fn lone_value(text: &str, has_ranges: bool) -> (QueryValue, QueryPlace<'_>) {
    let mut lexer = Lexer { text, at: 0, has_units: false, has_commas: false };
    let (token, place) = lexer.next(true);
    let is_all = lexer.peek(true).0 == Token::End;
    let (value, place) = match token {
        Token::Range(bounds) if has_ranges && is_all => (QueryValue::Range(bounds, None), place),
        Token::Text(value) if is_all && text.trim().starts_with('"') => (QueryValue::Text(value, None), place),
        _ => (QueryValue::Text(text.trim().to_owned(), None), 0..text.len()),
    };
    (value, QueryPlace::whole(text).at(&place))
}

/// Each function reads either conditions, each with its field, or values of a field.
impl Parser<'_> {
    fn any(&mut self, is_value: bool) -> Tree {
        let mut parts = vec![self.all(is_value)];
        while self.take_if(is_value, &Token::Or) {
            parts.push(self.all(is_value));
        }
        Tree::Joined(Operator::Any, parts)
    }

    fn all(&mut self, is_value: bool) -> Tree {
        let mut parts = vec![self.one(is_value)];
        loop {
            let (token, place) = self.lexer.peek(is_value);
            match token {
                Token::And => self.lexer.at = place.end,
                Token::Close if self.num_open == 0 => {
                    self.lexer.at = place.end;
                    parts.push(self.fault(place, "no parenthesis is open", Some("AND, OR, or the end")));
                    continue;
                }
                Token::Or | Token::Close | Token::Comma | Token::End => break,
                _ => {
                    let understood = Some("AND, OR, a closing parenthesis, or the end");
                    parts.push(self.fault(place, "an operator is missing before this", understood));
                }
            }
            parts.push(self.one(is_value));
        }
        Tree::Joined(Operator::All, parts)
    }

    /// Parses a condition or value, or the content of parentheses.
    fn one(&mut self, is_value: bool) -> Tree {
        let (token, place) = self.lexer.next(is_value);
        match token {
            Token::Not => self.nested(place, |parser| Tree::Joined(Operator::Not, vec![parser.one(is_value)])),
            Token::Open => self.group(place, is_value),
            Token::Field(name) => self.condition(name, &place),
            Token::Text(text) if is_value => Tree::Leaf(Part::Value(QueryValue::Text(text, self.lexer.unit()), place)),
            Token::Range(bounds) => Tree::Leaf(Part::Value(QueryValue::Range(bounds, self.lexer.unit()), place)),
            Token::Text(text) if text == "*" => Tree::everything(),
            Token::Text(text) if text.eq_ignore_ascii_case(NEAR) && self.is_near() => self.near(place),
            Token::Text(_) => self.fault(place, "a field is missing before this", None),
            Token::Faulty(problem) => self.fault(place, problem, None),
            Token::And | Token::Or | Token::Close | Token::Comma | Token::End => {
                // The rest is read as intended.
                self.lexer.at = place.start;
                self.fault(place, if is_value { "a value is missing" } else { "a condition is missing" }, None)
            }
        }
    }

    fn condition(&mut self, name: String, place: &Range<usize>) -> Tree {
        if name == "*" && self.take_if(true, &Token::Text("*".to_owned())) {
            return Tree::everything();
        }
        let start = self.lexer.at;
        let values = if !(self.grammar.embeds)(&name) || !self.lexer.is_before_conditions() {
            self.one(true)
        } else if let Some(place) = self.lexer.parenthesized() {
            Tree::Leaf(Part::Value(QueryValue::Embedded, place))
        } else {
            let fault = self.unclosed(start);
            self.stop();
            fault
        };
        Tree::Leaf(Part::Field(name, place.start..place.end - 1, Box::new(values)))
    }

    fn group(&mut self, place: Range<usize>, is_value: bool) -> Tree {
        let start = place.start;
        self.num_open += 1;
        let tree = self.nested(place, |parser| parser.any(is_value));
        self.closed(tree, start, is_value)
    }

    /// Takes the end of parentheses.
    fn closed(&mut self, tree: Tree, opening: usize, is_value: bool) -> Tree {
        self.num_open -= 1;
        if self.take_if(is_value, &Token::Close) || self.has_stopped {
            return tree;
        }
        Tree::Joined(Operator::All, vec![tree, self.unclosed(opening)])
    }

    /// Returns whether conditions follow `near`.
    fn is_near(&self) -> bool {
        self.grammar.near_genes_max.is_some() && self.lexer.peek(false).0 == Token::Open
    }

    /// Parses the parts of `near` in their parentheses.
    fn near(&mut self, place: Range<usize>) -> Tree {
        let opening = self.lexer.next(false).1.start;
        self.num_open += 1;
        let is_inside = mem::replace(&mut self.lexer.has_commas, true);
        let tree = self.nested(place, Self::near_parts);
        let tree = self.closed(tree, opening, false);
        self.lexer.has_commas = is_inside;
        tree
    }

    fn near_parts(&mut self) -> Tree {
        let mut parts = Vec::new();
        for _ in 0..2 {
            parts.push(self.any(false));
            if !self.take_if(false, &Token::Comma) {
                parts.push(self.near_fault("a comma is missing before this", NEAR_FORM));
                return Tree::Joined(Operator::All, parts);
            }
        }
        let genes_max = self.grammar.near_genes_max.unwrap_or_default();
        let number = |token| if let Token::Text(text) = token { text.parse().ok() } else { None };
        let (token, end) = self.lexer.peek(false);
        let Some(genes) = number(token).filter(|genes| (1..=genes_max).contains(genes)) else {
            let understood = format!("a whole number from 1 to {genes_max}");
            return self.near_fault("this is not a number of genes", &understood);
        };
        self.lexer.at = end.end;
        let same_strand = self.take_if(false, &Token::Comma);
        let is_same = |token| matches!(token, Token::Text(text) if text.eq_ignore_ascii_case(SAME));
        if same_strand && !is_same(self.lexer.peek(false).0) {
            return self.near_fault("this is not a condition on the strand", SAME);
        }
        if same_strand {
            self.lexer.next(false);
        }
        if !matches!(self.lexer.peek(false).0, Token::Close | Token::End) {
            return self.near_fault("this is not a part of near", NEAR_FORM);
        }
        Tree::Joined(Operator::Near(Nearness { genes, same_strand }), parts)
    }

    /// Reports the next part of `near`, and skips the rest of them.
    fn near_fault(&mut self, problem: &str, understood: &str) -> Tree {
        let place = self.lexer.peek(false).1;
        let fault = self.fault(place, problem, Some(understood));
        let end = self.lexer.skip_to_closing();
        self.lexer.at = end.map_or(self.lexer.text.len(), |end| end.start);
        fault
    }

    fn nested(&mut self, place: Range<usize>, parse: impl FnOnce(&mut Self) -> Tree) -> Tree {
        if self.depth == QUERY_DEPTH_MAX {
            let understood = format!("{QUERY_DEPTH_MAX} levels");
            let fault = self.fault(place, "the query is nested too deeply", Some(&understood));
            self.stop();
            return fault;
        }
        self.depth += 1;
        let tree = parse(self);
        self.depth -= 1;
        tree
    }

    fn take_if(&mut self, is_value: bool, token: &Token) -> bool {
        let (next, place) = self.lexer.peek(is_value);
        (next == *token).then(|| self.lexer.at = place.end).is_some()
    }

    fn unclosed(&mut self, opening: usize) -> Tree {
        let end = self.lexer.text.len();
        let problem = format!("the parenthesis at byte {opening} is not closed");
        self.fault(end..end, problem, Some("a closing parenthesis"))
    }

    fn fault(&mut self, place: Range<usize>, problem: impl Into<String>, understood: Option<&str>) -> Tree {
        if self.has_stopped {
            return Tree::everything();
        }
        self.num_faults += 1;
        if self.num_faults == FAULTS_MAX {
            self.stop();
        }
        Tree::Leaf(Part::Fault(problem.into(), understood.map(str::to_owned), place))
    }

    fn stop(&mut self) {
        self.has_stopped = true;
        self.lexer.at = self.lexer.text.len();
    }
}
