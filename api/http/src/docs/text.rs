//! Operations and schemas, described by texts.
//!
//! `# get /things/{id} get_thing things` begins an operation: its method, path, name and tag. Its
//! summary and its description follow, then its items:
//!
//! * `- path id text = X12: The identifier.` is a parameter with an example; `query?` or `header?`
//!   begins one that may be missing.
//! * `- body Thing` is the body.
//! * `- 200 text/csv text: The things.` is an answer. Bodies and answers without a media type are
//!   in JSON. Several contents are separated by ` | `.
//! * `- 200 header Link text: The next page.` is a header of an answer.
//! * `- @things` stands for the items of `# things`, which must be defined before.
//!
//! `# schema Thing` begins a schema, with an item for each member: `- id text: The identifier.`, or
//! `- id? text` if it may be missing. Schemas are `text`, the name of another schema, a name in
//! brackets for a list, or JSON. A schema ends at the first colon that is followed by a space, so
//! JSON has `\u0020` in place of such a space.

use std::collections::HashMap;

use serde_json::{Value, json};

/// Adds the schemas of a text, and its operations at their paths below a prefix, to a description.
pub(super) fn add(description: &mut Value, prefix: &str, text: &str) {
    let mut groups: HashMap<&str, Vec<String>> = HashMap::new();
    for block in text.trim_start_matches("# ").split("\n# ") {
        let mut parts = block.split("\n- ");
        let (heading, prose) = parts.next().and_then(|head| head.split_once('\n')).unwrap_or((block, ""));
        let items = parts.flat_map(|item| match item.trim().strip_prefix('@') {
            Some(name) => groups.get(name).expect("a group is defined before it is used").clone(),
            None => vec![item.lines().map(str::trim).collect::<Vec<_>>().join(" ").trim().to_owned()],
        });
        let items: Vec<String> = items.collect();
        match heading.splitn(4, ' ').collect::<Vec<_>>()[..] {
            ["schema", name] => description["components"]["schemas"][name] = object(prose.trim(), &items),
            [method, path, id, tag] => {
                let mut operation = operation(prose.trim(), &items);
                operation["operationId"] = id.into();
                operation["tags"] = json!([tag]);
                description["paths"][format!("{prefix}{path}")][method] = operation;
            }
            [name] => drop(groups.insert(name, items)),
            _ => panic!("no group, schema or operation: {heading}"),
        }
    }
}

fn operation(prose: &str, items: &[String]) -> Value {
    let (summary, description) = prose.split_once("\n\n").unwrap_or((prose, ""));
    let (mut operation, mut parameters) = (json!({"summary": summary, "responses": {}}), Vec::new());
    if !description.is_empty() {
        operation["description"] = description.into();
    }
    for item in items {
        let (item, text) = item.split_once(": ").unwrap_or((item, ""));
        let (place, rest) = item.split_once(' ').unwrap_or((item, ""));
        match place {
            "path" | "query" | "query?" | "header" | "header?" => {
                let (name, of) = rest.split_once(' ').expect("a parameter has a schema");
                let mut parameter = described(of, text);
                parameter["name"] = name.into();
                parameter["in"] = place.trim_end_matches('?').into();
                parameter["required"] = (!place.ends_with('?')).into();
                parameters.push(parameter);
            }
            "body" => {
                operation["requestBody"]["required"] = true.into();
                add_contents(&mut operation["requestBody"], rest, text);
            }
            status => add_contents(&mut operation["responses"][status], rest, text),
        }
    }
    if !parameters.is_empty() {
        operation["parameters"] = parameters.into();
    }
    operation
}

/// Adds contents, or a header, to an answer or a body.
fn add_contents(target: &mut Value, item: &str, text: &str) {
    if let Some((name, of)) = item.strip_prefix("header ").and_then(|header| header.split_once(' ')) {
        target["headers"][name] = described(of, text);
        return;
    }
    if !text.is_empty() {
        target["description"] = text.into();
    }
    for content in item.split(" | ").filter(|content| !content.is_empty()) {
        let (first, of) = content.split_once(' ').unwrap_or((content, ""));
        let (media_type, of) = if first.contains('/') { (first, of) } else { ("application/json", content) };
        target["content"][media_type] = described(of, "");
    }
}

fn object(prose: &str, items: &[String]) -> Value {
    let mut object = json!({"type": "object", "description": prose});
    let mut required = Vec::new();
    for item in items {
        let (item, text) = item.split_once(": ").unwrap_or((item, ""));
        let (name, of) = item.split_once(' ').expect("a member has a schema");
        let mut described = described(of, text);
        let mut member = described["schema"].take();
        for key in ["description", "example"] {
            if let Some(value) = described.get_mut(key) {
                member[key] = value.take();
            }
        }
        object["properties"][name.trim_end_matches('?')] = member;
        required.extend(Some(name).filter(|name| !name.ends_with('?')));
    }
    if !required.is_empty() {
        object["required"] = json!(required);
    }
    object
}

/// Returns a schema with its example, which is JSON or a text, and its description.
fn described(of: &str, text: &str) -> Value {
    let (of, example) = of.split_once(" = ").map_or((of, None), |(of, example)| (of, Some(example)));
    let mut described = json!({ "schema": schema(of) });
    if let Some(example) = example {
        described["example"] = serde_json::from_str(example).unwrap_or_else(|_| example.into());
    }
    if !text.is_empty() {
        described["description"] = text.into();
    }
    described
}

fn schema(text: &str) -> Value {
    match text.strip_prefix('[').and_then(|text| text.strip_suffix(']')) {
        Some(items) => json!({"type": "array", "items": schema(items)}),
        None if text == "text" => json!({"type": "string"}),
        None if text.starts_with('{') => serde_json::from_str(text).expect("a schema is JSON"),
        None => json!({"$ref": format!("#/components/schemas/{text}")}),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_become_descriptions() {
        let text = "# gone\n\n- 404 Error: Nothing.\n\n# get /x/{id} get_x some things\n\nGet it\n\nAll of\nit.\n\n- path id text = 5: Its\n  id.\n\
                    - 200 [X] | text/csv text: It.\n- @gone\n\n# schema X\n\nIt.\n\n- a text: One.\n- b? {\"type\":\"integer\"}";
        let mut description = json!({});
        add(&mut description, "/v1", text);
        let operation = json!({
            "summary": "Get it", "description": "All of\nit.", "operationId": "get_x", "tags": ["some things"],
            "parameters": [{"name": "id", "in": "path", "required": true, "description": "Its id.", "schema": {"type": "string"}, "example": 5}],
            "responses": {
                "200": {"description": "It.", "content": {
                    "application/json": {"schema": {"type": "array", "items": {"$ref": "#/components/schemas/X"}}}, "text/csv": {"schema": {"type": "string"}},
                }},
                "404": {"description": "Nothing.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}},
            },
        });
        assert_eq!(description["paths"]["/v1/x/{id}"]["get"], operation);
        let properties = json!({"a": {"type": "string", "description": "One."}, "b": {"type": "integer"}});
        let schema = json!({"type": "object", "description": "It.", "properties": properties, "required": ["a"]});
        assert_eq!(description["components"]["schemas"]["X"], schema);
    }
}
