//! The path of a request through a service: preflights, limits, methods, the answer, its encoding,
//! and the headers of all answers.

use std::fmt::Display;
use std::panic::{self, AssertUnwindSafe};

use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::response::Response;
use futures_util::FutureExt;

use super::access::{Access, RouteLabel};
use super::base_url::BaseUrl;
use super::compression::AcceptedEncodings;
use super::conditional::{EntityTag, cache_control};
use super::error::{self, Problem};
use super::execution::{Execution, InlineExecutor};
use super::limits::{Limits, Permit};
use crate::ServiceConfig;

/// The time for which browsers remember the answer to a preflight.
const PREFLIGHT_MAX_AGE_S: HeaderValue = HeaderValue::from_static("86400");

const ANY: HeaderValue = HeaderValue::from_static("*");

/// The answer of a service.
pub struct Answered {
    /// The answer itself.
    pub response: Response,
    /// The route, as measurements name it.
    pub route: RouteLabel,
    /// The permit of the request, which the answer must hold until it is sent.
    pub permit: Option<Permit>,
}

/// The methods of a path.
#[derive(Clone, Copy, Debug)]
pub struct Methods {
    /// The methods.
    pub allowed: &'static [Method],
    /// The same methods, as headers list them.
    pub names: &'static str,
}

impl Methods {
    /// The methods of a path that can only be read.
    pub const READ: Self = Self { allowed: &[Method::GET, Method::HEAD], names: "GET,HEAD" };
}

/// Permissions of pages of other origins: they may read public data, without credentials.
#[derive(Clone, Copy, Debug)]
pub struct CrossOrigin {
    /// The methods that they may use, separated by commas.
    pub methods: &'static str,
    /// The headers of answers that pages may see, separated by commas.
    pub exposed_headers: &'static str,
    /// If set, every `OPTIONS` request is a preflight. Otherwise, it is one only if a browser says
    /// so.
    pub has_all_options: bool,
}

/// The rules of a path, regardless of its operation.
#[derive(Debug)]
pub struct Policy {
    /// The route, as measurements name it.
    pub route: RouteLabel,
    /// `None` if the operation answers all methods alike.
    pub methods: Option<Methods>,
    /// `None` if pages of other origins have no permission.
    pub cross_origin: Option<CrossOrigin>,
    /// If set, answers depend on `Accept` and on the base URL of links.
    pub varies: bool,
    /// If set, answers are compressed as the client prefers.
    pub is_compressed: bool,
}

/// The common part of all services.
pub struct Front {
    /// Makes links.
    pub base_url: BaseUrl,
    /// The limits of the service.
    pub limits: Limits,
    /// Runs short work.
    pub executor: InlineExecutor,
    cache_control: HeaderValue,
}

impl Front {
    /// Makes the common part of a service according to the settings.
    pub fn new(config: &ServiceConfig) -> Self {
        Self {
            base_url: BaseUrl::new(config),
            limits: Limits::new(config),
            executor: InlineExecutor::default(),
            cache_control: cache_control(config.max_age),
        }
    }

    /// Tags the answer to a request; see [`EntityTag::for_request`].
    ///
    /// # Errors
    ///
    /// * The client has the tag already: the answer is 304.
    pub fn tag(&self, generation: impl Display, parts: &Parts, variant: &str) -> Result<EntityTag, Response> {
        EntityTag::for_request(generation, parts, variant, &self.cache_control)
    }

    /// Answers a request within the limits, and compresses the answer as the client prefers. If the
    /// request exceeds a limit, its method is not allowed, the client accepts no supported
    /// encoding, or the answer is not made in time, `refuse` makes the answer from the problem.
    pub async fn answer<'a>(
        &self,
        policy: Policy,
        parts: &Parts,
        access: Access,
        begin: impl FnOnce() -> Execution<'a, Response>,
        refuse: impl Fn(Problem) -> Response,
    ) -> Answered {
        let (mut response, permit) = match self.respond(&policy, parts, access, begin, &refuse).await {
            Ok(answered) => answered,
            Err(problem) => (refuse(problem), None),
        };
        if let Some(cross_origin) = policy.cross_origin {
            cross_origin.add_origin(response.headers_mut());
        }
        if policy.varies {
            response.headers_mut().insert(header::VARY, self.base_url.vary());
        }
        Answered { response, route: policy.route, permit }
    }

    async fn respond<'a>(
        &self,
        policy: &Policy,
        parts: &Parts,
        access: Access,
        begin: impl FnOnce() -> Execution<'a, Response>,
        refuse: impl Fn(Problem) -> Response,
    ) -> Result<(Response, Option<Permit>), Problem> {
        if let Some(cross_origin) = policy.cross_origin.filter(|cross_origin| cross_origin.is_preflight(parts)) {
            return Ok((cross_origin.preflight(), None));
        }
        let limits = &self.limits;
        limits.check_uri(&parts.uri)?;
        let encodings = policy.is_compressed.then(|| AcceptedEncodings::parse(&parts.headers)).transpose()?;
        let permit = limits.permit(&parts.headers, &parts.extensions)?;
        let refused = policy.methods.filter(|methods| !methods.allowed.contains(&parts.method));
        let begin = || match refused {
            Some(methods) => {
                let mut refusal = refuse(Problem::MethodNotAllowed(parts.method.clone()));
                refusal.headers_mut().insert(header::ALLOW, HeaderValue::from_static(methods.names));
                Execution::Inline(refusal)
            }
            None => begin(),
        };
        let made = match panic::catch_unwind(AssertUnwindSafe(|| permit.scope_sync(begin))) {
            Ok(Execution::Inline(response)) => Ok(response),
            Ok(Execution::Offloaded(making)) => {
                limits.in_time(permit.clone(), AssertUnwindSafe(making).catch_unwind()).await?
            }
            Err(panic) => Err(panic),
        };
        let response = made.map_err(|panic| access.span().in_scope(|| error::log_panic(&panic)))?;
        permit.settle(limits, &response)?;
        let Some(encodings) = encodings.filter(|encodings| encodings.may_change(&response)) else {
            return Ok((response, Some(permit)));
        };
        let response = limits.in_time(permit.clone(), encodings.apply(response)).await??;
        permit.settle_compressed(&response);
        Ok((response, Some(permit)))
    }
}

impl CrossOrigin {
    fn is_preflight(self, parts: &Parts) -> bool {
        let is_browser = || parts.headers.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
        parts.method == Method::OPTIONS && (self.has_all_options || is_browser())
    }

    /// Answers the preflight of a browser for a page of another origin.
    fn preflight(self) -> Response {
        let mut preflight = Response::default();
        let headers = preflight.headers_mut();
        headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static(self.methods));
        headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, ANY);
        headers.insert(header::ACCESS_CONTROL_MAX_AGE, PREFLIGHT_MAX_AGE_S);
        preflight
    }

    /// Lets pages of all origins read an answer.
    fn add_origin(self, headers: &mut HeaderMap) {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, ANY);
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(self.exposed_headers));
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use axum::Router;
    use axum::extract::Request;
    use axum::response::IntoResponse;
    use tower::ServiceExt;

    use super::*;
    use crate::limits::ResponseGuard;

    /// Answers a request by routes within limits.
    pub(crate) async fn ask(routes: &Router, limits: &Limits, request: Request) -> Response {
        let front = Front { limits: limits.clone(), ..Front::new(&ServiceConfig::default()) };
        let (parts, body) = request.into_parts();
        let access = Access::begin(&parts.headers);
        let route = RouteLabel::NONE;
        let policy = Policy { route, methods: None, cross_origin: None, varies: false, is_compressed: true };
        let answer = routes.clone().oneshot(Request::from_parts(parts.clone(), body));
        let answer = async { answer.await.expect("the router never fails") };
        let begin = || Execution::Offloaded(Box::pin(answer));
        let answered = front.answer(policy, &parts, access, begin, IntoResponse::into_response).await;
        ResponseGuard { permit: answered.permit, busy: None }.guard(answered.response)
    }
}
