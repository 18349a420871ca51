//! A map of the world with the places of samples, as `web/src/map` draws it.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use api_catalogue::Places;

use super::axis::{GAP, LINE};
use super::data::PlotData;
use super::drawing::{Drawing, real, width_of};
use super::plot::Plot;
use crate::context::layout::Origin;
use crate::parts::number::Number;

/// The size of the world, whose degrees have equal lengths, in pixels.
const SIZE: [f64; 2] = [720.0, 360.0];

/// The distance of the map from the left, with room for degrees, and from the top, in pixels.
const LEFT: f64 = 52.0;
const TOP: f64 = 8.0;

/// The side of the squares whose places are one dot, in pixels.
const RASTER: f64 = 3.0;

/// The degrees between two lines of longitude or latitude.
const STEP: usize = 30;

/// The radii of dots, and their growth with each doubling of the samples, in pixels.
const RADIUS_MIN: f64 = 3.0;
const RADIUS_MAX: f64 = 7.0;
const GROWTH: f64 = 0.5;

/// The land, as a path.
const LAND: &str = include_str!("../../web/dist/land.txt");

/// The shapes of biomes, by their colours, as paths for a radius of 1.
const SHAPES: [&str; 6] = [
    "M-1 0A1 1 0 0 1 1 0A1 1 0 0 1-1 0Z",
    "M-.89-.89H.89V.89H-.89Z",
    "M0-1.56L1.34.78H-1.34Z",
    "M0-1.25L1.25 0L0 1.25L-1.25 0Z",
    "M0 1.56L-1.34-.78H1.34Z",
    "M-.4-1.2H.4V-.4H1.2V.4H.4V1.2H-.4V.4H-1.2V-.4H-.4Z",
];

/// The shape of dots of no biome, and the numbers of samples in the legend of sizes.
const CIRCLE: usize = 0;
const SIZES: [u64; 4] = [1, 10, 100, 1000];

/// Draws the places. Those in one square are one dot, with the biome that most samples have.
pub(crate) fn plot(places: &Places) -> Plot {
    let names: Vec<&str> = places.biomes.iter().copied().chain(["other or no biome"]).collect();
    let mut data = PlotData::new(&["longitude", "latitude", "samples", "biome"]);
    let mut dots = BTreeMap::<[i32; 2], [u64; SHAPES.len()]>::new();
    let (mut num_places, mut num_samples, mut num_nowhere) = (0, 0, 0);
    for &(longitude, latitude, count, biome) in &places.places {
        data.add(&[&longitude, &latitude, &count, &names[biome]]);
        if !(-180.0..=180.0).contains(&longitude) || !(-90.0..=90.0).contains(&latitude) {
            num_nowhere += count;
            continue;
        }
        #[expect(clippy::cast_possible_truncation, reason = "a picture")]
        let square = at(longitude, latitude).map(|pixels| (pixels / RASTER) as i32);
        dots.entry(square).or_default()[biome] += count;
        num_places += 1;
        num_samples += count;
    }
    let mut dots: Vec<_> = dots.into_iter().collect();
    // Small dots are above large ones.
    dots.sort_by_key(|(_, counts)| Reverse(counts.iter().sum::<u64>()));
    let mut drawing = Drawing::default();
    drawing.graticule();
    for (square, counts) in &dots {
        let [x, y] = square.map(|place| (f64::from(place) + 0.5) * RASTER);
        let biome = (0..counts.len()).max_by_key(|biome| (counts[*biome], Reverse(*biome))).unwrap_or_default();
        drawing.dot(Some(biome), [LEFT + x, TOP + y], counts.iter().sum());
    }
    let biomes = names.iter().enumerate().filter(|(biome, _)| places.places.iter().any(|place| place.3 == *biome));
    let biomes = biomes.map(|(biome, name)| (Some(biome), SIZES[1], (*name).to_owned())).collect();
    let sizes = SIZES.map(|size| (None, size, Number(size).counted("samples"))).to_vec();
    let bottom = drawing.legend([biomes, sizes]);
    let left_out = [(places.unplaced, "without coordinates"), (num_nowhere, "with impossible coordinates")];
    let left_out = left_out.into_iter().filter(|(count, _)| *count > 0);
    let left_out: Vec<_> =
        left_out.map(|(count, what)| format!("{} {what}", Number(count).counted("samples"))).collect();
    Plot {
        name: "map",
        title: format!("{} at {}", Number(num_samples).counted("samples"), Number(num_places).counted("places")),
        origin: Origin::Catalogue,
        note: if left_out.is_empty() { String::new() } else { format!("Left out: {}.", left_out.join(", ")) },
        size: [LEFT + SIZE[0] + LINE, bottom + LINE],
        drawing,
        data,
        ..Plot::default()
    }
}

/// Returns the place of coordinates on the map, in pixels.
fn at(longitude: f64, latitude: f64) -> [f64; 2] {
    [(longitude + 180.0) / 360.0 * SIZE[0], (90.0 - latitude) / 180.0 * SIZE[1]]
}

/// Returns the radius of a dot, in pixels.
fn radius(num_samples: u64) -> f64 {
    (RADIUS_MIN + GROWTH * real(num_samples.max(1)).log2().round()).min(RADIUS_MAX)
}

impl Drawing {
    /// Adds the land, and lines of longitude and latitude with their degrees.
    fn graticule(&mut self) {
        let land = LAND.trim_end();
        self.add(format_args!(r#"<path class="land" transform="translate({LEFT} {TOP})" d="{land}"/>"#));
        let [right, bottom] = [LEFT + SIZE[0], TOP + SIZE[1]];
        let degrees = |angle: i32, [below, above]: [&str; 2]| match angle {
            -180 | 0 | 180 => format!("{}°", angle.abs()),
            angle => format!("{}° {}", angle.abs(), if angle < 0 { below } else { above }),
        };
        for angle in (-180..=180).step_by(STEP) {
            let [x, y] = at(angle.into(), angle.into());
            self.line("grid", [LEFT + x, TOP], [LEFT + x, bottom]);
            self.text("tick middle", [LEFT + x, bottom + LINE], &degrees(angle, ["W", "E"]));
            if angle.abs() <= 90 {
                self.line("grid", [LEFT, TOP + y], [right, TOP + y]);
                self.text("tick end", [LEFT - GAP, TOP + y + 4.0], &degrees(angle, ["S", "N"]));
            }
        }
    }

    /// Adds rows of dots with their meanings below the map. Returns the lower end.
    fn legend(&mut self, rows: [Vec<(Option<usize>, u64, String)>; 2]) -> f64 {
        let mut y = TOP + SIZE[1] + LINE;
        for row in rows {
            let mut x = LEFT;
            y += 1.4 * LINE;
            for (biome, num_samples, meaning) in row {
                self.dot(biome, [x + RADIUS_MAX, y - 4.0], num_samples);
                self.text("label", [x + 2.4 * RADIUS_MAX, y], &meaning);
                x += width_of(&meaning) + 5.0 * RADIUS_MAX;
            }
        }
        y
    }

    /// Adds a dot with the colour and shape of a biome, or one of no biome.
    fn dot(&mut self, biome: Option<usize>, [x, y]: [f64; 2], num_samples: u64) {
        let class = biome.map_or_else(|| "sign".to_owned(), |biome| format!("biome-{biome}"));
        let (radius, path) = (radius(num_samples), SHAPES[biome.unwrap_or(CIRCLE)]);
        self.add(format_args!(
            r#"<path class="{class}" transform="translate({x:.1} {y:.1}) scale({radius:.1})" d="{path}"/>"#
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_one_square_are_one_dot_and_all_are_in_the_data() {
        let places = vec![
            (0.1, 0.1, 3, 1),
            (0.2, 0.2, 4, 0),
            (0.3, 0.3, 2, 1),
            (-180.0, 90.0, 1, 2),
            (200.0, 0.0, 6, 0),
            (f64::NAN, 0.0, 1, 0),
        ];
        let plot = plot(&Places { places, biomes: &["A", "B"], unplaced: 5 });
        assert_eq!(plot.title, "10 samples at 4 places");
        assert_eq!(plot.note, "Left out: 5 samples without coordinates, 7 samples with impossible coordinates.");
        // The dot has the shape of B, and so has the legend. Sizes have a class of their own.
        let count = |mark: &str| plot.drawing.svg.matches(mark).count();
        assert_eq!([count("class=\"biome-0\""), count("class=\"biome-1\""), count("class=\"biome-2\"")], [1, 2, 2]);
        assert_eq!([count(">60° S<"), count(">0°<"), count(">1 sample<"), count(">10 samples<")], [1, 2, 1, 1]);
        let rows = plot.data.rows();
        assert_eq!(rows[..2], ["longitude latitude samples biome", "0.1 0.1 3 B"]);
        assert_eq!((rows.len(), &*rows[4]), (7, "-180 90 1 other or no biome"));
    }

    #[test]
    fn dots_grow_with_the_samples_up_to_a_limit() {
        let radii = [1, 2, 10, 1_000_000].map(|num_samples| format!("{:.1}", radius(num_samples)));
        assert_eq!(radii, ["3.0", "3.5", "4.5", "7.0"]);
    }
}
