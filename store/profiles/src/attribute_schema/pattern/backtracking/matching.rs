//! The run of a program over a text.

use regex_syntax::hir::{ClassUnicode, Look};

use super::super::Undecided;
use super::{Instruction, Loop, Program, SLOTS_EACH};

/// The most entries of the backtrack stack. A repetition adds three for each character.
const ENTRIES_MAX: usize = 512 << 10;

/// The value of slots that were not written.
const NONE: usize = usize::MAX;

/// An action to undo. The last one is undone first.
enum Entry {
    /// Another instruction to continue with, at a position.
    Choice(usize, usize),
    /// The former value of a slot.
    Slot(usize, usize),
}

pub(super) struct Matching<'m> {
    program: &'m Program,
    text: &'m [char],
    slots: Vec<usize>,
    backtrack_stack: Vec<Entry>,
    num_steps: &'m mut usize,
}

impl<'m> Matching<'m> {
    pub(super) fn new(program: &'m Program, text: &'m [char], num_steps: &'m mut usize) -> Self {
        Self { program, text, slots: vec![NONE; program.num_slots], backtrack_stack: Vec::new(), num_steps }
    }

    /// Runs from an instruction and a position to `Done`. If it returns `false`, the state is
    /// unchanged.
    pub(super) fn run(&mut self, start: usize, position: usize) -> Result<bool, Undecided> {
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
