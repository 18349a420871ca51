//! Trees of patterns.

use std::ops::Range;

use regex_syntax::hir::{Capture, Class, ClassUnicode, ClassUnicodeRange, Hir, HirKind, Look, Repetition};

/// A pattern.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) root: Node,
    pub(super) num_groups: usize,
}

/// A part of a pattern. It is independent of spelling and grammar: classes have the characters that
/// they have in ECMA 262.
#[derive(Debug)]
pub(super) enum Node {
    /// One character of a class.
    Character(ClassUnicode),
    Look(Look),
    Sequence(Vec<Self>),
    Alternatives(Vec<Self>),
    /// A group that captures, with its number from 1.
    Group(usize, Box<Self>),
    /// `groups` are the inner groups, which each iteration clears.
    Repeat {
        body: Box<Self>,
        min: u32,
        max: Option<u32>,
        is_greedy: bool,
        groups: Range<usize>,
    },
    Around {
        body: Box<Self>,
        is_ahead: bool,
        is_negated: bool,
    },
    /// The text of the group of that number.
    BackReference(usize),
}

impl Node {
    /// Returns a pattern for engines of linear time that matches the same texts. Returns `None` for
    /// look-around and back-references.
    pub(super) fn to_linear(&self) -> Option<Hir> {
        let all = |nodes: &[Self]| nodes.iter().map(Self::to_linear).collect::<Option<_>>();
        Some(match self {
            Self::Character(class) => Hir::class(Class::Unicode(class.clone())),
            Self::Look(look) => Hir::look(*look),
            Self::Sequence(nodes) => Hir::concat(all(nodes)?),
            Self::Alternatives(nodes) => Hir::alternation(all(nodes)?),
            Self::Group(_, body) => body.to_linear()?,
            &Self::Repeat { ref body, min, max, is_greedy: greedy, .. } => {
                let mut sub = Box::new(body.to_linear()?);
                if matches!(sub.kind(), HirKind::Repetition(_)) {
                    // Without a group, the library would write `(?:a+)?` as `a+?`.
                    sub = Box::new(Hir::capture(Capture { index: 1, name: None, sub }));
                }
                Hir::repetition(Repetition { min, max, greedy, sub })
            }
            Self::Around { .. } | Self::BackReference(_) => return None,
        })
    }
}

/// Returns a class of the code points from `first` to `last`, without surrogates.
pub(super) fn range(first: u32, last: u32) -> ClassUnicode {
    let first = char::from_u32(first).unwrap_or('\u{e000}');
    let last = char::from_u32(last).unwrap_or('\u{d7ff}');
    ClassUnicode::new((first <= last).then(|| ClassUnicodeRange::new(first, last)))
}

/// Returns a node for a character.
pub(super) fn literal(char: char) -> Node {
    Node::Character(range(u32::from(char), u32::from(char)))
}
