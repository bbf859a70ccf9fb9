//! The guard: only pages of this server, which know the token, may send requests.
//!
//! The server listens only on loopback, but any page open in the same browser can send requests there. Three checks
//! stop such requests: the token in the path, which other pages cannot know; the host name, which excludes names
//! rebound to this address; and the origin, which browsers send along.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HOST, HeaderMap, HeaderName, HeaderValue, ORIGIN, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use rand::TryRng;
use rand::rngs::SysRng;

/// The port and the token that a request must name.
#[derive(Clone)]
pub(super) struct Access {
    pub(super) port: u16,
    pub(super) token: Arc<str>,
}

/// Headers of every answer. The page loads only from this server, and no other page can frame it.
const HEADERS: [(HeaderName, &str); 7] = [
    (
        CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (X_FRAME_OPTIONS, "DENY"),
    (REFERRER_POLICY, "no-referrer"),
    (CACHE_CONTROL, "no-store"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Makes a token of 128 random bits, in hexadecimal digits.
///
/// # Errors
/// The system's random number generator fails.
pub(super) fn token() -> anyhow::Result<String> {
    let mut bytes = [0; 16];
    SysRng.try_fill_bytes(&mut bytes)?;
    Ok(format!("{:032x}", u128::from_ne_bytes(bytes)))
}

/// Passes requests that come from pages of this server and know the token. Adds the headers to every answer.
pub(super) async fn check(State(access): State<Access>, request: Request, next: Next) -> Response {
    let mut response = if !is_ours(request.headers(), access.port) {
        (StatusCode::FORBIDDEN, "This board answers only its own pages.\n").into_response()
    } else if !knows(request.uri().path(), &access.token) {
        (StatusCode::NOT_FOUND, "There is no board at this address. The terminal shows the right address.\n")
            .into_response()
    } else {
        next.run(request).await
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Returns true if a request names this server, and comes from one of its pages or from no page.
fn is_ours(headers: &HeaderMap, port: u16) -> bool {
    let hosts = ["127.0.0.1", "localhost"].map(|host| format!("{host}:{port}"));
    let is_host = |value: &[u8]| hosts.iter().any(|host| host.as_bytes() == value);
    let mut names = headers.get_all(HOST).iter();
    let is_named = names.next().is_some_and(|host| is_host(host.as_bytes())) && names.next().is_none();
    let is_origin = |origin: &HeaderValue| origin.as_bytes().strip_prefix(b"http://").is_some_and(is_host);
    is_named && headers.get_all(ORIGIN).iter().all(is_origin)
}

/// Returns true if a path begins with the token. The time does not depend on the position of the first wrong digit.
fn knows(path: &str, token: &str) -> bool {
    let given = path.split('/').nth(1).unwrap_or_default();
    let differences = given.bytes().zip(token.bytes()).fold(0, |sum, (one, other)| sum | (one ^ other));
    given.len() == token.len() && differences == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(list: &[(HeaderName, &str)]) -> HeaderMap {
        list.iter().map(|(name, value)| (name.clone(), HeaderValue::from_str(value).expect("a value"))).collect()
    }

    #[test]
    fn other_hosts_and_origins_are_refused() {
        for host in ["127.0.0.1:80", "localhost:80"] {
            assert!(is_ours(&headers(&[(HOST, host)]), 80));
            assert!(is_ours(&headers(&[(HOST, host), (ORIGIN, "http://localhost:80")]), 80));
            for origin in ["null", "http://localhost:81", "https://localhost:80", "http://evil.example", ""] {
                assert!(!is_ours(&headers(&[(HOST, host), (ORIGIN, origin)]), 80), "{origin}");
            }
        }
        for host in ["", "127.0.0.1", "127.0.0.1:81", "evil.example:80", "127.0.0.1:80.evil.example", "localhost:80 "] {
            assert!(!is_ours(&headers(&[(HOST, host)]), 80), "{host}");
        }
        assert!(!is_ours(&HeaderMap::new(), 80));
        let mut twice = headers(&[(HOST, "localhost:80")]);
        twice.append(HOST, HeaderValue::from_static("localhost:80"));
        assert!(!is_ours(&twice, 80));
    }

    #[test]
    fn only_the_whole_token_is_accepted() {
        let token = token().expect("random numbers");
        assert_eq!(token.len(), 32);
        assert_ne!(token, super::token().expect("random numbers"));
        assert!(knows(&format!("/{token}/"), &token) && knows(&format!("/{token}"), &token));
        for path in ["", "/", "//", &format!("/{}/", &token[1..]), &format!("/{token}0/"), &format!("//{token}/")] {
            assert!(!knows(path, &token), "{path}");
        }
    }
}
