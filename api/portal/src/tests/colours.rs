//! The colours of the biomes differ for every kind of colour vision, and from what is behind them.

use std::array;

const STYLES: &str = concat!(include_str!("../../web/src/plot.css"), include_str!("../../web/src/portal.css"));

const NUM_BIOMES: usize = 6;

/// The page, the empty map, and its land.
const BEHIND: [&str; 3] = ["paper", "panel", "land"];

/// The least difference of two biomes, in CIEDE2000, and the least contrast, as in WCAG.
const DIFFERENCE_MIN: f64 = 15.0;
const CONTRAST_MIN: f64 = 3.0;

/// Red, green and blue, or X, Y and Z: linear, from 0 to 1.
type Light = [f64; 3];

type Matrix = [[f64; 3]; 3];

/// Kinds of colour vision: Machado, Oliveira and Fernandes (2009), at severity 1.
const VISIONS: [(&str, Matrix); 4] = [
    ("trichromacy", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    (
        "protanopia",
        [[0.152_286, 1.052_583, -0.204_868], [0.114_503, 0.786_281, 0.099_216], [-0.003_882, -0.048_116, 1.051_998]],
    ),
    (
        "deuteranopia",
        [[0.367_322, 0.860_646, -0.227_968], [0.280_085, 0.672_501, 0.047_413], [-0.011_820, 0.042_940, 0.968_881]],
    ),
    (
        "tritanopia",
        [[1.255_528, -0.076_749, -0.178_779], [-0.078_411, 0.930_809, 0.147_602], [0.004_733, 0.691_367, 0.303_900]],
    ),
];

/// From linear sRGB to X, Y and Z.
const TO_XYZ: Matrix =
    [[0.412_456, 0.357_576, 0.180_438], [0.212_673, 0.715_152, 0.072_175], [0.019_334, 0.119_192, 0.950_304]];

#[test]
fn biomes_differ_for_every_kind_of_colour_vision() {
    for (scheme, styles) in schemes() {
        let colours: [Light; NUM_BIOMES] = array::from_fn(|biome| colour(styles, &format!("biome-{biome}")));
        for (vision, matrix) in VISIONS {
            let seen = colours.map(|colour| lab(product(matrix, colour).map(|part| part.clamp(0.0, 1.0))));
            for (one, other) in (0..NUM_BIOMES).flat_map(|one| (0..one).map(move |other| (one, other))) {
                let difference = ciede2000(seen[one], seen[other]);
                assert!(
                    difference >= DIFFERENCE_MIN,
                    "{scheme}, {vision}: {other} and {one} differ by {difference:.1}"
                );
            }
        }
    }
}

#[test]
fn biomes_contrast_with_the_page_and_the_map() {
    for (scheme, styles) in schemes() {
        for (biome, behind) in (0..NUM_BIOMES).flat_map(|biome| BEHIND.map(|behind| (biome, behind))) {
            let luminance = |name: &str| product(TO_XYZ, colour(styles, name))[1] + 0.05;
            let [one, other] = [luminance(&format!("biome-{biome}")), luminance(behind)];
            let contrast = one.max(other) / one.min(other);
            assert!(contrast >= CONTRAST_MIN, "{scheme}: {biome} on {behind} has a contrast of {contrast:.2}");
        }
    }
}

/// Pairs of Sharma, Wu and Dalal, "The CIEDE2000 color-difference formula" (2005), table 1.
#[test]
fn differences_are_those_of_the_paper() {
    for (one, other, expected) in [
        ([50.0, 2.6772, -79.7751], [50.0, 0.0, -82.7485], 2.0425),
        ([50.0, -1.0, 2.0], [50.0, 0.0, 0.0], 2.3669),
        ([50.0, 2.49, -0.001], [50.0, -2.49, 0.0011], 7.2195),
        ([50.0, 2.5, 0.0], [73.0, 25.0, -18.0], 27.1492),
        ([60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644),
        ([90.9257, -0.5406, -0.9208], [88.6381, -0.8985, -0.7239], 1.5381),
        ([2.0776, 0.0795, -1.135], [0.9033, -0.0636, -0.5514], 0.9082),
    ] {
        let difference = ciede2000(one, other);
        assert!((difference - expected).abs() < 0.0001, "{one:?}, {other:?}: {difference}");
    }
}

/// Returns the names of both schemes, and the styles from their values on.
fn schemes() -> [(&'static str, &'static str); 2] {
    let (_, dark) = STYLES.split_once("(prefers-color-scheme: dark)").expect("a dark scheme");
    [("light", STYLES), ("dark", dark)]
}

/// Returns the first value of a variable.
fn colour(styles: &str, name: &str) -> Light {
    let (_, value) = styles.split_once(&format!("--{name}: #")).expect(name);
    array::from_fn(|part| {
        let byte = u8::from_str_radix(&value[2 * part..2 * part + 2], 16).expect(name);
        let encoded = f64::from(byte) / 255.0;
        if encoded <= 0.04045 { encoded / 12.92 } else { ((encoded + 0.055) / 1.055).powf(2.4) }
    })
}

fn product(matrix: Matrix, light: Light) -> Light {
    matrix.map(|row| row.iter().zip(light).map(|(factor, part)| factor * part).sum())
}

/// Returns the colour in CIELAB.
fn lab(light: Light) -> Light {
    let white = product(TO_XYZ, [1.0; 3]);
    let xyz = product(TO_XYZ, light);
    let [x, y, z] = array::from_fn(|part| {
        let share = xyz[part] / white[part];
        if share > 216.0 / 24389.0 { share.cbrt() } else { (24389.0 / 27.0 * share + 16.0) / 116.0 }
    });
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

/// Returns the difference of two colours in CIELAB.
#[expect(clippy::many_single_char_names, reason = "the names are those of the paper")]
fn ciede2000([l1, a1, b1]: Light, [l2, a2, b2]: Light) -> f64 {
    let share = |c: f64| (c.powi(7) / (c.powi(7) + 25f64.powi(7))).sqrt();
    let g = 0.5 * (1.0 - share(f64::midpoint(a1.hypot(b1), a2.hypot(b2))));
    let [a1, a2] = [a1 * (1.0 + g), a2 * (1.0 + g)];
    let [c1, c2] = [a1.hypot(b1), a2.hypot(b2)];
    let [h1, h2] = [b1.atan2(a1), b2.atan2(a2)].map(|angle| angle.to_degrees().rem_euclid(360.0));
    let turn = if c1 * c2 == 0.0 { 0.0 } else { (h2 - h1 + 180.0).rem_euclid(360.0) - 180.0 };
    let [dl, dc] = [l2 - l1, c2 - c1];
    let dh = 2.0 * (c1 * c2).sqrt() * (turn / 2.0).to_radians().sin();
    let [l, c] = [f64::midpoint(l1, l2), f64::midpoint(c1, c2)];
    let h = if c1 * c2 == 0.0 { h1 + h2 } else { (h1 + turn / 2.0).rem_euclid(360.0) };
    let cos = |angle: f64| angle.to_radians().cos();
    let t = 1.0 - 0.17 * cos(h - 30.0) + 0.24 * cos(2.0 * h) + 0.32 * cos(3.0 * h + 6.0) - 0.2 * cos(4.0 * h - 63.0);
    let theta = 30.0 * (-((h - 275.0) / 25.0).powi(2)).exp();
    let r = -2.0 * share(c) * (2.0 * theta).to_radians().sin();
    let squared = (l - 50.0).powi(2);
    let l = dl / (1.0 + 0.015 * squared / (20.0 + squared).sqrt());
    let c = [dc / (1.0 + 0.045 * c), dh / (1.0 + 0.015 * c * t)];
    (l * l + c[0] * c[0] + c[1] * c[1] + r * c[0] * c[1]).sqrt()
}
