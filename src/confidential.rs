//! Options whose values may contain passwords.

use std::ffi::OsStr;
use std::fmt::Display;
use std::marker::PhantomData;
use std::str::FromStr;

use clap::builder::TypedValueParser;
use clap::error::ErrorKind;
use clap::{Arg, Command, Error};

/// Parses a value without showing it in errors, which are logged.
#[derive(Clone)]
pub(crate) struct Confidential<T>(PhantomData<T>);

impl<T> Confidential<T> {
    pub(crate) fn new() -> Self {
        Self(PhantomData)
    }
}

impl<T: FromStr<Err: Display> + Clone + Send + Sync + 'static> TypedValueParser for Confidential<T> {
    type Value = T;

    fn parse_ref(&self, command: &Command, option: Option<&Arg>, value: &OsStr) -> Result<T, Error> {
        let text = value.to_str().ok_or_else(|| "it is not UTF-8".to_owned());
        text.and_then(|text| text.parse().map_err(|error: T::Err| error.to_string())).map_err(|problem| {
            let option = option.map(ToString::to_string).unwrap_or_default();
            let problem = format!("invalid value for '{option}': {problem}\n");
            Error::raw(ErrorKind::ValueValidation, problem).with_cmd(command)
        })
    }
}
