//! The query of a request.

use std::borrow::Cow;

/// The parameter for conditions. If it is repeated, all conditions must be met.
pub const WHERE: &str = "where";

/// The parameter for the resource after which a stream continues.
pub(crate) const AFTER: &str = "after";

/// The decoded parameters of a request, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Query {
    pairs: Vec<(String, String)>,
    /// The number of parameters at the front that are from the body.
    num_of_body: usize,
}

impl Query {
    pub(crate) fn parse(text: &str) -> Self {
        let owned = |(name, value): (Cow<'_, str>, Cow<'_, str>)| (name.into_owned(), value.into_owned());
        Self { pairs: form_urlencoded::parse(text.as_bytes()).map(owned).collect(), num_of_body: 0 }
    }

    /// Adds the parameters of a body. Those of the URI take precedence.
    pub(crate) fn with_body(mut self, pairs: Vec<(String, String)>) -> Self {
        self.num_of_body = pairs.len();
        self.pairs.splice(0..0, pairs);
        self
    }

    /// Returns the query without some parameters.
    pub(crate) fn without(&self, is_left_out: impl Fn(&str) -> bool) -> Self {
        let pairs = self.pairs.iter().filter(|(name, _)| !is_left_out(name)).cloned().collect();
        Self { pairs, num_of_body: 0 }
    }

    /// Returns the value of a parameter; the last one if it is repeated.
    pub(crate) fn last(&self, name: &str) -> Option<&str> {
        self.pairs.iter().rev().find(|(given, _)| given == name).map(|(_, value)| value.as_str())
    }

    /// Returns the value of a parameter, or `None` if it is empty.
    pub(crate) fn filled(&self, name: &str) -> Option<&str> {
        self.last(name).filter(|value| !value.is_empty())
    }

    /// Returns the values of the filter `x`, or of `filter[x]` if there is no `x`.
    pub(crate) fn filter<'a>(&'a self, name: &str) -> Vec<&'a str> {
        self.named_filter(name).into_iter().map(|(_, value)| value).collect()
    }

    /// Returns the values of a filter, each with the name that the request uses.
    pub(crate) fn named_filter<'a>(&'a self, name: &str) -> Vec<(&'a str, &'a str)> {
        let named = |wanted: fn(&str) -> Option<Cow<'_, str>>| {
            self.pairs().filter(|(given, _)| wanted(given).as_deref() == Some(name)).collect::<Vec<_>>()
        };
        let old = named(|given| Some(Cow::Borrowed(given)));
        if old.is_empty() { named(bracketed) } else { old }
    }

    /// Returns the parameters of the URI, which links to other pages have.
    pub(crate) fn pairs_of_uri(&self) -> impl Iterator<Item = (&str, &str)> {
        self.pairs().skip(self.num_of_body)
    }

    pub(crate) fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.pairs.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

/// Returns the name of a filter in the form that JSON:API recommends: `study_accession` for
/// `filter[study-accession]`.
pub(crate) fn bracketed(parameter: &str) -> Option<Cow<'_, str>> {
    let name = parameter.strip_prefix("filter[")?.strip_suffix(']')?;
    Some(if name.contains('-') { Cow::Owned(name.replace('-', "_")) } else { Cow::Borrowed(name) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_have_two_names_and_the_plain_one_wins() {
        for (query, expected) in [
            ("", &[][..]),
            ("biome_name=a&biome_name=b", &["a", "b"]),
            ("filter[biome_name]=a&filter%5Bbiome-name%5D=b", &["a", "b"]),
            ("filter[biome_name]=a&biome_name=", &[""]),
            ("filter[biome_names]=a&filter[biome_name=b&xfilter[biome_name]=c", &[]),
        ] {
            assert_eq!(Query::parse(query).filter("biome_name"), expected, "{query}");
        }
    }

    #[test]
    fn parameters_of_the_uri_win_over_those_of_the_body() {
        let query = Query::parse("page=2").with_body(vec![("page".to_owned(), "1".to_owned())]);
        assert_eq!((query.last("page"), query.pairs().count(), query.pairs_of_uri().count()), (Some("2"), 2, 1));
    }
}
