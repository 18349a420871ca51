//! Addresses: path segments, and queries without empty fields.

use api_http::posted::Given;

/// The prefix of parameters whose values are alternatives. Other parameters of the API must all
/// match.
pub(crate) const ANY: &str = "any_";

pub(crate) fn segment(text: &str) -> String {
    // A plus stands for a space only in queries.
    encoded(text).replace('+', "%20")
}

pub(crate) fn encoded(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

/// Returns a text in quotes, as a name or a value in a query.
pub(crate) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Returns a name for a query, in quotes if it has other characters than letters, digits and
/// underscores.
pub(crate) fn quoted_name(name: &str) -> String {
    let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if is_plain { name.to_owned() } else { quoted(name) }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pairs(Vec<(String, String)>);

impl Pairs {
    pub(crate) fn parse(query: &str) -> Self {
        Self(form_urlencoded::parse(query.as_bytes()).into_owned().collect())
    }

    /// Returns the fields of a form, with one text per value.
    pub(crate) fn of_members(members: Vec<(String, Given)>) -> Self {
        let text = |given: Given| given.into_texts().and_then(|mut texts| texts.pop()).unwrap_or_default();
        Self(members.into_iter().map(|(name, given)| (name, text(given))).collect())
    }

    /// Returns the parameters without empty ones and those in `dropped`, and with the values of the
    /// parameter `list` joined by commas.
    pub(crate) fn tidied(&self, list: &str, dropped: &[&str]) -> Self {
        let mut kept: Vec<(String, String)> = Vec::new();
        for (name, value) in &self.0 {
            let value = value.trim();
            if value.is_empty() || dropped.contains(&&**name) {
                continue;
            }
            match kept.iter_mut().find(|(before, _)| before == name && name == list) {
                Some((_, values)) => values.extend([",", value]),
                None => kept.push((name.clone(), value.to_owned())),
            }
        }
        Self(kept)
    }

    /// Returns the first value of a parameter, or an empty text.
    pub(crate) fn value(&self, name: &str) -> &str {
        self.values(name).next().unwrap_or_default()
    }

    /// Returns all values of a parameter.
    pub(crate) fn values(&self, name: &str) -> impl Iterator<Item = &str> {
        self.iter().filter(move |(given, _)| *given == name).map(|(_, value)| value)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    pub(crate) fn without(&self, names: &[&str]) -> Self {
        self.filtered(|name| !names.contains(&name))
    }

    /// Returns the parameters with wanted names.
    pub(crate) fn filtered(&self, is_wanted: impl Fn(&str) -> bool) -> Self {
        Self(self.0.iter().filter(|(name, _)| is_wanted(name)).cloned().collect())
    }

    /// Returns the parameters with wanted places and names, and the others.
    pub(crate) fn split(&self, is_wanted: impl Fn(usize, &str) -> bool) -> (Self, Self) {
        let (mut wanted, mut others) = (Self::default(), Self::default());
        for (place, (name, value)) in self.0.iter().enumerate() {
            let part = if is_wanted(place, name) { &mut wanted } else { &mut others };
            part.0.push((name.clone(), value.clone()));
        }
        (wanted, others)
    }

    /// Returns the parameters with another one at the end.
    pub(crate) fn and(mut self, name: &str, value: &str) -> Self {
        self.0.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Returns the parameters with a new value of one of them, at the end.
    pub(crate) fn with(&self, name: &str, value: &str) -> Self {
        self.without(&[name]).and(name, value)
    }

    /// Returns a question mark and the query, or an empty text without parameters.
    pub(crate) fn to_query(&self) -> String {
        if self.0.is_empty() {
            return String::new();
        }
        form_urlencoded::Serializer::for_suffix("?".to_owned(), 1).extend_pairs(&self.0).finish()
    }
}

impl From<Pairs> for Vec<(String, String)> {
    fn from(pairs: Pairs) -> Self {
        pairs.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_fields_are_removed() {
        for (given, expected) in [
            ("", ""),
            ("q=&biome=+&pfam=PF00005&min_length=", "?pfam=PF00005"),
            ("pfam=+5+&fields=accession&fields=pfam", "?pfam=5&fields=accession%2Cpfam"),
            ("q=a&format=tsv&after=MGYP000000000012", "?q=a&after=MGYP000000000012"),
        ] {
            assert_eq!(Pairs::parse(given).tidied("fields", &["format"]).to_query(), expected, "{given}");
        }
    }

    #[test]
    fn with_replaces_one_parameter() {
        let pairs = Pairs::parse("a=1&page=2&b=x y");
        assert_eq!(pairs.with("page", "3").to_query(), "?a=1&b=x+y&page=3");
        assert_eq!((pairs.value("b"), pairs.value("c")), ("x y", ""));
        assert_eq!(segment("a b/c:d"), "a%20b%2Fc%3Ad");
    }
}
