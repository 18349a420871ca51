//! A plot with its data, as a part of a page or as a file.

use std::sync::LazyLock;

use axum::http::header;
use axum::response::{IntoResponse, Response};
use html_escape::{encode_double_quoted_attribute, encode_text};

use super::axis::LINE;
use super::data::PlotData;
use super::drawing::{Drawing, lines, shortened, width_of};
use crate::context::layout::Origin;
use crate::context::page_context::PageContext;
use crate::parts::number::Count;

/// The margin of a file, and the size of a sign of its legend, in pixels.
const MARGIN: f64 = 16.0;
const SIGN: f64 = 11.0;

/// The smallest width of the contents of a file, in pixels. It has room for the title.
const WIDTH_MIN: f64 = 640.0;

/// The styles of files: those of pages in their light colours, without variables, which most
/// programs for pictures do not know.
static STYLES: LazyLock<String> = LazyLock::new(|| {
    let (colours, styles) = include_str!("../../web/src/plot.css").split_once("}\n").unwrap_or_default();
    let colours = colours.split(['{', ';']).filter_map(|colour| colour.trim().split_once(": "));
    colours.fold(styles.to_owned(), |styles, (name, value)| styles.replace(&format!("var({name})"), value))
});

#[derive(Debug, Default)]
pub(crate) struct Plot {
    /// The name in addresses and of files.
    pub(crate) name: &'static str,
    pub(crate) title: String,
    pub(crate) origin: Origin,
    /// The classes of colours, with their meanings.
    pub(crate) legend: Vec<(String, String)>,
    /// A sentence below the plot; may be empty.
    pub(crate) note: String,
    /// The width and height, in pixels.
    pub(crate) size: [f64; 2],
    /// `true` if the plot is as wide as the page: horizontal places are percentages.
    pub(crate) is_fluid: bool,
    /// The marks left of a plot that is as wide as the page.
    pub(crate) side: Side,
    /// The address of a selected range; empty unless ranges can be selected by dragging.
    pub(crate) range: String,
    pub(crate) drawing: Drawing,
    /// The numbers as a table of the page; empty if the page has another one.
    pub(crate) numbers: Vec<PlotNumber>,
    /// The names of the labels and of the numbers.
    pub(crate) headings: [String; 2],
    pub(crate) data: PlotData,
}

/// The marks left of a plot, such as an axis, with their width in pixels.
#[derive(Debug, Default)]
pub(crate) struct Side {
    pub(crate) width: f64,
    pub(crate) drawing: Drawing,
}

/// A number with its label and address.
#[derive(Debug)]
pub(crate) struct PlotNumber {
    pub(crate) label: String,
    pub(crate) count: Count,
    /// The address of the counted things; may be empty.
    pub(crate) href: String,
}

impl Plot {
    /// Returns the element for a page.
    pub(crate) fn svg(&self) -> String {
        let ([width, height], marks) = (self.size, &self.drawing.svg);
        let width = if self.is_fluid { "100%".to_owned() } else { width.to_string() };
        let range = match &*self.range {
            "" => String::new(),
            range => format!(r#" data-range="{}""#, encode_double_quoted_attribute(range)),
        };
        let hidden = if self.drawing.has_targets { "" } else { r#" aria-hidden="true""# };
        let side = match &*self.side.drawing.svg {
            "" => String::new(),
            axis => format!(r#"<svg width="{}" height="{height}" aria-hidden="true">{axis}</svg>"#, self.side.width),
        };
        format!(r#"{side}<svg width="{width}" height="{height}"{range}{hidden}>{marks}</svg>"#)
    }

    /// Returns a file: `svg`, or `tsv` with the data.
    pub(super) fn file(&self, context: &PageContext, format: &str) -> Option<Response> {
        let (media_type, bytes) = match format {
            "svg" => {
                let picture = self.picture(&context.source(self.origin), context.host(), &context.address());
                ("image/svg+xml; charset=utf-8", picture.into_bytes())
            }
            "tsv" => ("text/tab-separated-values; charset=utf-8", self.data.0.clone()),
            _ => return None,
        };
        let disposition = format!("attachment; filename=\"{}.{format}\"", self.name);
        Some(([(header::CONTENT_TYPE, media_type), (header::CONTENT_DISPOSITION, &disposition)], bytes).into_response())
    }

    /// Returns the picture with its title, legend and source. `address` is that of its page.
    fn picture(&self, source: &str, host: &str, address: &str) -> String {
        let [plot_width, plot_height] = self.size;
        let inner_width = plot_width.max(WIDTH_MIN);
        let mut frame = Drawing::default();
        let mut y = MARGIN + LINE;
        frame.text("title", [MARGIN, y], &shortened(&self.title, inner_width * 0.85));
        y += self.add_legend(&mut frame, [MARGIN, y + LINE], inner_width) + LINE;
        let plot_top = y;
        y += plot_height;
        let source = format!("Source: {source}, with mgdex {}.", env!("CARGO_PKG_VERSION"));
        for line in [&*self.note, &source, address].into_iter().flat_map(|text| lines(text, inner_width)) {
            y += LINE;
            frame.text("tick", [MARGIN, y], &line);
        }
        let (width, height) = (inner_width + 2.0 * MARGIN, y + MARGIN);
        let (title, frame, styles) = (encode_text(&self.title), frame.svg, &*STYLES);
        // Links lead to this server, or to the page.
        let [host, page] = [host, address].map(encode_double_quoted_attribute);
        let marks = self.drawing.svg.replace("<a href=\"/", &format!("<a href=\"{host}/"));
        let marks = marks.replace("<a href=\"#", &format!("<a href=\"{page}#"));
        let side = &self.side.drawing.svg;
        let (left, marks_width) = (MARGIN + self.side.width, inner_width - self.side.width);
        let mut picture = format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" class="plot" width="{width}" height="{height}" font-family="sans-serif" font-size="12"><title>{title}</title><style>{styles}</style><rect class="paper" width="100%" height="100%"/>{frame}<svg x="{MARGIN}" y="{plot_top}" width="{inner_width}" height="{plot_height}">{side}</svg><svg x="{left:.1}" y="{plot_top}" width="{marks_width:.1}" height="{plot_height}">{marks}</svg></svg>"#
        );
        // XML does not allow these characters, not even escaped.
        picture.retain(|letter| matches!(letter, '\t' | '\n' | '\r' | ' '..'\u{fffe}' | '\u{10000}'..));
        picture
    }

    /// Adds the legend. Returns its height.
    fn add_legend(&self, frame: &mut Drawing, [left, top]: [f64; 2], width: f64) -> f64 {
        let (mut x, mut y) = (left, top);
        for (class, meaning) in &self.legend {
            let room = 2.0 * SIGN + width_of(meaning);
            if x > left && x + room > left + width {
                (x, y) = (left, y + LINE * 1.2);
            }
            frame.rect(class, [x, y - SIGN + 1.0, SIGN, SIGN]);
            frame.text("label", [x + 1.4 * SIGN, y], meaning);
            x += room + SIGN;
        }
        if self.legend.is_empty() { 0.0 } else { y - top + LINE * 1.2 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_xml_with_links_to_their_server() {
        let mut drawing = Drawing::default();
        drawing.link("/portal/x", "a\u{1}\u{c}b", |drawing| drawing.text("", [0.0, 0.0], "\u{ffff}c\0"));
        drawing.link("#hit-1", "d", |_| ());
        let plot = Plot { title: "\u{8}e".to_owned(), drawing, ..Plot::default() };
        let picture = plot.picture("f", "http://a&b", "http://a&b/portal/y?q=<");
        assert!(picture.contains("<a href=\"http://a&amp;b/portal/x\""), "{picture}");
        assert!(picture.contains("<a href=\"http://a&amp;b/portal/y?q=&lt;#hit-1\""), "{picture}");
        assert!(picture.contains("<title>ab</title>") && picture.contains(">c</text>"), "{picture}");
        assert!(picture.contains("<title>e</title>"), "{picture}");
    }
}
