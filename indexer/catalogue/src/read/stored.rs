//! Resources that are stored, to be read again.

use indexer::{Error, Result};
use store_catalogue::{LinkStyle, ResourceBody};

use super::resource::Resource;

/// The beginning of the links of resources that are read again.
const OWN_PREFIX: &str = "{base_url}/metagenomics/api/v1";

impl Resource {
    pub(crate) fn stored(body: &ResourceBody) -> Result<Self> {
        Self::parse(&loadable(body)?).map_err(|_| damaged())
    }
}

/// Returns a stored resource as a row that can be loaded again.
pub(super) fn loadable(body: &ResourceBody) -> Result<String> {
    let links = LinkStyle::new(OWN_PREFIX, None, None);
    let mut json = Vec::with_capacity(body.rendered_len(&links));
    body.render_whole(&links, &mut json);
    String::from_utf8(json).map_err(|_| damaged())
}

pub(crate) fn damaged() -> Error {
    Error::Internal("a stored resource cannot be read")
}
