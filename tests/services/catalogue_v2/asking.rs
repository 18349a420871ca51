//! Requests to version 2 over the bundled harvest.

use std::sync::OnceLock;

use api::Api;
use axum::http::Method;
use serde_json::Value;
use support::{Answer, TestFolder, data_text, send};

/// The prefix of version 2.
pub(crate) const V2: &str = "/metagenomics/api/v2";

/// Returns a server over the bundled documents.
pub(crate) fn router() -> &'static Api {
    static ROUTER: OnceLock<(TestFolder, Api)> = OnceLock::new();
    let (_, router) = ROUTER.get_or_init(|| {
        let folder = TestFolder::empty();
        folder.publish_documents(Vec::new());
        let router = folder.router();
        (folder, router)
    });
    router
}

/// Asks for a path below the prefix.
pub(crate) async fn get(path: &str) -> Answer {
    ask(Method::GET, path, &[]).await
}

/// Asks for a path below the prefix with another method or with headers.
pub(crate) async fn ask(method: Method, path: &str, headers: &[(&str, &str)]) -> Answer {
    send(router(), method, &format!("{V2}{}", path.replace(' ', "%20")), headers).await
}

/// Requests a path that exists.
pub(crate) async fn get_json(path: &str) -> Value {
    get(path).await.checked(200, path).json()
}

/// Returns the bundled documents of a file.
pub(crate) fn documents(name: &str) -> Vec<Value> {
    let text = data_text(&format!("catalogue-v2/documents/{name}.jsonl.gz"));
    text.lines().map(|line| serde_json::from_str(line).expect("a document")).collect()
}

/// Returns a member of each item of a list.
pub(crate) fn each(list: &Value, member: &str) -> Vec<Value> {
    list["items"].as_array().expect("items").iter().map(|item| item[member].clone()).collect()
}
