//! Conditional requests, and the time for which answers may be cached.

use std::time::Duration;

use api::ServiceConfig;

use crate::services::proteins::rows;
use support::{TestFolder, get_protein};

#[tokio::test]
async fn answers_have_cache_control() {
    let folder = TestFolder::of_rows(&rows());
    let config = ServiceConfig { max_age: Duration::from_secs(7), ..ServiceConfig::default() };
    for path in ["/protein/12", "/protein/search?biome_id=132"] {
        assert_eq!(get_protein(&folder.router(), path).await.header("cache-control"), "public, max-age=60");
        let answer = get_protein(&folder.router_with(&config), path).await;
        assert_eq!(answer.header("cache-control"), "public, max-age=7");
    }
}
