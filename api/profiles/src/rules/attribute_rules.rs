//! Rules for all keys and values of attributes, regardless of the schema. Errors are sentences for
//! the client.

use api_http::error::shown;
use api_http::posted::Given;
use store_profiles::Attributes;

use crate::services::ProfileConfig;

pub(crate) fn check_key(key: &str, config: &ProfileConfig) -> Result<(), String> {
    let max = config.key_chars_max;
    if key.is_empty() {
        return Err("The key of an attribute is empty.".to_owned());
    }
    // The message does not repeat such a key.
    if key.chars().count() > max {
        return Err(format!("The key of an attribute has more than {max} characters."));
    }
    if !Attributes::is_plain_key(key) {
        return Err(format!("The key {:?} has control characters.", shown(key)));
    }
    Ok(())
}

pub(crate) fn check_value(key: &str, value: &str, config: &ProfileConfig) -> Result<(), String> {
    let max = config.value_chars_max;
    if value.chars().count() > max {
        return Err(format!("The value of {:?} has more than {max} characters.", shown(key)));
    }
    if !Attributes::is_plain_value(value) {
        return Err(format!("The value of {:?} has control characters.", shown(key)));
    }
    Ok(())
}

pub(crate) fn too_many(config: &ProfileConfig) -> String {
    format!("There are more than {} attributes.", config.attributes_max)
}

pub(crate) fn check_keys(members: &[(String, Given)], config: &ProfileConfig) -> Result<(), String> {
    if members.len() > config.attributes_max {
        return Err(too_many(config));
    }
    members.iter().try_for_each(|(key, _)| check_key(key, config))
}

/// Reads attributes whose keys were checked.
pub(crate) fn read(members: Vec<(String, Given)>, config: &ProfileConfig) -> Result<Attributes, String> {
    let read = |(key, value): (String, Given)| match value {
        Given::Text(value) => check_value(&key, &value, config).map(|()| (key, value)),
        Given::Null => Err(format!("The value of {:?} is null: to remove an attribute, DELETE it.", shown(&key))),
        _ => Err(format!("The value of {:?} is not a string.", shown(&key))),
    };
    members.into_iter().map(read).collect()
}
