//! Matches patterns with look-around and back-references as ECMA 262 defines: alternative by
//! alternative, in a bounded number of steps.

mod matching;

use std::ops::Range;

use regex_syntax::hir::{ClassUnicode, Look};

use self::matching::Matching;
use super::Undecided;
use super::tree::{Node, Tree};

/// The slots of a group: its first and second end while it is read, then its start and its end.
const SLOTS_EACH: usize = 3;

#[derive(Debug)]
enum Instruction {
    /// Reads a character of a class, forwards or backwards.
    Character(ClassUnicode, bool),
    Look(Look),
    /// Continues with the next instruction, or otherwise with the given one.
    Split(usize),
    Jump(usize),
    /// Writes the position to a slot.
    Mark(usize),
    /// Ends a group that began at the mark of its slots.
    Capture(usize),
    /// Records in a slot that a loop had no iteration yet.
    Begin(usize),
    /// Continues with the next instruction for a further iteration of a loop, or leaves it for the
    /// given one.
    Choose(Loop, usize),
    /// Begins an iteration and clears the groups of earlier ones.
    Iterate(usize, Range<usize>),
    /// Returns to the choice of a loop, unless an iteration beyond the minimum was empty.
    Repeat(Loop, usize),
    /// Looks around with the following instructions, until `Done`, and then continues with the
    /// given one. If negated, they must not match.
    Around(bool, usize),
    /// Reads the text of a group, forwards or backwards.
    BackReference(usize, bool),
    Done,
}

#[derive(Clone, Copy, Debug)]
struct Loop {
    /// The slot of the number of iterations. The next slot has the position at which the last
    /// iteration began.
    slot: usize,
    min: u32,
    max: Option<u32>,
    is_greedy: bool,
}

/// A compiled pattern.
#[derive(Debug, Default)]
pub(super) struct Program {
    instructions: Vec<Instruction>,
    num_slots: usize,
    num_ranges: usize,
}

impl Program {
    pub(super) fn new(tree: &Tree) -> Self {
        let num_slots = (tree.num_groups + 1) * SLOTS_EACH;
        let mut program = Self { num_slots, ..Self::default() };
        program.add(&tree.root, true);
        program.push(Instruction::Done);
        program
    }

    /// Returns the memory of the program.
    pub(super) fn size_bytes(&self) -> usize {
        self.instructions.len() * size_of::<Instruction>() + self.num_ranges * size_of::<(char, char)>()
    }

    /// Returns whether a text has a match, and subtracts the steps from the remaining ones.
    pub(super) fn is_match(&self, text: &str, num_steps: &mut usize) -> Result<bool, Undecided> {
        let text: Vec<_> = text.chars().collect();
        let mut matching = Matching::new(self, &text, num_steps);
        for start in 0..=text.len() {
            if matching.run(0, start)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn push(&mut self, instruction: Instruction) -> usize {
        self.instructions.push(instruction);
        self.instructions.len() - 1
    }

    /// Adds the instructions of a node. Look-behind reads them backwards.
    fn add(&mut self, node: &Node, is_ahead: bool) {
        match node {
            Node::Character(class) => {
                self.num_ranges += class.ranges().len();
                self.push(Instruction::Character(class.clone(), is_ahead));
            }
            Node::Look(look) => _ = self.push(Instruction::Look(*look)),
            Node::Sequence(nodes) if is_ahead => nodes.iter().for_each(|node| self.add(node, true)),
            Node::Sequence(nodes) => nodes.iter().rev().for_each(|node| self.add(node, false)),
            Node::Alternatives(nodes) => {
                let mut jumps = Vec::new();
                let (last, others) = nodes.split_last().unwrap_or((&Node::Look(Look::Start), &[]));
                for node in others {
                    let split = self.push(Instruction::Done);
                    self.add(node, is_ahead);
                    jumps.push(self.push(Instruction::Done));
                    self.instructions[split] = Instruction::Split(self.instructions.len());
                }
                self.add(last, is_ahead);
                for jump in jumps {
                    self.instructions[jump] = Instruction::Jump(self.instructions.len());
                }
            }
            Node::Group(number, body) => {
                let slot = number * SLOTS_EACH;
                self.push(Instruction::Mark(slot));
                self.add(body, is_ahead);
                self.push(Instruction::Capture(slot));
            }
            &Node::Repeat { ref body, min, max, is_greedy, ref groups } => {
                let slot = self.num_slots;
                let repeat = Loop { slot, min, max, is_greedy };
                self.num_slots += 2;
                self.push(Instruction::Begin(slot));
                let choice = self.push(Instruction::Done);
                self.push(Instruction::Iterate(slot, groups.clone()));
                self.add(body, is_ahead);
                self.push(Instruction::Repeat(repeat, choice));
                self.instructions[choice] = Instruction::Choose(repeat, self.instructions.len());
            }
            &Node::Around { ref body, is_ahead, is_negated } => {
                let around = self.push(Instruction::Done);
                self.add(body, is_ahead);
                self.push(Instruction::Done);
                self.instructions[around] = Instruction::Around(is_negated, self.instructions.len());
            }
            &Node::BackReference(group) => _ = self.push(Instruction::BackReference(group, is_ahead)),
        }
    }
}
