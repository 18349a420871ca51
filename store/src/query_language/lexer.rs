//! The tokens of a query.

use std::ops::Range;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    End,
    Open,
    Close,
    /// A comma between the parts of `near`.
    Comma,
    And,
    Or,
    Not,
    /// A name and a colon.
    Field(String),
    Text(String),
    /// The lower and the upper bound.
    Range([Option<Bound>; 2]),
    /// A text that cannot be read, and the reason.
    Faulty(&'static str),
}

/// A bound of a range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    /// The text.
    pub text: String,
    /// The place in the text of the query, in bytes.
    pub place: Range<usize>,
    /// If true, the range includes the bound itself.
    pub is_included: bool,
}

#[derive(Clone, Copy)]
pub(super) struct Lexer<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
    /// If true, units in brackets can follow values.
    pub(super) has_units: bool,
    /// If true, commas outside quotation marks separate the parts of `near`.
    pub(super) has_commas: bool,
}

const FAULTY_RANGE: &str = "this is not a range";

impl Lexer<'_> {
    /// Returns the next token with its place. After a field, colons belong to values, and ranges
    /// are read.
    pub(super) fn next(&mut self, is_value: bool) -> (Token, Range<usize>) {
        self.skip_space();
        let start = self.at;
        let token = match self.rest().chars().next() {
            None => Token::End,
            Some('(') => self.symbol("(", Token::Open),
            Some(')') => self.symbol(")", Token::Close),
            Some(',') if self.has_commas => self.symbol(",", Token::Comma),
            Some('!') => self.symbol("!", Token::Not),
            Some('&') if self.rest().starts_with("&&") => self.symbol("&&", Token::And),
            Some('|') if self.rest().starts_with("||") => self.symbol("||", Token::Or),
            Some('"') => match self.quoted() {
                Token::Text(name) if !is_value && self.rest().starts_with(':') => self.symbol(":", Token::Field(name)),
                token => token,
            },
            Some('[' | '{') if is_value => self.range(),
            Some('<' | '>') if is_value => self.comparison(),
            Some(_) => self.word_token(is_value),
        };
        (token, start..self.at)
    }

    /// Returns the next token with its place, without consuming it.
    pub(super) fn peek(&self, is_value: bool) -> (Token, Range<usize>) {
        Lexer { ..*self }.next(is_value)
    }

    /// Reads the unit in brackets that directly follows a value.
    pub(super) fn unit(&mut self) -> Option<String> {
        let (unit, _) = self.rest().strip_prefix('[').filter(|_| self.has_units)?.split_once(']')?;
        let unit = unit.trim().to_owned();
        self.at = self.at + self.rest().find(']')? + 1;
        Some(unit)
    }

    /// Returns whether the next parentheses contain conditions, not only values.
    pub(super) fn is_before_conditions(&self) -> bool {
        let mut ahead = *self;
        let mut tokens = std::iter::repeat_with(|| ahead.next(false).0);
        tokens.next() == Some(Token::Open)
            && matches!(tokens.find(|token| !matches!(token, Token::Open | Token::Not)), Some(Token::Field(_)))
    }

    /// Skips the content of the next parentheses and returns its range, or `None` if they are not
    /// closed.
    pub(super) fn parenthesized(&mut self) -> Option<Range<usize>> {
        let start = self.next(false).1.end;
        Some(start..self.skip_to_closing()?.start)
    }

    /// Skips the rest of the open parentheses and their end. Returns the place of the end, or
    /// `None` if they are not closed.
    pub(super) fn skip_to_closing(&mut self) -> Option<Range<usize>> {
        let mut num_open = 1;
        loop {
            let (token, place) = self.next(false);
            match token {
                Token::Open => num_open += 1,
                Token::Close if num_open == 1 => return Some(place),
                Token::Close => num_open -= 1,
                Token::End | Token::Faulty(_) => return None,
                _ => {}
            }
        }
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn skip_space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    fn symbol(&mut self, symbol: &str, token: Token) -> Token {
        self.at += symbol.len();
        token
    }

    fn word_token(&mut self, is_value: bool) -> Token {
        let start = self.at;
        let word = self.word(match (is_value, self.has_units) {
            (true, true) => "()\"[",
            (true, false) => "()\"",
            (false, _) => "()\":",
        });
        if !is_value && self.rest().starts_with(':') {
            return self.symbol(":", Token::Field(word));
        }
        match &*self.text[start..self.at].to_ascii_uppercase() {
            "AND" => Token::And,
            "OR" => Token::Or,
            "NOT" => Token::Not,
            _ => Token::Text(word),
        }
    }

    fn word(&mut self, ends: &str) -> String {
        let has_commas = self.has_commas;
        self.read_to(|letter| letter.is_whitespace() || ends.contains(letter) || has_commas && letter == ',').0
    }

    fn quoted(&mut self) -> Token {
        self.at += 1;
        match self.read_to(|letter| letter == '"') {
            (text, true) => self.symbol("\"", Token::Text(text)),
            (_, false) => Token::Faulty("the quotation mark is not closed"),
        }
    }

    /// Reads up to a letter, and returns whether it was found. A backslash escapes the next letter.
    fn read_to(&mut self, is_end: impl Fn(char) -> bool) -> (String, bool) {
        let (mut text, mut is_escaped) = (String::new(), false);
        for (offset, letter) in self.rest().char_indices() {
            if !is_escaped && is_end(letter) {
                self.at += offset;
                return (text, true);
            }
            is_escaped = !is_escaped && letter == '\\';
            if !is_escaped {
                text.push(letter);
            }
        }
        self.at = self.text.len();
        (text, false)
    }

    fn range(&mut self) -> Token {
        let is_low_included = self.rest().starts_with('[');
        self.at += 1;
        let low = self.bound(is_low_included);
        self.skip_space();
        let has_to = self.word("()\"[]{}").eq_ignore_ascii_case("TO");
        let high = self.bound(true);
        self.skip_space();
        let end = self.rest().chars().next();
        if let (Some(low), true, Some(high), Some(']' | '}')) = (low, has_to, high, end) {
            self.at += 1;
            let bounds = [low, Bound { is_included: end == Some(']'), ..high }];
            return Token::Range(bounds.map(|bound| Some(bound).filter(|bound| bound.text != "*")));
        }
        let length = self.rest().find([']', '}', ')']).unwrap_or(self.rest().len());
        self.at += length + usize::from(self.rest()[length..].starts_with([']', '}']));
        Token::Faulty(FAULTY_RANGE)
    }

    fn comparison(&mut self) -> Token {
        let is_lower_bound = self.rest().starts_with('>');
        self.at += 1;
        let is_included = self.rest().starts_with('=');
        self.at += usize::from(is_included);
        match self.bound(is_included) {
            None => Token::Faulty(FAULTY_RANGE),
            bound if is_lower_bound => Token::Range([bound, None]),
            bound => Token::Range([None, bound]),
        }
    }

    fn bound(&mut self, is_included: bool) -> Option<Bound> {
        self.skip_space();
        let start = self.at;
        let text = self.word("()\"[]{}");
        if text.is_empty() { None } else { Some(Bound { text, place: start..self.at, is_included }) }
    }
}
