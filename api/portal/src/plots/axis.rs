//! Linear scales, and axes with ticks and names.

use store::grouped;

use super::drawing::{Drawing, LETTER, real, width_of};

/// The distance of numbers from their axis, and of names from the numbers, in pixels.
pub(super) const GAP: f64 = 6.0;

/// The maximum number of ticks. Scales have fewer unless their numbers are too large for the step.
const TICKS_MAX: u32 = 100;

/// The smallest step between ticks. Numbers that are equal have one, too.
const STEP_MIN: f64 = 1e-9;

/// The height of a line of text, in pixels.
pub(super) const LINE: f64 = 15.0;

/// The height of the numbers and the name below a plot, in pixels.
pub(super) const BELOW: f64 = 2.6 * LINE;

/// Numbers as pixels.
#[derive(Clone, Debug)]
pub(crate) struct Scale {
    /// The ends. The first is a tick.
    numbers: [f64; 2],
    /// The pixels of both.
    pub(super) pixels: [f64; 2],
    step: f64,
}

impl Scale {
    /// Returns a scale with ticks of 1, 2 or 5 units around these numbers.
    pub(crate) fn new(numbers: [f64; 2], pixels: [f64; 2], num_ticks: u32) -> Self {
        Self::with_least_step(STEP_MIN, numbers, pixels, num_ticks)
    }

    /// Returns a scale for counts from 0 to this one.
    pub(crate) fn counts(most: u64, pixels: [f64; 2], num_ticks: u32) -> Self {
        Self::with_least_step(1.0, [0.0, real(most.max(1))], pixels, num_ticks)
    }

    /// Returns a scale for counts from 0 to this one, which is its end, but need not be a tick.
    pub(crate) fn counts_to(most: u64, pixels: [f64; 2], num_ticks: u32) -> Self {
        Self { numbers: [0.0, real(most.max(1))], ..Self::counts(most, pixels, num_ticks) }
    }

    fn with_least_step(least: f64, [low, high]: [f64; 2], pixels: [f64; 2], num_ticks: u32) -> Self {
        let least = ((high - low) / f64::from(num_ticks)).max(least);
        let unit = 10_f64.powf(least.log10().floor());
        let step = [1.0, 2.0, 5.0].map(|factor| factor * unit).into_iter().find(|step| *step >= least);
        let step = step.unwrap_or(10.0 * unit);
        let (low, high) = ((low / step).floor() * step, (high / step).ceil() * step);
        Self { numbers: [low, high.max(low + step)], pixels, step }
    }

    pub(crate) fn at(&self, number: f64) -> f64 {
        let ([low, high], [from, to]) = (self.numbers, self.pixels);
        from + (number - low) / (high - low) * (to - from)
    }

    pub(super) fn at_count(&self, count: u64) -> f64 {
        self.at(real(count))
    }

    /// Returns the ticks as numbers and texts.
    pub(crate) fn ticks(&self) -> Vec<(f64, String)> {
        let [low, high] = self.numbers;
        // A sum of steps such as 0.1 would differ from the number that its text says.
        let unit = 10_f64.powf(decimals(self.step));
        let numbers = (0..TICKS_MAX).map(|tick| ((low + f64::from(tick) * self.step) * unit).round() / unit);
        let ticks = numbers.take_while(|number| *number < high + self.step / 100.0);
        ticks.map(|number| (number, text_of(number, self.step))).collect()
    }

    /// Returns the room for the numbers left of an axis.
    pub(crate) fn room(&self) -> f64 {
        let widest = self.ticks().iter().map(|(_, text)| width_of(text)).fold(0.0, f64::max);
        widest + 2.0 * GAP + LINE
    }
}

/// Returns the number of decimals of a step.
fn decimals(step: f64) -> f64 {
    (-step.log10()).ceil().max(0.0)
}

/// Formats a number with as many decimals as the step has.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole numbers of a picture")]
fn text_of(number: f64, step: f64) -> String {
    if step >= 1.0 {
        let sign = if number <= -0.5 { "−" } else { "" };
        return format!("{sign}{}", grouped(number.abs().round() as u64));
    }
    let decimals = decimals(step) as usize;
    match format!("{number:.decimals$}") {
        text if text.trim_matches(['-', '0', '.']).is_empty() => "0".to_owned(),
        text => text.replace('-', "−"),
    }
}

impl Drawing {
    /// Adds an axis on the left, with lines across the plot and a name.
    pub(super) fn axis_left(&mut self, scale: &Scale, [left, right]: [f64; 2], name: &str) {
        for (number, text) in scale.ticks() {
            let y = scale.at(number);
            self.line("grid", [left, y], [right, y]);
            self.text("tick end", [left - GAP, y + 4.0], &text);
        }
        let [from, to] = scale.pixels;
        self.upward_text("name middle", [left - scale.room() + LINE, f64::midpoint(from, to)], name);
    }

    /// Adds an axis below the plot, with lines across it and a name.
    pub(super) fn axis_below(&mut self, scale: &Scale, [top, bottom]: [f64; 2], name: &str) {
        for (number, text) in scale.ticks() {
            let x = scale.at(number);
            self.line("grid", [x, top], [x, bottom]);
            self.text("tick middle", [x, bottom + LINE], &text);
        }
        let [from, to] = scale.pixels;
        self.text("name middle", [f64::midpoint(from, to), bottom + 2.2 * LINE], name);
    }

    /// Adds an axis below a plot that is as wide as the page. Ticks are in percent of the width.
    pub(super) fn fluid_axis(&mut self, ticks: impl Iterator<Item = (f64, String)>, bottom: f64, name: &str) {
        for (x, text) in ticks {
            let class = ["start", "middle", "end"][usize::from(x > 3.0) + usize::from(x > 97.0)];
            let y = bottom + LINE;
            self.add(format_args!(
                r#"<line class="grid" x1="{x:.3}%" x2="{x:.3}%" y1="0" y2="{bottom:.1}"/><text class="tick {class}" x="{x:.3}%" y="{y:.1}">{text}</text>"#
            ));
        }
        let y = bottom + 2.2 * LINE;
        self.add(format_args!(r#"<text class="name middle" x="50%" y="{y:.1}">{name}</text>"#));
    }

    /// Adds texts below the middles of columns, without those that would overlap.
    pub(super) fn labels_below<'a>(&mut self, labels: impl Iterator<Item = (f64, &'a str)>, bottom: f64, right: f64) {
        let mut free = 0.0;
        for (x, text) in labels {
            let half = width_of(text) / 2.0;
            if x - half >= free && x + half <= right + LETTER {
                self.text("tick middle", [x, bottom + LINE], text);
                free = x + half + LETTER;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_numbers() {
        let texts = |scale: &Scale| scale.ticks().into_iter().map(|(_, text)| text).collect::<Vec<_>>().join(" ");
        let pixels = [0.0, 100.0];
        for (scale, expected) in [
            (Scale::counts(3922, pixels, 4), "0 1,000 2,000 3,000 4,000"),
            (Scale::counts(1, pixels, 4), "0 1"),
            (Scale::counts(0, pixels, 4), "0 1"),
            (Scale::new([-1.3, 2.9], pixels, 5), "−2 −1 0 1 2 3"),
            (Scale::new([-0.02, 0.03], pixels, 5), "−0.02 −0.01 0 0.01 0.02 0.03"),
            (Scale::new([0.1, 0.95], pixels, 5), "0 0.2 0.4 0.6 0.8 1.0"),
        ] {
            assert_eq!(texts(&scale), expected);
        }
        assert_eq!(texts(&Scale::counts_to(3922, pixels, 4)), "0 1,000 2,000 3,000");
        assert_eq!(Scale::new([0.0, 0.6], pixels, 6).ticks()[3].0.to_string(), "0.3");
        assert!(Scale::new([5.0, 5.0], pixels, 5).at(5.0).is_finite());
        let scale = Scale::counts(3922, [200.0, 0.0], 4);
        assert_eq!([0.0, 1000.0, 4000.0].map(|number| format!("{:.1}", scale.at(number))), ["200.0", "150.0", "0.0"]);
    }
}
