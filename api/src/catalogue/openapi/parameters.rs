//! The parameters in the description.

use serde_json::Value;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{Required, Schema};

use super::super::collection::Collection;
use super::super::filters::FilterKind;
use super::super::paging::{PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX};

/// Returns a parameter of the path.
pub(super) fn path_parameter(name: &str, description: &str, example: &str) -> Parameter {
    ParameterBuilder::new()
        .name(name)
        .parameter_in(ParameterIn::Path)
        .required(Required::True)
        .description(Some(description))
        .schema(Some(ObjectBuilder::new().schema_type(Type::String)))
        .example(Some(Value::from(example)))
        .build()
}

/// Returns the parameters of reading: format, sparse fields, what can be included and, for a list, its pages.
pub(super) fn reading_parameters(is_list: bool, includes: &[&str]) -> Vec<Parameter> {
    let mut parameters = Vec::new();
    if is_list {
        let number = || ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(1));
        parameters.push(query("page", "The number of the page, 1-based, or `last`.", number()));
        let size = number().maximum(Some(PAGE_SIZE_MAX)).default(Some(PAGE_SIZE_DEFAULT.into()));
        parameters.push(query("page_size", "How many resources a page has; more than the maximum is cut to it.", size));
    }
    parameters.push(formats(true));
    let text = || ObjectBuilder::new().schema_type(Type::String);
    if !includes.is_empty() {
        let description = format!("Relationships whose members come along, separated by commas: {}.", code(includes));
        parameters.push(query("include", &description, text()));
    }
    let description = "Attributes and relationships that are wanted, with underscores, separated by commas. `fields[studies]=…` is for \
        one type and keeps links.";
    parameters.push(query("fields", description, text()));
    parameters
}

/// Returns the parameters that choose the resources of a collection and order them.
pub(super) fn selecting_parameters(collection: &Collection) -> Vec<Parameter> {
    let mut parameters = Vec::new();
    if !collection.orders.is_empty() {
        let description = format!(
            "Names to order by, separated by commas, a dash before one that falls: {}.",
            code(collection.orders)
        );
        parameters.push(query("ordering", &description, ObjectBuilder::new().schema_type(Type::String)));
    }
    parameters.extend(collection.filters.iter().map(|filter| {
        let is_number = matches!(
            filter.kind,
            FilterKind::CoordinateMin(_)
                | FilterKind::CoordinateMax(_)
                | FilterKind::MetadataMin(_)
                | FilterKind::MetadataMax(_)
        );
        let schema = ObjectBuilder::new().schema_type(if is_number { Type::Number } else { Type::String });
        query(filter.name, filter.description, schema)
    }));
    parameters
}

/// Returns the parameter for the format.
pub(super) fn formats(is_streamed: bool) -> Parameter {
    let (names, description): (&[&str], _) = if is_streamed {
        (&["json", "api", "csv", "ndjson"], "The format; it wins over `Accept`. `api` is JSON too. Links keep it.")
    } else {
        (&["json", "api"], "The format; both are JSON. Links keep it.")
    };
    query(
        "format",
        description,
        ObjectBuilder::new().schema_type(Type::String).enum_values(Some(names.iter().copied())),
    )
}

/// Returns a parameter of the query.
fn query(name: &str, description: &str, schema: ObjectBuilder) -> Parameter {
    ParameterBuilder::new()
        .name(name)
        .parameter_in(ParameterIn::Query)
        .required(Required::False)
        .description(Some(description))
        .schema(Some(Schema::from(schema)))
        .build()
}

/// Returns names as code, separated by commas.
fn code(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
