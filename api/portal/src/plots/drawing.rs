//! The elements of plots, as SVG. Lengths are in pixels, and letters have an average width.

use std::fmt::{self, Write};
use std::mem;

use html_escape::{encode_double_quoted_attribute, encode_text};

/// The average width of a letter of [`Drawing::text`], in pixels.
pub(super) const LETTER: f64 = 6.8;

/// A text that ends with this was shortened.
const ELLIPSIS: char = '…';

#[derive(Clone, Debug, Default)]
pub(crate) struct Drawing {
    pub(super) svg: String,
    /// `true` if the keyboard reaches links.
    pub(super) has_targets: bool,
}

impl Drawing {
    pub(super) fn add(&mut self, element: fmt::Arguments<'_>) {
        // Writing to a `String` cannot fail.
        let _ = self.svg.write_fmt(element);
    }

    pub(super) fn rect(&mut self, class: &str, [x, y, width, height]: [f64; 4]) {
        self.add(format_args!(
            r#"<rect class="{class}" x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}"/>"#
        ));
    }

    pub(super) fn line(&mut self, class: &str, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2]) {
        self.add(format_args!(r#"<line class="{class}" x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}"/>"#));
    }

    /// Adds a text. The classes `middle` and `end` place its middle or its end at the point.
    pub(super) fn text(&mut self, class: &str, [x, y]: [f64; 2], text: &str) {
        let text = encode_text(text);
        self.add(format_args!(r#"<text class="{class}" x="{x:.1}" y="{y:.1}">{text}</text>"#));
    }

    /// Adds a text that runs upwards.
    pub(super) fn upward_text(&mut self, class: &str, [x, y]: [f64; 2], text: &str) {
        let text = encode_text(text);
        self.add(format_args!(
            r#"<text class="{class}" transform="translate({x:.1} {y:.1}) rotate(-90)">{text}</text>"#
        ));
    }

    /// Adds elements that are a link, if there is an address, and have a tip.
    pub(super) fn link(&mut self, href: &str, tip: &str, draw: impl FnOnce(&mut Self)) {
        // The table of the same data has the focus.
        self.linked(href, tip, r#" tabindex="-1" aria-hidden="true""#, draw);
    }

    /// Adds elements that are a link with the focus of the keyboard, and have a tip.
    pub(super) fn target(&mut self, href: &str, tip: &str, draw: impl FnOnce(&mut Self)) {
        self.has_targets = true;
        self.linked(href, tip, "", draw);
    }

    fn linked(&mut self, href: &str, tip: &str, attributes: &str, draw: impl FnOnce(&mut Self)) {
        let (tip, href) = (encode_text(tip), encode_double_quoted_attribute(href));
        let (start, end) = match &*href {
            "" => ("<g>".to_owned(), "</g>"),
            href => (format!(r#"<a href="{href}"{attributes}>"#), "</a>"),
        };
        self.add(format_args!("{start}<title>{tip}</title>"));
        draw(self);
        self.svg.push_str(end);
    }

    /// Adds a box that cuts off what it contains. Its left edge and width are in percent.
    pub(super) fn clipped(&mut self, [x, y, width, height]: [f64; 4], draw: impl FnOnce(&mut Self)) {
        self.add(format_args!(r#"<svg x="{x:.3}%" y="{y:.1}" width="{width:.3}%" height="{height:.1}">"#));
        draw(self);
        self.svg.push_str("</svg>");
    }
}

/// Returns a number as one of pixels. Pictures do not show the digits that it loses.
#[expect(clippy::cast_precision_loss, reason = "a picture")]
pub(super) fn real(number: u64) -> f64 {
    number as f64
}

/// Returns the approximate width of a text, in pixels.
pub(super) fn width_of(text: &str) -> f64 {
    real(text.chars().count() as u64) * LETTER
}

/// Returns a text that has at most this width, in pixels.
pub(super) fn shortened(text: &str, width: f64) -> String {
    if width_of(text) <= width {
        return text.to_owned();
    }
    let letters = (1..).zip(text.chars()).take_while(|(number, _)| f64::from(number + 1) * LETTER <= width);
    letters.map(|(_, letter)| letter).chain([ELLIPSIS]).collect()
}

/// Breaks a text into lines of at most this width, in pixels. Wider words, such as addresses, have
/// several lines.
pub(super) fn lines(text: &str, width: f64) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() && width_of(&line) + LETTER + width_of(word) > width {
            lines.push(mem::take(&mut line));
        }
        line.extend((!line.is_empty()).then_some(' '));
        for letter in word.chars() {
            if width_of(&line) + LETTER > width {
                lines.push(mem::take(&mut line));
            }
            line.push(letter);
        }
    }
    lines.extend((!line.is_empty()).then_some(line));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped_and_shortened() {
        let mut drawing = Drawing::default();
        drawing.link("/a?b=\"&c", "a < b", |drawing| drawing.text("end", [1.0, 2.0], "\"x\" & <y>"));
        let expected = "<a href=\"/a?b=&quot;&amp;c\" tabindex=\"-1\" aria-hidden=\"true\"><title>a &lt; b</title>\
                        <text class=\"end\" x=\"1.0\" y=\"2.0\">\"x\" &amp; &lt;y&gt;</text></a>";
        assert_eq!(drawing.svg, expected);
        assert_eq!([shortened("abcdef", 41.0), shortened("abcdef", 21.0)], ["abcdef", "ab…"]);
        assert_eq!(lines("a bc  def g", 34.0), ["a bc", "def g"]);
        assert_eq!(lines("a bcdefghi j", 34.0), ["a", "bcdef", "ghi j"]);
    }
}
