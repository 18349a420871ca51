//! Areas on earth.

/// The mean radius of the earth in kilometres.
const RADIUS_KM: f64 = 6371.0088;

/// Half a millimetre: more than the rounding of distances.
const ROUNDED_KM: f64 = 5e-7;

/// An area on earth, in degrees north and east. A pole has all longitudes, and 180 and -180 are the
/// same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Area {
    /// From south to north and from west to east, all inclusive. A box whose west is greater than
    /// its east crosses the meridian of 180 degrees.
    Box {
        /// The least latitude.
        south: f64,
        /// The greatest latitude.
        north: f64,
        /// The western longitude.
        west: f64,
        /// The eastern longitude.
        east: f64,
    },
    /// All points within a distance from a point, on a sphere.
    Circle {
        /// The latitude of the point.
        latitude: f64,
        /// The longitude of the point.
        longitude: f64,
        /// The distance in kilometres.
        km: f64,
    },
}

impl Area {
    /// Returns whether a point is within the area. A point without one of its coordinates, which
    /// then is NaN, is outside. So is a point beyond the poles or the date line: data have such
    /// coordinates.
    pub(crate) fn contains(self, latitude: f64, longitude: f64) -> bool {
        let is_on_earth = latitude.abs() <= 90.0 && longitude.abs() <= 180.0;
        is_on_earth && self.has_place(latitude, longitude)
    }

    fn has_place(self, latitude: f64, longitude: f64) -> bool {
        match self {
            Self::Box { south, north, west, east } => {
                let is_between = |longitude: f64| {
                    if west <= east {
                        (west..=east).contains(&longitude)
                    } else {
                        longitude >= west || longitude <= east
                    }
                };
                let is_at = |degrees: f64, limit: f64| (degrees.abs() - limit).abs() == 0.0;
                let has_longitude =
                    is_between(longitude) || is_at(longitude, 180.0) && is_between(-longitude) || is_at(latitude, 90.0);
                has_longitude && (south..=north).contains(&latitude)
            }
            Self::Circle { latitude: of_latitude, longitude: of_longitude, km } => {
                // Most points are too far to the north or to the south.
                let is_near = (latitude - of_latitude).abs().to_radians() * RADIUS_KM <= km + ROUNDED_KM;
                is_near && distance_km((latitude, longitude), (of_latitude, of_longitude)) <= km
            }
        }
    }
}

/// Returns the distance between two points on a sphere, by the haversine formula.
fn distance_km((latitude, longitude): (f64, f64), (of_latitude, of_longitude): (f64, f64)) -> f64 {
    let squared_sine = |degrees: f64| (degrees.to_radians() / 2.0).sin().powi(2);
    let cosines = latitude.to_radians().cos() * of_latitude.to_radians().cos();
    let haversine = squared_sine(latitude - of_latitude) + cosines * squared_sine(longitude - of_longitude);
    // `min` would turn NaN into a number.
    2.0 * RADIUS_KM * if haversine > 1.0 { 1.0 } else { haversine }.sqrt().asin()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(west: f64, south: f64, east: f64, north: f64) -> Area {
        Area::Box { south, north, west, east }
    }

    fn around(latitude: f64, longitude: f64, km: f64) -> Area {
        Area::Circle { latitude, longitude, km }
    }

    #[test]
    fn boxes_have_their_edges_and_may_cross_the_date_line() {
        for (area, latitude, longitude, expected) in [
            (of(-10.0, 0.0, 10.0, 5.0), 0.0, -10.0, true),
            (of(-10.0, 0.0, 10.0, 5.0), 5.0, 10.0, true),
            (of(-10.0, 0.0, 10.0, 5.0), 5.1, 0.0, false),
            (of(-10.0, 0.0, 10.0, 5.0), 1.0, 10.1, false),
            (of(170.0, -5.0, -170.0, 5.0), 0.0, 175.0, true),
            (of(170.0, -5.0, -170.0, 5.0), 0.0, -175.0, true),
            (of(170.0, -5.0, -170.0, 5.0), 0.0, 0.0, false),
            (of(170.0, -5.0, 180.0, 5.0), 0.0, -180.0, true),
            (of(-180.0, -5.0, -170.0, 5.0), 0.0, 180.0, true),
            (of(-180.0, -5.0, -170.0, 5.0), 0.0, 179.0, false),
            (of(0.0, 80.0, 10.0, 90.0), 90.0, 120.0, true),
            (of(0.0, 80.0, 10.0, 89.0), 90.0, 5.0, false),
            (of(-180.0, -90.0, 180.0, 90.0), f64::NAN, 0.0, false),
            (of(-180.0, -90.0, 180.0, 90.0), 90.0, f64::NAN, false),
            (of(180.0, -90.0, -180.0, 90.0), 0.0, f64::NAN, false),
        ] {
            assert_eq!(area.contains(latitude, longitude), expected, "{area:?} {latitude} {longitude}");
        }
    }

    #[test]
    fn distances_are_measured_on_a_sphere() {
        let whole = std::f64::consts::PI * RADIUS_KM;
        for (from, to, expected) in [
            ((0.0, 0.0), (0.0, 90.0), whole / 2.0),
            ((0.0, 0.0), (0.0, 180.0), whole),
            ((90.0, 0.0), (-90.0, 77.0), whole),
            ((90.0, 10.0), (90.0, -100.0), 0.0),
            ((0.0, 179.0), (0.0, -179.0), whole / 90.0),
            ((-33.0, 151.0), (-33.0, 151.0), 0.0),
            // London and Paris.
            ((51.5074, -0.1278), (48.8566, 2.3522), 343.556),
        ] {
            assert!((distance_km(from, to) - expected).abs() < 1e-3, "{from:?} {to:?}: {}", distance_km(from, to));
        }
    }

    #[test]
    fn circles_may_cross_poles_and_the_date_line() {
        assert!(around(89.0, 0.0, 250.0).contains(89.0, 180.0));
        assert!(!around(89.0, 0.0, 200.0).contains(89.0, 180.0));
        assert!(around(0.0, 179.9, 30.0).contains(0.0, -179.9));
        assert!(around(10.0, 10.0, 1e300).contains(-10.0, -170.0));
        assert!(!around(0.0, 0.0, 1e300).contains(f64::NAN, 0.0));
        assert!(!around(0.0, 0.0, 1e300).contains(0.0, f64::NAN));
        assert!(!around(0.0, 0.0, 1e300).contains(156.2, 0.0));
        assert!(!around(0.0, 179.0, 1e300).contains(0.0, 181.0));
        assert!(!of(170.0, -90.0, -170.0, 90.0).contains(0.0, 181.0));
        assert!(!of(170.0, -90.0, -170.0, 90.0).contains(0.0, -200.5));
    }
}
