//! Matches patterns with look-around and back-references as ECMA 262 defines: alternative by
//! alternative, in a bounded number of steps.

use std::ops::Range;

use regex_syntax::hir::{ClassUnicode, Look};

use super::Undecided;
use super::tree::{Node, Tree};

/// The most entries of the backtrack stack. A repetition adds three for each character.
const ENTRIES_MAX: usize = 512 << 10;

/// The value of slots that were not written.
const NONE: usize = usize::MAX;

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
        let slots = vec![NONE; self.num_slots];
        let mut matching = Matching { program: self, text: &text, slots, backtrack_stack: Vec::new(), num_steps };
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

/// An action to undo. The last one is undone first.
enum Entry {
    /// Another instruction to continue with, at a position.
    Choice(usize, usize),
    /// The former value of a slot.
    Slot(usize, usize),
}

struct Matching<'m> {
    program: &'m Program,
    text: &'m [char],
    slots: Vec<usize>,
    backtrack_stack: Vec<Entry>,
    num_steps: &'m mut usize,
}

impl Matching<'_> {
    /// Runs from an instruction and a position to `Done`. If it returns `false`, the state is
    /// unchanged.
    fn run(&mut self, start: usize, position: usize) -> Result<bool, Undecided> {
        let base = self.backtrack_stack.len();
        let (mut next, mut at) = (start, position);
        loop {
            self.count_steps(1)?;
            let program = self.program;
            let instruction = &program.instructions[next];
            if matches!(instruction, Instruction::Done) {
                return Ok(true);
            }
            let gone = self.step(instruction, next, at)?;
            let Some(way) = gone.or_else(|| self.go_back(base)) else { return Ok(false) };
            (next, at) = way;
        }
    }

    /// Returns the next instruction and position, if the instruction succeeds.
    fn step(&mut self, instruction: &Instruction, here: usize, at: usize) -> Result<Option<(usize, usize)>, Undecided> {
        let mut next = here + 1;
        match *instruction {
            Instruction::Character(ref class, is_ahead) => {
                let beyond = if is_ahead { Some(at + 1) } else { at.checked_sub(1) };
                let char = beyond.and_then(|beyond| self.text.get(at.min(beyond)));
                return Ok(char.filter(|char| contains(class, **char)).and(beyond).map(|beyond| (next, beyond)));
            }
            Instruction::Look(look) => return Ok(self.looks(look, at).then_some((next, at))),
            Instruction::Split(other) => self.backtrack_stack.push(Entry::Choice(other, at)),
            Instruction::Jump(other) => next = other,
            Instruction::Mark(slot) => self.write(slot, at),
            Instruction::Capture(slot) => {
                let mark = self.slots[slot];
                self.write(slot + 1, mark.min(at));
                self.write(slot + 2, mark.max(at));
            }
            Instruction::Begin(slot) => self.write(slot, 0),
            Instruction::Choose(repeat, exit) => next = self.choose(repeat, next, exit, at),
            Instruction::Iterate(slot, ref groups) => {
                self.count_steps(groups.len())?;
                self.write(slot, self.slots[slot] + 1);
                self.write(slot + 1, at);
                groups.clone().for_each(|group| self.write(group * SLOTS_EACH + 1, NONE));
            }
            Instruction::Repeat(Loop { slot, min, .. }, choice) => {
                let is_idle = self.slots[slot] > min as usize && self.slots[slot + 1] == at;
                return Ok((!is_idle).then_some((choice, at)));
            }
            Instruction::Around(is_negated, exit) => {
                return Ok((self.looks_around(next, at, is_negated)? != is_negated).then_some((exit, at)));
            }
            // A group without a match matches the empty text.
            Instruction::BackReference(group, _) if self.slots[group * SLOTS_EACH + 1] == NONE => {}
            Instruction::BackReference(group, is_ahead) => {
                let group = self.slots[group * SLOTS_EACH + 1]..self.slots[group * SLOTS_EACH + 2];
                self.count_steps(group.len())?;
                let beyond = if is_ahead { Some(at + group.len()) } else { at.checked_sub(group.len()) };
                let found = beyond.and_then(|beyond| self.text.get(at.min(beyond)..at.max(beyond)));
                let is_same = found.is_some_and(|found| found == &self.text[group]);
                return Ok(beyond.filter(|_| is_same).map(|beyond| (next, beyond)));
            }
            Instruction::Done => return Ok(None),
        }
        Ok(Some((next, at)))
    }

    /// Returns the first way in which a loop continues: `body` for a further iteration, or `exit`.
    /// The other way is kept on the backtrack stack.
    fn choose(&mut self, Loop { slot, min, max, is_greedy }: Loop, body: usize, exit: usize, at: usize) -> usize {
        let num_iterations = self.slots[slot];
        let can_leave = num_iterations >= min as usize;
        let can_stay = max.is_none_or(|max| num_iterations < max as usize);
        match (can_leave, can_stay) {
            (_, false) => exit,
            (false, true) => body,
            (true, true) => {
                let (first, second) = if is_greedy { (body, exit) } else { (exit, body) };
                self.backtrack_stack.push(Entry::Choice(second, at));
                first
            }
        }
    }

    /// Returns whether the instructions from `start` match around a position.
    fn looks_around(&mut self, start: usize, at: usize, is_negated: bool) -> Result<bool, Undecided> {
        let base = self.backtrack_stack.len();
        let is_match = self.run(start, at)?;
        if is_match && is_negated {
            while self.go_back(base).is_some() {}
        } else if is_match {
            // Other ways of a successful look-around are not tried, but backtracking restores its
            // groups.
            let slots = self.backtrack_stack.split_off(base).into_iter();
            self.backtrack_stack.extend(slots.filter(|entry| matches!(entry, Entry::Slot(..))));
        }
        Ok(is_match)
    }

    fn count_steps(&mut self, num_steps: usize) -> Result<(), Undecided> {
        *self.num_steps = self.num_steps.checked_sub(num_steps).ok_or(Undecided)?;
        if self.backtrack_stack.len() > ENTRIES_MAX { Err(Undecided) } else { Ok(()) }
    }

    fn write(&mut self, slot: usize, value: usize) {
        let former = std::mem::replace(&mut self.slots[slot], value);
        if former != value {
            self.backtrack_stack.push(Entry::Slot(slot, former));
        }
    }

    /// Undoes the actions since the last choice after `base`, and returns that choice.
    fn go_back(&mut self, base: usize) -> Option<(usize, usize)> {
        while self.backtrack_stack.len() > base {
            match self.backtrack_stack.pop()? {
                Entry::Choice(next, at) => return Some((next, at)),
                Entry::Slot(slot, former) => self.slots[slot] = former,
            }
        }
        None
    }

    fn looks(&self, look: Look, at: usize) -> bool {
        let is_word = |at: Option<usize>| {
            at.and_then(|at| self.text.get(at)).is_some_and(|char| char.is_ascii_alphanumeric() || *char == '_')
        };
        match look {
            Look::Start => at == 0,
            Look::End => at == self.text.len(),
            boundary => (is_word(at.checked_sub(1)) != is_word(Some(at))) == (boundary == Look::WordAscii),
        }
    }
}

fn contains(class: &ClassUnicode, char: char) -> bool {
    let ranges = class.ranges();
    let number = ranges.partition_point(|range| range.end() < char);
    ranges.get(number).is_some_and(|range| range.start() <= char)
}
