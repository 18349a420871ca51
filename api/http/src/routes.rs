//! Tables of routes.

/// A route of a service: a pattern for paths below the prefix of the service, and its target.
#[derive(Debug)]
pub struct Route<T> {
    /// A pattern such as `/proteins/{accession}.fasta`: a name in braces stands for a segment, one
    /// with an asterisk for all remaining segments.
    pattern: &'static str,
    /// The route in measurements.
    pub label: &'static str,
    /// The target.
    pub target: T,
}

impl<T> Route<T> {
    /// Makes a route with its label in measurements.
    pub const fn new(pattern: &'static str, label: &'static str, target: T) -> Self {
        Self { pattern, label, target }
    }

    /// Returns whether the segments of a path match. The segments of names may be empty.
    pub fn matches(&self, segments: &[impl AsRef<str>]) -> bool {
        let mut segments = segments.iter().map(AsRef::as_ref);
        for part in self.pattern.split('/').skip(1) {
            let Some(segment) = segments.next() else { return false };
            let is_match = match part.strip_prefix('{').and_then(|name| name.split_once('}')) {
                Some((name, _)) if name.starts_with('*') => return true,
                Some((_, suffix)) => segment.ends_with(suffix),
                None => segment == part,
            };
            if !is_match {
                return false;
            }
        }
        segments.next().is_none()
    }
}

/// Returns the first route that the segments of a path match.
pub fn find<'a, T>(routes: &'a [Route<T>], segments: &[impl AsRef<str>]) -> Option<&'a Route<T>> {
    let is_whole = segments.iter().all(|segment| !segment.as_ref().is_empty());
    routes.iter().find(|route| is_whole && route.matches(segments))
}
