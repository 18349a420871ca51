//! Authentication: without a valid token every path is answered 401, unknown ones included.

use std::sync::Arc;

use axum::extract::{OriginalUri, Request, State};
use axum::http::Uri;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::bearer::Bearer;
use super::context::{Caller, Context};
use super::problem::ProfileProblem;
use super::services::ProfileServices;
use crate::access::RequestId;
use crate::base_url::BaseUrl;
use crate::limits::Limits;
use crate::tokens::TokenProblem;

#[derive(Clone)]
pub(super) struct Guard {
    /// Without services no token is accepted.
    pub(super) services: Option<Arc<ProfileServices>>,
    pub(super) base_url: BaseUrl,
    pub(super) limits: Limits,
}

/// Lets requests with a valid token pass, with their [`Context`].
pub(super) async fn authenticate(
    State(guard): State<Guard>,
    OriginalUri(uri): OriginalUri,
    mut request: Request,
    next: Next,
) -> Response {
    match guard.admit(uri, &request) {
        Ok(context) => {
            request.extensions_mut().insert(Arc::new(context));
            next.run(request).await
        }
        Err(problem) => problem.into_response(),
    }
}

impl Guard {
    /// Checks the token of a request, and that the account is not locked.
    fn admit(&self, uri: Uri, request: &Request) -> Result<Context, ProfileProblem> {
        let headers = request.headers();
        let token = match Bearer::of(headers) {
            Bearer::Token(token) => token,
            Bearer::Missing => return Err(ProfileProblem::no_token()),
            Bearer::Malformed => return Err(ProfileProblem::malformed_authorization()),
        };
        let services = self.services.as_ref().ok_or(TokenProblem::Foreign)?;
        let claims = services.tokens.verify(token)?;
        let directory = services.directory.snapshot()?;
        if directory.as_ref().is_some_and(|directory| directory.is_locked(claims.user)) {
            return Err(ProfileProblem::locked());
        }
        let request_id = request.extensions().get::<RequestId>().map_or_else(String::new, |id| id.0.clone());
        Ok(Context {
            caller: Caller::new(claims, &services.config),
            services: Arc::clone(services),
            directory,
            base_url: self.base_url.clone(),
            limits: self.limits.clone(),
            uri,
            headers: headers.clone(),
            request_id,
        })
    }
}
