//! Plots: SVG on pages, and as files beside their data.

pub(crate) mod axis;
pub(crate) mod bars;
pub(crate) mod data;
pub(crate) mod drawing;
pub(crate) mod genes;
pub(crate) mod heat_map;
pub(crate) mod histogram;
pub(crate) mod icicle;
pub(crate) mod map;
pub(crate) mod plot;
pub(crate) mod track;
pub(crate) mod volcano;

use askama::Template;
use axum::response::Response;

use crate::context::page_context::{PageContext, render};
use crate::context::problem::PortalProblem;
use plot::Plot;

/// The widths of a plot beside results and of one below them, in pixels.
const NARROW: f64 = 270.0;
pub(crate) const WIDE: f64 = 640.0;

/// The width of files of plots that are as wide as the page, in pixels.
const FLUID: f64 = 960.0;

/// Answers with a page, or with a file of one of its plots if the address asks for one.
pub(crate) fn answer<'a>(
    context: &PageContext,
    page: &impl Template,
    plots: impl IntoIterator<Item = &'a Plot>,
) -> Result<Response, PortalProblem> {
    if context.plot().is_empty() { render(page) } else { file(context, plots) }
}

/// Answers with the file of one of the plots.
pub(crate) fn file<'a>(
    context: &PageContext,
    plots: impl IntoIterator<Item = &'a Plot>,
) -> Result<Response, PortalProblem> {
    let file = context.plot().rsplit_once('.').and_then(|(name, format)| {
        let plot = plots.into_iter().find(|plot| plot.name == name)?;
        plot.file(context, format)
    });
    file.ok_or_else(PortalProblem::no_page)
}

/// Returns the width of a plot beside results. A file has more room.
pub(crate) fn narrow(context: &PageContext) -> f64 {
    if context.plot().is_empty() { NARROW } else { WIDE }
}
