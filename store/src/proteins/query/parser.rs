//! From the text of a query to its tree. Parsing goes on behind a fault, so that all faults are found at once.
//!
//! No parser of Lucene's syntax that is at hand serves: `tantivy-query-grammar` does not tell where in the text a condition is, so that
//! its faults could not be placed; it accepts much that proteins do not have (boosts, phrases, patterns); and it recurses without a
//! bound.

use std::ops::Range;

use super::fault::QueryFault;
use super::field::QueryField;
use super::lexer::{Lexer, Token};
use super::names::QueryNames;
use super::value::leaf;
use super::{ProteinQuery, QUERY_BYTES_MAX, QUERY_DEPTH_MAX, QUERY_TERMS_MAX};

const FAULTS_MAX: usize = 100;

const CONDITION: &str = "a condition such as pfam:PF00005, NOT, *, or a parenthesis";

/// Whose values are read.
#[derive(Clone, Copy)]
enum Context {
    /// Conditions, each with its field.
    Conditions,
    Values(QueryField),
    /// Values of a field that does not exist.
    Ignored,
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    names: &'a dyn QueryNames,
    depth: usize,
    num_open: usize,
    num_terms: usize,
    faults: Vec<QueryFault>,
    /// Set by a fault behind which nothing is read.
    has_stopped: bool,
}

pub(super) fn parse(text: &str, names: &dyn QueryNames) -> Result<ProteinQuery, Vec<QueryFault>> {
    if text.len() > QUERY_BYTES_MAX {
        let problem = format!("the query has {} bytes", text.len());
        return Err(vec![QueryFault::new(text, 0..text.len(), problem, &format!("at most {QUERY_BYTES_MAX} bytes"))]);
    }
    let lexer = Lexer { text, at: 0 };
    let mut parser =
        Parser { lexer, names, depth: 0, num_open: 0, num_terms: 0, faults: Vec::new(), has_stopped: false };
    let query = parser.any(Context::Conditions);
    if parser.faults.is_empty() { Ok(query) } else { Err(parser.faults) }
}

pub(super) fn parse_value(field: QueryField, value: &str, names: &dyn QueryNames) -> Result<ProteinQuery, QueryFault> {
    let mut lexer = Lexer { text: value, at: 0 };
    let (token, place) = match lexer.next(true) {
        range @ (Token::Range { .. }, _) if field.has_ranges() && lexer.peek(true) == Token::End => range,
        quoted @ (Token::Text(_), _) if value.trim().starts_with('"') && lexer.peek(true) == Token::End => quoted,
        _ => (Token::Text(value.trim().to_owned()), 0..value.len()),
    };
    leaf(field, &token, (value, place), names)
}

impl Parser<'_> {
    fn any(&mut self, context: Context) -> ProteinQuery {
        let mut parts = vec![self.all(context)];
        while self.take_if(context, &Token::Or) {
            parts.push(self.all(context));
        }
        if parts.len() == 1 { parts.remove(0) } else { ProteinQuery::Or(parts) }
    }

    fn all(&mut self, context: Context) -> ProteinQuery {
        let mut parts = vec![self.one(context)];
        loop {
            match self.lexer.peek(context.is_value()) {
                Token::And => drop(self.lexer.next(context.is_value())),
                Token::Close if self.num_open == 0 => {
                    let (_, place) = self.lexer.next(context.is_value());
                    self.fault(place, "no parenthesis is open", "AND, OR, or the end");
                    continue;
                }
                Token::Or | Token::Close | Token::End => break,
                _ => {
                    let (_, place) = Lexer { ..self.lexer }.next(context.is_value());
                    self.fault(
                        place,
                        "an operator is missing before this",
                        "AND, OR, a closing parenthesis, or the end",
                    );
                }
            }
            parts.push(self.one(context));
        }
        if parts.len() == 1 { parts.remove(0) } else { ProteinQuery::And(parts) }
    }

    /// Parses a condition or value, or what is in parentheses.
    fn one(&mut self, context: Context) -> ProteinQuery {
        let (token, place) = self.lexer.next(context.is_value());
        match (token, context) {
            (Token::Not, _) => self.nested(&place, |parser| ProteinQuery::Not(Box::new(parser.one(context)))),
            (Token::Open, _) => self.group(&place, context),
            (Token::Field(name), _) => self.condition(&name, place),
            (Token::Text(text), Context::Conditions) if text == "*" => ProteinQuery::Everything,
            (Token::Text(_), Context::Conditions) => self.fault(place, "this has no field", CONDITION),
            (token @ (Token::Text(_) | Token::Range { .. }), Context::Values(field)) => self.leaf(field, &token, place),
            (Token::Text(_) | Token::Range { .. }, _) => ProteinQuery::Everything,
            (Token::Faulty(problem), _) => self.fault(place, problem, context.understood()),
            (Token::And | Token::Or | Token::Close | Token::End, _) => {
                // What follows is read as it is meant.
                self.lexer.at = place.start;
                self.fault(place, context.missing(), context.understood())
            }
        }
    }

    fn condition(&mut self, name: &str, place: Range<usize>) -> ProteinQuery {
        let Some(field) = QueryField::named(name) else {
            if name == "*" && self.lexer.peek(true) == Token::Text("*".to_owned()) {
                self.lexer.next(true);
                return ProteinQuery::Everything;
            }
            let names = || QueryField::ALL.into_iter().map(QueryField::name);
            let understood = names().collect::<Vec<_>>().join(", ");
            let name_place = place.start..place.end - 1;
            let fault = QueryFault::new(self.lexer.text, name_place, "no field has this name", &understood);
            self.add(fault.suggest(names(), name));
            return self.one(Context::Ignored);
        };
        self.one(Context::Values(field))
    }

    fn group(&mut self, place: &Range<usize>, context: Context) -> ProteinQuery {
        self.num_open += 1;
        let query = self.nested(place, |parser| parser.any(context));
        self.num_open -= 1;
        if !self.take_if(context, &Token::Close) && !self.has_stopped {
            let end = self.lexer.text.len();
            let problem = format!("the parenthesis at byte {} is not closed", place.start);
            self.fault(end..end, problem, "a closing parenthesis");
        }
        query
    }

    fn nested(&mut self, place: &Range<usize>, parse: impl FnOnce(&mut Self) -> ProteinQuery) -> ProteinQuery {
        if self.depth == QUERY_DEPTH_MAX {
            let understood = format!("{QUERY_DEPTH_MAX} levels");
            self.fault(place.clone(), "the query is nested too deeply", &understood);
            self.stop();
            return ProteinQuery::Everything;
        }
        self.depth += 1;
        let query = parse(self);
        self.depth -= 1;
        query
    }

    fn leaf(&mut self, field: QueryField, token: &Token, place: Range<usize>) -> ProteinQuery {
        let query = match leaf(field, token, (self.lexer.text, place.clone()), self.names) {
            Ok(query) => query,
            Err(fault) => return self.add(fault),
        };
        self.num_terms += query.num_terms();
        if self.num_terms > QUERY_TERMS_MAX {
            let understood =
                format!("{QUERY_TERMS_MAX} terms; a range counts one for each power of two that it touches");
            self.fault(place, "the query has too many terms", &understood);
            self.stop();
        }
        query
    }

    fn take_if(&mut self, context: Context, token: &Token) -> bool {
        let is_next = self.lexer.peek(context.is_value()) == *token;
        if is_next {
            self.lexer.next(context.is_value());
        }
        is_next
    }

    fn fault(&mut self, place: Range<usize>, problem: impl Into<String>, understood: &str) -> ProteinQuery {
        let fault = QueryFault::new(self.lexer.text, place, problem, understood);
        self.add(fault)
    }

    /// Lists a fault, and returns what stands for the faulty part. A query with faults is not used.
    fn add(&mut self, fault: QueryFault) -> ProteinQuery {
        if !self.has_stopped {
            self.faults.push(fault);
        }
        if self.faults.len() == FAULTS_MAX {
            self.stop();
        }
        ProteinQuery::Everything
    }

    fn stop(&mut self) {
        self.has_stopped = true;
        self.lexer.at = self.lexer.text.len();
    }
}

impl Context {
    const fn is_value(self) -> bool {
        !matches!(self, Self::Conditions)
    }

    const fn missing(self) -> &'static str {
        if self.is_value() { "a value is missing" } else { "a condition is missing" }
    }

    const fn understood(self) -> &'static str {
        match self {
            Self::Conditions => CONDITION,
            Self::Values(field) => field.understood(),
            Self::Ignored => "a value",
        }
    }
}
