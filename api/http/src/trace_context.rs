//! The trace that a request belongs to, by the header `traceparent` of W3C's Trace Context.

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use uuid::Uuid;

pub(crate) const TRACE_PARENT: HeaderName = HeaderName::from_static("traceparent");

/// The bit of the flags that says that the trace is recorded.
const SAMPLED: u8 = 1;

/// The place of a request in a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceContext {
    /// The trace.
    pub trace_id: u128,
    /// The span of the sender of the request.
    pub parent_id: u64,
    /// 1 if the trace is recorded, and otherwise 0.
    pub flags: u8,
}

impl TraceContext {
    /// Reads the header of a request. A malformed header, or an id that is zero, counts as missing,
    /// as the standard says. Later versions may have more parts after the known ones.
    pub(crate) fn read(headers: &HeaderMap) -> Option<Self> {
        let mut values = headers.get_all(TRACE_PARENT).iter();
        let (text, None) = (values.next()?.to_str().ok()?, values.next()) else { return None };
        let mut parts = text.split('-');
        let [version, trace_id, parent_id, flags] = [2, 32, 16, 2].map(|length| {
            parts.next().filter(|part| {
                part.len() == length && part.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
            })
        });
        let is_known = match version? {
            "ff" => false,
            "00" => parts.next().is_none(),
            _ => true,
        };
        let context = Self {
            trace_id: u128::from_str_radix(trace_id?, 16).ok()?,
            parent_id: u64::from_str_radix(parent_id?, 16).ok()?,
            flags: u8::from_str_radix(flags?, 16).ok()? & SAMPLED,
        };
        (is_known && context.trace_id != 0 && context.parent_id != 0).then_some(context)
    }

    /// Returns the header of the answer, which names the span of the request itself.
    pub(crate) fn header(self, span_id: u64) -> Option<HeaderValue> {
        let Self { trace_id, flags, .. } = self;
        HeaderValue::try_from(format!("00-{trace_id:032x}-{span_id:016x}-{flags:02x}")).ok()
    }
}

/// Returns the id of the span of a request: part of the request's own id, and never 0.
pub(crate) fn span_id(request: Uuid) -> u64 {
    request.as_u64_pair().1.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(value: &str) -> Option<TraceContext> {
        TraceContext::read(&HeaderMap::from_iter([(TRACE_PARENT, HeaderValue::from_str(value).expect("a value"))]))
    }

    #[test]
    fn only_standard_headers_are_read() {
        let expected = TraceContext {
            trace_id: 0x4bf9_2f35_77b3_4da6_a3ce_929d_0e0e_4736,
            parent_id: 0x00f0_67aa_0ba9_02b7,
            flags: 1,
        };
        let good = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        assert_eq!(read(good), Some(expected));
        assert_eq!(read(&good.replacen("00-", "cc-", 1)), Some(expected));
        assert_eq!(read(&format!("{}-what-comes", good.replacen("00-", "cc-", 1))), Some(expected));
        assert_eq!(expected.header(7).expect("a header"), "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000007-01");
        for bad in [
            "",
            "00",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-x",
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01",
            "00-+bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        ] {
            assert_eq!(read(bad), None, "{bad}");
        }
        let mut twice = HeaderMap::new();
        twice.append(TRACE_PARENT, HeaderValue::from_static("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"));
        twice.append(TRACE_PARENT, HeaderValue::from_static("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"));
        assert_eq!(TraceContext::read(&twice), None);
    }
}
