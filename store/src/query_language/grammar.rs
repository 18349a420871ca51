//! What the fields of a query are, and what becomes of their values.

use std::borrow::Cow;

use super::fault::QueryFault;
use super::lexer::Bound;
use super::place::QueryPlace;

/// Tells what queries are about.
pub trait Grammar {
    /// The result of parsing a query.
    type Query;

    /// A field, as its name in front of a colon says.
    type Field: Clone;

    /// An example of a condition, such as `pfam:PF00005`.
    const EXAMPLE: &'static str;

    /// Whether values can have units in brackets behind them.
    const HAS_UNITS: bool;

    /// Returns the field with a name.
    fn field(&self, name: &str) -> Option<Self::Field>;

    /// Returns the fault of a name that no field has.
    fn unknown(&self, name: &str, place: QueryPlace<'_>) -> QueryFault;

    /// Returns what is understood as a value of a field.
    fn understood(&self, field: &Self::Field) -> Cow<'_, str>;

    /// Tells whether conditions in parentheses behind a field are a text of another grammar, which is given as it stands.
    fn embeds(&self, field: &Self::Field) -> bool {
        let _ = field;
        false
    }

    /// Returns the condition that a field has a value.
    ///
    /// # Errors
    ///
    /// * The faults of the value.
    fn condition(
        &self,
        field: &Self::Field,
        value: QueryValue,
        place: QueryPlace<'_>,
    ) -> Result<Self::Query, Vec<QueryFault>>;

    /// Returns the query that everything satisfies.
    fn everything(&self) -> Self::Query;

    /// Returns the query that all of these, two or more, are satisfied.
    fn all(&self, parts: Vec<Self::Query>) -> Self::Query;

    /// Returns the query that any of these, two or more, is satisfied.
    fn any(&self, parts: Vec<Self::Query>) -> Self::Query;

    /// Returns the query that this is not satisfied.
    fn not(&self, part: Self::Query) -> Self::Query;

    /// Returns the number of terms that a query looks up at most.
    fn num_terms(&self, query: &Self::Query) -> usize;
}

/// The value of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QueryValue {
    /// A text, without quotation marks and backslashes.
    Text {
        /// The text.
        text: String,
        /// The unit behind it.
        unit: Option<String>,
    },
    /// All from one bound to another.
    Range {
        /// `None` if there is no lower bound.
        low: Option<Bound>,
        /// `None` if there is no upper bound.
        high: Option<Bound>,
        /// The unit behind it.
        unit: Option<String>,
    },
    /// Conditions of another grammar. They are at the place of the value.
    Embedded,
}
