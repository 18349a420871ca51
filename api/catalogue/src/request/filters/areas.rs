//! Areas on earth in filters.

use store_catalogue::{Area, parse_number};

use crate::problem::CatalogueProblem;

/// Reads a box: west, south, east and north in degrees, such as `10,-5.5,20,0`. If west is greater
/// than east, the box crosses the date line.
pub(super) fn bounding_box(parameter: &'static str, value: &str) -> Result<Area, CatalogueProblem> {
    let refuse = |detail: &str| Err(CatalogueProblem::refused(parameter, detail));
    let Some([west, south, east, north]) = numbers(value) else {
        return refuse("Enter four numbers, west,south,east,north, in degrees.");
    };
    if !are_latitudes(&[south, north]) || !are_longitudes(&[west, east]) {
        return refuse("Latitudes must be from -90 to 90 degrees, longitudes from -180 to 180: west,south,east,north.");
    }
    if south > north {
        return refuse("The south of a box must not be greater than its north: west,south,east,north.");
    }
    Ok(Area::Box { south, north, west, east })
}

/// Reads a point and a distance from it in kilometres: latitude, longitude and distance, such as
/// `52.5,13.4,100`.
pub(super) fn near(parameter: &'static str, value: &str) -> Result<Area, CatalogueProblem> {
    let refuse = |detail: &str| Err(CatalogueProblem::refused(parameter, detail));
    let Some([latitude, longitude, km]) = numbers(value) else {
        return refuse("Enter three numbers, latitude,longitude,km.");
    };
    if !are_latitudes(&[latitude]) || !are_longitudes(&[longitude]) {
        return refuse(
            "The latitude must be from -90 to 90 degrees, the longitude from -180 to 180: latitude,longitude,km.",
        );
    }
    if km <= 0.0 {
        return refuse("The distance in kilometres must be above 0: latitude,longitude,km.");
    }
    Ok(Area::Circle { latitude, longitude, km })
}

fn are_latitudes(degrees: &[f64]) -> bool {
    degrees.iter().all(|degrees| degrees.abs() <= 90.0)
}

fn are_longitudes(degrees: &[f64]) -> bool {
    degrees.iter().all(|degrees| degrees.abs() <= 180.0)
}

/// Reads finite numbers, separated by commas.
fn numbers<const N: usize>(text: &str) -> Option<[f64; N]> {
    let numbers: Vec<f64> = text.split(',').take(N + 1).map(parse_number).collect::<Option<_>>()?;
    numbers.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_are_read_and_checked() {
        let expected = Area::Box { south: -5.5, north: 0.0, west: 10.0, east: 20.0 };
        assert_eq!(bounding_box("bbox", " 10, -5.5,20,0").unwrap(), expected);
        assert!(bounding_box("bbox", "170,-90,-170,90").is_ok());
        let circle = Area::Circle { latitude: 52.5, longitude: -180.0, km: 0.1 };
        assert_eq!(near("near", "52.5,-180,.1").unwrap(), circle);
        for (text, part) in [
            ("", "four numbers"),
            ("1,2,3", "four numbers"),
            ("1,2,3,4,5", "four numbers"),
            ("1,2,3,x", "four numbers"),
            ("1,2,3,NaN", "four numbers"),
            ("1,2,3,1e999", "four numbers"),
            ("0,-91,0,0", "from -90"),
            ("0,0,180.1,0", "from -90"),
            ("0,5,1,4", "south"),
        ] {
            let Err(CatalogueProblem::Parameter { detail, .. }) = bounding_box("bbox", text) else { panic!("{text}") };
            assert!(detail.contains(part), "{text}: {detail}");
        }
        for (text, part) in [
            ("1,2", "three numbers"),
            ("1,2,inf", "three numbers"),
            ("91,0,1", "from -90"),
            ("0,-181,1", "from -90"),
            ("0,0,0", "above 0"),
            ("0,0,-1", "above 0"),
        ] {
            let Err(CatalogueProblem::Parameter { detail, .. }) = near("near", text) else { panic!("{text}") };
            assert!(detail.contains(part), "{text}: {detail}");
        }
    }
}
