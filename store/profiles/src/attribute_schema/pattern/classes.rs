//! Reads classes of characters, and escapes.

use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, HirKind};

use super::Refusal;
use super::parser::Parser;
use super::tree::{Node, range};

const LINE_ENDS: &str = r"\n\r\x{2028}\x{2029}";

const SPACES: &str = r"\t-\r\x20\xa0\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}";

/// The keys of properties that have a value.
const KEYS: [&str; 6] = ["General_Category", "gc", "Script", "sc", "Script_Extensions", "scx"];

/// The properties in lower case. In all others, each word is capitalized.
const LOWER_CASE: [&str; 4] = ["cntrl", "digit", "punct", "space"];

/// A member of a class, or the meaning of an escape.
enum Item {
    CodePoint(u32),
    Class(ClassUnicode),
}

impl From<Item> for ClassUnicode {
    fn from(item: Item) -> Self {
        match item {
            Item::CodePoint(code_point) => range(code_point, code_point),
            Item::Class(class) => class,
        }
    }
}

/// Returns a class of the members, or of all other characters, in the dialect of the library.
fn class(members: &str, is_negated: bool) -> Option<ClassUnicode> {
    // The other characters are a class even if a member is a single character.
    let mut class = match regex_syntax::parse(&format!("[^{members}]")).ok()?.into_kind() {
        HirKind::Class(Class::Unicode(others)) => others,
        _ => ClassUnicode::empty(),
    };
    if !is_negated {
        class.negate();
    }
    Some(class)
}

impl Parser<'_> {
    /// Reads a class after its bracket.
    pub(super) fn class(&mut self) -> Result<Node, Refusal> {
        let is_negated = self.read_if_next("^");
        let mut ranges: Vec<ClassUnicodeRange> = Vec::new();
        while !self.read_if_next("]") {
            let first = self.class_item()?;
            let is_range = self.attempt(|this| (this.read_if_next("-") && this.peek()? != ']').then_some(())).is_some();
            if !is_range {
                ranges.extend(ClassUnicode::from(first).ranges());
                continue;
            }
            match (first, self.class_item()?) {
                (Item::CodePoint(first), Item::CodePoint(last)) if first > last => {
                    return Err(self.invalid("a range is out of order"));
                }
                (Item::CodePoint(first), Item::CodePoint(last)) => ranges.extend(range(first, last).ranges()),
                _ if self.is_unicode() => return Err(self.invalid("a class is the end of a range")),
                (first, last) => {
                    ranges.push(ClassUnicodeRange::new('-', '-'));
                    ranges.extend(ClassUnicode::from(first).ranges());
                    ranges.extend(ClassUnicode::from(last).ranges());
                }
            }
        }
        let mut class = ClassUnicode::new(ranges);
        if is_negated {
            class.negate();
        }
        self.count_ranges(&class)?;
        Ok(Node::Character(class))
    }

    fn class_item(&mut self) -> Result<Item, Refusal> {
        match self.next() {
            None => Err(self.invalid("a class is not closed")),
            Some('\\') => self.escaped(true),
            Some(char) => Ok(Item::CodePoint(u32::from(char))),
        }
    }

    /// Reads the rest of an escape that matches one character, after its backslash.
    pub(super) fn escaped_character(&mut self) -> Result<Node, Refusal> {
        Ok(Node::Character(self.escaped(false)?.into()))
    }

    /// Reads nothing, and returns the class of `.`.
    pub(super) fn dot(&mut self) -> Result<Node, Refusal> {
        self.class_of(LINE_ENDS, true).map(Node::Character)
    }

    fn escaped(&mut self, in_class: bool) -> Result<Item, Refusal> {
        let escaped = self.next().ok_or_else(|| self.invalid("nothing follows the \\"))?;
        let is_negated = escaped.is_ascii_uppercase();
        let class = match escaped.to_ascii_lowercase() {
            'd' => self.class_of("0-9", is_negated),
            's' => self.class_of(SPACES, is_negated),
            'w' => self.class_of("0-9A-Z_a-z", is_negated),
            'p' if self.is_unicode() => {
                let property = self.property().unwrap_or_default();
                self.class_of(&property, is_negated)
            }
            _ => return self.code_point(escaped, in_class).map(Item::CodePoint),
        };
        class.map(Item::Class)
    }

    fn class_of(&mut self, members: &str, is_negated: bool) -> Result<ClassUnicode, Refusal> {
        let class = Some(members).filter(|members| !members.is_empty()).and_then(|members| class(members, is_negated));
        let class = class.ok_or_else(|| self.invalid("no such property"))?;
        self.count_ranges(&class)?;
        Ok(class)
    }

    /// Returns the code point of an escape.
    fn code_point(&mut self, escaped: char, in_class: bool) -> Result<u32, Refusal> {
        let is_unicode = self.is_unicode();
        let next = self.peek();
        let is_digit = next.is_some_and(|next| next.is_ascii_digit());
        Ok(u32::from(match escaped {
            't' => '\t',
            'n' => '\n',
            'v' => '\u{b}',
            'f' => '\u{c}',
            'r' => '\r',
            'b' if in_class => '\u{8}',
            '0' if !is_digit => '\0',
            '0'..='7' if !is_unicode => return Ok(self.octal(escaped)),
            'c' => {
                let is_letter = next.is_some_and(|next| next.is_ascii_alphabetic());
                if is_letter || in_class && !is_unicode && (is_digit || next == Some('_')) {
                    return Ok(self.next().map_or(0, u32::from) % 32);
                } else if is_unicode {
                    return Err(self.invalid("no letter follows the \\c"));
                }
                // The backslash is a literal, and the letter is still to be read.
                self.unread();
                '\\'
            }
            'p' | 'P' | 'u' if !is_unicode && next == Some('{') => return Err(self.refuse_unicode_escape(escaped)),
            'x' | 'u' => match self.hexadecimal(escaped) {
                Some(code_point) => return Ok(code_point),
                None if is_unicode => return Err(self.invalid(&format!("no code follows the \\{escaped}"))),
                None => escaped,
            },
            'k' if self.has_names() => return Err(self.invalid("\\k is in a class")),
            _ if !is_unicode || "^$\\.*+?()[]{}|/".contains(escaped) || in_class && escaped == '-' => escaped,
            _ => return Err(self.invalid(&format!("\\{escaped} has no meaning"))),
        }))
    }

    fn octal(&mut self, first: char) -> u32 {
        let mut value = first.to_digit(8).unwrap_or_default();
        for _ in 0..2 {
            let longer = self.peek().and_then(|next| next.to_digit(8)).map(|digit| value * 8 + digit);
            let Some(longer) = longer.filter(|longer| *longer <= 0o377) else { break };
            value = longer;
            self.next();
        }
        value
    }

    /// Reads the code after `\x` or `\u`. Two surrogates are one character.
    fn hexadecimal(&mut self, escaped: char) -> Option<u32> {
        if escaped == 'u' && self.read_if_next("{") {
            return self
                .number(16, usize::MAX)
                .filter(|code_point| self.read_if_next("}") && *code_point <= u32::from(char::MAX));
        }
        let lead = self.digits(if escaped == 'x' { 2 } else { 4 })?;
        if !(0xd800..0xdc00).contains(&lead) {
            return Some(lead);
        }
        let trail = self.attempt(|this| {
            let trail = if this.read_if_next("\\u") { this.digits(4)? } else { return None };
            (0xdc00..0xe000).contains(&trail).then_some(trail)
        });
        Some(trail.map_or(lead, |trail| 0x10000 + ((lead - 0xd800) << 10) + (trail - 0xdc00)))
    }

    /// Reads `num_digits` hexadecimal digits.
    fn digits(&mut self, num_digits: usize) -> Option<u32> {
        self.attempt(|this| {
            let end = this.position() + num_digits;
            this.number(16, num_digits).filter(|_| this.position() == end)
        })
    }

    /// Reads a property after its `\p`. The library would accept more of them, in further
    /// spellings.
    fn property(&mut self) -> Option<String> {
        let mut name = String::new();
        let is_open = self.read_if_next("{");
        while is_open && !self.read_if_next("}") {
            name.push(self.next()?);
        }
        let (key, value) = name.split_once('=').map_or((None, &*name), |(key, value)| (Some(key), value));
        let is_word = |word: &str| {
            word.starts_with(|first: char| first.is_ascii_uppercase())
                && word.chars().all(|char| char.is_ascii_alphanumeric())
        };
        let is_spelt = LOWER_CASE.contains(&value) || value.split('_').all(is_word);
        let is_kept =
            key.map_or_else(|| class(&format!(r"\p{{sc={value}}}"), false).is_none(), |key| KEYS.contains(&key));
        (is_spelt && is_kept).then(|| format!(r"\p{{{name}}}"))
    }
}
