//! Tables in Markdown.

use crate::measure::Turn;
use crate::system::System;

/// A figure of turns, which has a table of its own.
pub(crate) struct Figure {
    pub(crate) title: &'static str,
    pub(crate) of: fn(&Turn) -> f64,
    /// Set if less is better.
    pub(crate) is_time: bool,
}

/// The figures of a question: of each system, all its turns.
pub(crate) struct Measured {
    pub(crate) name: String,
    pub(crate) turns: Vec<Vec<Turn>>,
}

pub(crate) const FIGURES: [Figure; 4] = [
    Figure { title: "p50 on one connection, in milliseconds", of: |turn| turn.percentiles_ms[0], is_time: true },
    Figure { title: "p99 on one connection, in milliseconds", of: |turn| turn.percentiles_ms[1], is_time: true },
    Figure { title: "requests a second on 8 connections", of: |turn| turn.rates[0], is_time: false },
    Figure { title: "requests a second on 32 connections", of: |turn| turn.rates[1], is_time: false },
];

/// Prints the times of loading and the sizes.
pub(crate) fn print_loads(systems: &[System], num_proteins: u64) {
    println!("| system | load | bytes a protein |\n|---|---|---|");
    for system in systems {
        let bytes = system.num_bytes as f64 / num_proteins as f64;
        println!("| {} | {:.1} s | {} |", system.name, system.load_time.as_secs_f64(), digits(bytes));
    }
}

/// Prints a figure of all questions. Medians of the rounds are followed by the least and the
/// greatest, and by how many times better mgdex is, which is bold where it is not better.
pub(crate) fn print(figure: &Figure, systems: &[System], measured: &[Measured]) {
    println!("\n**{}:**\n", figure.title);
    let names: Vec<_> = systems.iter().map(|system| system.name).collect();
    println!("| question | {} |\n|---|{}", names.join(" | "), "---|".repeat(names.len()));
    for question in measured {
        println!("{}", row(figure, question));
    }
}

/// Returns the row of a question.
pub(crate) fn row(figure: &Figure, question: &Measured) -> String {
    let spreads: Vec<_> = question.turns.iter().map(|turns| Spread::of(turns, figure)).collect();
    let cells = spreads.iter().enumerate().map(|(number, spread)| {
        let cell = spread.write();
        if number == 0 { cell } else { format!("{cell}; {}", spread.ratio(&spreads[0], figure.is_time)) }
    });
    format!("| {} | {} |", question.name, cells.collect::<Vec<_>>().join(" | "))
}

struct Spread {
    least: f64,
    median: f64,
    greatest: f64,
}

impl Spread {
    fn of(turns: &[Turn], figure: &Figure) -> Self {
        let mut values: Vec<_> = turns.iter().map(figure.of).collect();
        values.sort_by(f64::total_cmp);
        Self { least: values[0], median: values[values.len() / 2], greatest: values[values.len() - 1] }
    }

    fn write(&self) -> String {
        format!("{} ({}–{})", digits(self.median), digits(self.least), digits(self.greatest))
    }

    fn ratio(&self, mgdex: &Self, is_time: bool) -> String {
        let ratio = if is_time { self.median / mgdex.median } else { mgdex.median / self.median };
        if ratio > 1.0 { format!("{} ×", digits(ratio)) } else { format!("**{} ×**", digits(ratio)) }
    }
}

/// Writes a number for people.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "they are times, rates and sizes")]
pub(crate) fn digits(number: f64) -> String {
    match number {
        1000.0.. => grouped(number.round() as u64),
        100.0.. => format!("{number:.0}"),
        10.0.. => format!("{number:.1}"),
        1.0.. => format!("{number:.2}"),
        _ => format!("{number:.3}"),
    }
}

/// Writes a whole number with commas between thousands.
pub(crate) fn grouped(number: u64) -> String {
    if number < 1000 { number.to_string() } else { format!("{},{:03}", grouped(number / 1000), number % 1000) }
}
