//! From the text of a query to its tree. Parsing goes on behind a fault, so that all faults are found at once.
//!
//! No parser of Lucene's syntax that is at hand serves: `tantivy-query-grammar` does not tell where in the text a condition is, so that
//! its faults could not be placed; it accepts much that proteins do not have (boosts, phrases, patterns); and it recurses without a
//! bound.

use std::ops::Range;

use super::fault::QueryFault;
use super::grammar::{Grammar, QueryValue};
use super::lexer::{Lexer, Token};
use super::place::QueryPlace;

/// The most bytes of the text of a query.
pub const QUERY_BYTES_MAX: usize = 64 << 10;

/// The most levels of parentheses and `NOT`.
pub const QUERY_DEPTH_MAX: usize = 64;

/// The most terms of a query. A range counts one for each power of two that it touches.
pub const QUERY_TERMS_MAX: usize = 1024;

const FAULTS_MAX: usize = 100;

/// Whose values are read.
#[derive(Clone)]
enum Context<F> {
    /// Conditions, each with its field.
    Conditions,
    Values(F),
    /// Values of a field that does not exist.
    Ignored,
}

struct Parser<'a, G: Grammar> {
    lexer: Lexer<'a>,
    grammar: &'a G,
    depth: usize,
    num_open: usize,
    num_terms: usize,
    faults: Vec<QueryFault>,
    /// Set by a fault behind which nothing is read.
    has_stopped: bool,
}

/// Parses a query, or one that is a part of another.
///
/// # Errors
///
/// * All faults of the text, up to a hundred, in the order of their places.
pub fn parse<G: Grammar>(place: QueryPlace<'_>, grammar: &G) -> Result<G::Query, Vec<QueryFault>> {
    let num_bytes = place.part().len();
    if num_bytes > QUERY_BYTES_MAX {
        let problem = format!("the query has {num_bytes} bytes");
        return Err(vec![place.fault(problem, &format!("at most {QUERY_BYTES_MAX} bytes"))]);
    }
    let lexer = Lexer { text: place.text_to_end(), at: place.range().start, has_units: G::HAS_UNITS };
    let mut parser =
        Parser { lexer, grammar, depth: 0, num_open: 0, num_terms: 0, faults: Vec::new(), has_stopped: false };
    let query = parser.any(&Context::Conditions);
    if parser.faults.is_empty() { Ok(query) } else { Err(parser.faults) }
}

/// Parses a value by itself, in which spaces need no quotation marks.
pub fn parse_value<G: Grammar>(
    field: &G::Field,
    value: &str,
    has_ranges: bool,
    grammar: &G,
) -> Result<G::Query, Vec<QueryFault>> {
    let mut lexer = Lexer { text: value, at: 0, has_units: G::HAS_UNITS };
    let (token, place) = lexer.next(true);
    let unit = lexer.unit();
    let is_all = lexer.peek(true) == Token::End;
    let (value_of_field, place) = match token {
        Token::Range { low, high } if has_ranges && is_all => (QueryValue::Range { low, high, unit }, place),
        Token::Text(text) if value.trim().starts_with('"') && is_all => (QueryValue::Text { text, unit }, place),
        _ => (QueryValue::Text { text: value.trim().to_owned(), unit: None }, 0..value.len()),
    };
    grammar.condition(field, value_of_field, QueryPlace::new(value, &place))
}

impl<G: Grammar> Parser<'_, G> {
    fn any(&mut self, context: &Context<G::Field>) -> G::Query {
        let mut parts = vec![self.all(context)];
        while self.take_if(context, &Token::Or) {
            parts.push(self.all(context));
        }
        if parts.len() == 1 { parts.remove(0) } else { self.grammar.any(parts) }
    }

    fn all(&mut self, context: &Context<G::Field>) -> G::Query {
        let mut parts = vec![self.one(context)];
        loop {
            match self.lexer.peek(context.is_value()) {
                Token::And => drop(self.lexer.next(context.is_value())),
                Token::Close if self.num_open == 0 => {
                    let (_, place) = self.lexer.next(context.is_value());
                    self.fault(&place, "no parenthesis is open", "AND, OR, or the end");
                    continue;
                }
                Token::Or | Token::Close | Token::End => break,
                _ => {
                    let (_, place) = Lexer { ..self.lexer }.next(context.is_value());
                    let understood = "AND, OR, a closing parenthesis, or the end";
                    self.fault(&place, "an operator is missing before this", understood);
                }
            }
            parts.push(self.one(context));
        }
        if parts.len() == 1 { parts.remove(0) } else { self.grammar.all(parts) }
    }

    /// Parses a condition or value, or what is in parentheses.
    fn one(&mut self, context: &Context<G::Field>) -> G::Query {
        let (token, place) = self.lexer.next(context.is_value());
        match (token, context) {
            (Token::Not, _) => self.nested(&place, |parser| {
                let part = parser.one(context);
                parser.grammar.not(part)
            }),
            (Token::Open, _) => self.group(&place, context),
            (Token::Field(name), _) => self.condition(&name, &place),
            (Token::Text(text), Context::Conditions) if text == "*" => self.grammar.everything(),
            (Token::Text(_), Context::Conditions) => self.fault(&place, "this has no field", &self.understood(context)),
            (Token::Text(text), Context::Values(field)) => {
                let unit = self.lexer.unit();
                self.leaf(field, QueryValue::Text { text, unit }, &place)
            }
            (Token::Range { low, high }, Context::Values(field)) => {
                let unit = self.lexer.unit();
                self.leaf(field, QueryValue::Range { low, high, unit }, &place)
            }
            (Token::Text(_) | Token::Range { .. }, _) => {
                self.lexer.unit();
                self.grammar.everything()
            }
            (Token::Faulty(problem), _) => self.fault(&place, problem, &self.understood(context)),
            (Token::And | Token::Or | Token::Close | Token::End, _) => {
                // What follows is read as it is meant.
                self.lexer.at = place.start;
                self.fault(&place, context.missing(), &self.understood(context))
            }
        }
    }

    fn condition(&mut self, name: &str, place: &Range<usize>) -> G::Query {
        let Some(field) = self.grammar.field(name) else {
            if name == "*" && self.lexer.peek(true) == Token::Text("*".to_owned()) {
                self.lexer.next(true);
                return self.grammar.everything();
            }
            let name_place = QueryPlace::new(self.lexer.text, &(place.start..place.end - 1));
            self.add(self.grammar.unknown(name, name_place));
            return self.one(&Context::Ignored);
        };
        if !self.grammar.embeds(&field) || !self.lexer.is_before_conditions() {
            return self.one(&Context::Values(field));
        }
        let start = self.lexer.at;
        match self.lexer.parenthesized() {
            Ok(place) => self.leaf(&field, QueryValue::Embedded, &place),
            Err(rest) => {
                let problem = format!("the parenthesis at byte {start} is not closed");
                let fault = self.fault(&(rest.end..rest.end), problem, "a closing parenthesis");
                self.stop();
                fault
            }
        }
    }

    fn group(&mut self, place: &Range<usize>, context: &Context<G::Field>) -> G::Query {
        self.num_open += 1;
        let query = self.nested(place, |parser| parser.any(context));
        self.num_open -= 1;
        if !self.take_if(context, &Token::Close) && !self.has_stopped {
            let end = self.lexer.text.len();
            let problem = format!("the parenthesis at byte {} is not closed", place.start);
            self.fault(&(end..end), problem, "a closing parenthesis");
        }
        query
    }

    fn nested(&mut self, place: &Range<usize>, parse: impl FnOnce(&mut Self) -> G::Query) -> G::Query {
        if self.depth == QUERY_DEPTH_MAX {
            let understood = format!("{QUERY_DEPTH_MAX} levels");
            self.fault(place, "the query is nested too deeply", &understood);
            self.stop();
            return self.grammar.everything();
        }
        self.depth += 1;
        let query = parse(self);
        self.depth -= 1;
        query
    }

    fn leaf(&mut self, field: &G::Field, value: QueryValue, place: &Range<usize>) -> G::Query {
        let query = match self.grammar.condition(field, value, QueryPlace::new(self.lexer.text, place)) {
            Ok(query) => query,
            Err(faults) => {
                for fault in faults {
                    self.add(fault);
                }
                return self.grammar.everything();
            }
        };
        self.num_terms += self.grammar.num_terms(&query);
        if self.num_terms > QUERY_TERMS_MAX {
            let understood =
                format!("{QUERY_TERMS_MAX} terms; a range counts one for each power of two that it touches");
            self.fault(place, "the query has too many terms", &understood);
            self.stop();
        }
        query
    }

    fn take_if(&mut self, context: &Context<G::Field>, token: &Token) -> bool {
        let is_next = self.lexer.peek(context.is_value()) == *token;
        if is_next {
            self.lexer.next(context.is_value());
        }
        is_next
    }

    fn fault(&mut self, place: &Range<usize>, problem: impl Into<String>, understood: &str) -> G::Query {
        let fault = QueryPlace::new(self.lexer.text, place).fault(problem, understood);
        self.add(fault)
    }

    /// Lists a fault, and returns what stands for the faulty part. A query with faults is not used.
    fn add(&mut self, fault: QueryFault) -> G::Query {
        if !self.has_stopped {
            self.faults.push(fault);
        }
        if self.faults.len() == FAULTS_MAX {
            self.stop();
        }
        self.grammar.everything()
    }

    fn stop(&mut self) {
        self.has_stopped = true;
        self.lexer.at = self.lexer.text.len();
    }

    fn understood(&self, context: &Context<G::Field>) -> String {
        match context {
            Context::Conditions => format!("a condition such as {}, NOT, *, or a parenthesis", G::EXAMPLE),
            Context::Values(field) => self.grammar.understood(field).into_owned(),
            Context::Ignored => "a value".to_owned(),
        }
    }
}

impl<F> Context<F> {
    const fn is_value(&self) -> bool {
        !matches!(self, Self::Conditions)
    }

    const fn missing(&self) -> &'static str {
        if self.is_value() { "a value is missing" } else { "a condition is missing" }
    }
}
