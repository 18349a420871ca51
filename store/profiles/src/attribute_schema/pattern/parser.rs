//! Reads patterns of ECMA 262: with the grammar of its flag `u` or, if they are not valid in that,
//! with the grammar of its Annex B.

use std::collections::HashSet;

use regex_syntax::hir::{ClassUnicode, Look};

use super::Refusal;
use super::tree::{Node, Tree, literal};

const NESTING_MAX: usize = 64;

/// The most ranges of characters in all classes of a pattern, and in the classes within those. All
/// letters have some 700.
const CLASS_RANGES_MAX: usize = 64 << 10;

/// Reads a pattern.
pub(super) fn parse(pattern: &str) -> Result<Tree, Refusal> {
    let chars: Vec<_> = pattern.chars().collect();
    match Parser::new(&chars, None).pattern() {
        Err(Refusal::Invalid(reason)) => Parser::new(&chars, Some(reason)).pattern(),
        read => read,
    }
}

/// A reader of one pattern in one of the grammars. Both read code points.
pub(super) struct Parser<'p> {
    chars: &'p [char],
    at: usize,
    /// The reason why the pattern is not valid with the flag `u`, for the grammar of Annex B.
    invalid_in_unicode: Option<String>,
    /// The names of all groups, including those not read yet.
    names: Vec<Option<String>>,
    num_groups_read: usize,
    depth: usize,
    num_ranges_left: usize,
}

impl<'p> Parser<'p> {
    fn new(chars: &'p [char], invalid_in_unicode: Option<String>) -> Self {
        let names = group_names(chars);
        let (at, num_groups_read, depth, num_ranges_left) = (0, 0, 0, CLASS_RANGES_MAX);
        Self { chars, at, invalid_in_unicode, names, num_groups_read, depth, num_ranges_left }
    }

    pub(super) fn is_unicode(&self) -> bool {
        self.invalid_in_unicode.is_none()
    }

    pub(super) fn has_names(&self) -> bool {
        self.names.iter().any(Option::is_some)
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += 1;
        Some(next)
    }

    pub(super) fn unread(&mut self) {
        self.at -= 1;
    }

    pub(super) fn position(&self) -> usize {
        self.at
    }

    /// Reads a text if it is next.
    pub(super) fn read_if_next(&mut self, text: &str) -> bool {
        let is_next = text.chars().enumerate().all(|(offset, char)| self.chars.get(self.at + offset) == Some(&char));
        if is_next {
            self.at += text.chars().count();
        }
        is_next
    }

    /// Calls `read`, and reads nothing if that returns `None`.
    pub(super) fn attempt<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let start = self.at;
        let found = read(self);
        if found.is_none() {
            self.at = start;
        }
        found
    }

    /// Reads a number of at most `num_digits_max` digits. Returns the largest possible number if it
    /// is larger.
    pub(super) fn number(&mut self, radix: u32, num_digits_max: usize) -> Option<u32> {
        let digits = self.chars[self.at..].iter().map_while(|char| char.to_digit(radix)).take(num_digits_max);
        let digits: Vec<_> = digits.collect();
        self.at += digits.len();
        digits.into_iter().fold(None, |number: Option<u32>, digit| {
            Some(number.unwrap_or(0).saturating_mul(radix).saturating_add(digit))
        })
    }

    /// Returns a problem of the character that was read last.
    pub(super) fn invalid(&self, problem: &str) -> Refusal {
        Refusal::Invalid(format!("{problem}, at character {}", self.at))
    }

    /// Rejects an escape that has a meaning only with the flag `u`, and in Annex B one that nobody
    /// intends.
    pub(super) fn refuse_unicode_escape(&self, escaped: char) -> Refusal {
        let reason = self.invalid_in_unicode.as_deref().unwrap_or_default();
        Refusal::Unsupported(format!("\\{escaped}{{…}} in a pattern that is not valid with the flag u ({reason})"))
    }

    pub(super) fn count_ranges(&mut self, class: &ClassUnicode) -> Result<(), Refusal> {
        let left = self.num_ranges_left.checked_sub(class.ranges().len());
        let problem = || format!("its classes have more than {CLASS_RANGES_MAX} ranges of characters");
        self.num_ranges_left = left.ok_or_else(|| Refusal::TooLarge(problem()))?;
        Ok(())
    }

    fn pattern(mut self) -> Result<Tree, Refusal> {
        let root = self.alternatives()?;
        if self.next().is_some() {
            return Err(self.invalid("no group is open"));
        }
        let mut seen = HashSet::new();
        match self.names.iter().flatten().find(|name| !seen.insert(*name)) {
            Some(name) => Err(Refusal::Unsupported(format!("two groups of the name {name}"))),
            None => Ok(Tree { root, num_groups: self.names.len() }),
        }
    }

    fn alternatives(&mut self) -> Result<Node, Refusal> {
        let mut alternatives = vec![self.sequence()?];
        while self.read_if_next("|") {
            alternatives.push(self.sequence()?);
        }
        Ok(Node::Alternatives(alternatives))
    }

    fn sequence(&mut self) -> Result<Node, Refusal> {
        let mut terms = Vec::new();
        while self.peek().is_some_and(|next| !matches!(next, '|' | ')')) {
            terms.push(self.term()?);
        }
        Ok(Node::Sequence(terms))
    }

    fn term(&mut self) -> Result<Node, Refusal> {
        if self.quantifier()?.is_some() {
            return Err(self.invalid("there is nothing to repeat"));
        }
        let first_group = self.num_groups_read + 1;
        let (node, can_repeat) = self.atom()?;
        let Some((min, max)) = self.quantifier()? else { return Ok(node) };
        if !can_repeat {
            return Err(self.invalid("there is nothing to repeat"));
        }
        let groups = first_group..self.num_groups_read + 1;
        Ok(Node::Repeat { body: Box::new(node), min, max, is_greedy: !self.read_if_next("?"), groups })
    }

    /// Reads a quantifier without the `?` at its end. Other braces are not read.
    fn quantifier(&mut self) -> Result<Option<(u32, Option<u32>)>, Refusal> {
        let found = self.attempt(|this| match this.next()? {
            '*' => Some((0, None)),
            '+' => Some((1, None)),
            '?' => Some((0, Some(1))),
            '{' => {
                let min = this.number(10, usize::MAX)?;
                let max = if this.read_if_next(",") { this.number(10, usize::MAX) } else { Some(min) };
                this.read_if_next("}").then_some((min, max))
            }
            _ => None,
        });
        if found.is_some_and(|(min, max)| max.is_some_and(|max| max < min)) {
            return Err(self.invalid("the numbers of a quantifier are out of order"));
        }
        Ok(found)
    }

    /// Also returns whether the atom can be repeated.
    fn atom(&mut self) -> Result<(Node, bool), Refusal> {
        Ok(match self.next().unwrap_or_default() {
            '^' => (Node::Look(Look::Start), false),
            '$' => (Node::Look(Look::End), false),
            '.' => (self.dot()?, true),
            '(' => self.group()?,
            '[' => (self.class()?, true),
            '\\' => self.escape()?,
            char @ ('{' | '}' | ']') if self.is_unicode() => {
                return Err(self.invalid(&format!("a {char} has no \\")));
            }
            char => (literal(char), true),
        })
    }

    fn group(&mut self) -> Result<(Node, bool), Refusal> {
        self.depth += 1;
        if self.depth > NESTING_MAX {
            return Err(Refusal::TooLarge(format!("its groups are nested deeper than {NESTING_MAX}")));
        }
        let around = [("?=", true, false), ("?!", true, true), ("?<=", false, false), ("?<!", false, true)];
        let around = around.into_iter().find(|(start, ..)| self.read_if_next(start));
        let captures = around.is_none() && !self.read_if_next("?:");
        if captures {
            if self.read_if_next("?") {
                if matches!(self.peek(), Some('i' | 'm' | 's' | '-')) {
                    return Err(Refusal::Unsupported("a group with flags".to_owned()));
                }
                if !(self.read_if_next("<") && self.name().is_some()) {
                    return Err(self.invalid("the group is of an unknown kind"));
                }
            }
            self.num_groups_read += 1;
        }
        let number = self.num_groups_read;
        let body = self.alternatives()?;
        if !self.read_if_next(")") {
            return Err(self.invalid("a group is not closed"));
        }
        self.depth -= 1;
        Ok(if let Some((_, is_ahead, is_negated)) = around {
            (Node::Around { body: Box::new(body), is_ahead, is_negated }, is_ahead && !self.is_unicode())
        } else if captures {
            (Node::Group(number, Box::new(body)), true)
        } else {
            (body, true)
        })
    }

    /// Reads the name of a group and the `>` after it.
    fn name(&mut self) -> Option<String> {
        self.attempt(|this| {
            let mut name = String::new();
            while !this.read_if_next(">") {
                let char = this.next()?;
                let is_valid =
                    char.is_alphabetic() || "$_".contains(char) || char.is_alphanumeric() && !name.is_empty();
                name.extend(is_valid.then_some(char));
                is_valid.then_some(())?;
            }
            (!name.is_empty()).then_some(name)
        })
    }

    fn escape(&mut self) -> Result<(Node, bool), Refusal> {
        if self.read_if_next("b") {
            return Ok((Node::Look(Look::WordAscii), false));
        }
        if self.read_if_next("B") {
            return Ok((Node::Look(Look::WordAsciiNegate), false));
        }
        if (self.is_unicode() || self.has_names()) && self.read_if_next("k") {
            let name = if self.read_if_next("<") { self.name() } else { None };
            let group = name.and_then(|name| self.names.iter().position(|other| other.as_ref() == Some(&name)));
            let group = group.ok_or_else(|| self.invalid("no group has the name"))?;
            return Ok((Node::BackReference(group + 1), true));
        }
        let num_groups = self.names.len();
        let group = self.attempt(|this| {
            let number = this.peek().filter(|digit| *digit != '0').and_then(|_| this.number(10, usize::MAX))? as usize;
            (number <= num_groups).then_some(number)
        });
        Ok((group.map_or_else(|| self.escaped_character(), |group| Ok(Node::BackReference(group)))?, true))
    }
}

/// Returns the name of each group that captures, or `None` for one without a name.
fn group_names(chars: &[char]) -> Vec<Option<String>> {
    let mut names = Vec::new();
    let mut is_in_class = false;
    let mut rest = chars;
    while let [first, after @ ..] = rest {
        rest = after;
        match (first, after) {
            ('\\', _) => rest = after.get(1..).unwrap_or_default(),
            ('[', _) => is_in_class = true,
            (']', _) => is_in_class = false,
            ('(', ['?', '<', '=' | '!', ..]) => {}
            ('(', ['?', '<', name @ ..]) if !is_in_class => {
                names.push(Some(name.iter().take_while(|char| **char != '>').collect()));
            }
            ('(', ['?', ..]) => {}
            ('(', _) if !is_in_class => names.push(None),
            _ => {}
        }
    }
    names
}
