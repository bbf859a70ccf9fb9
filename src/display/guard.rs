//! Who may ask? Only pages of this server, which know the token.
//!
//! The server listens on loopback alone; but any page of any site that is open in the same browser can send requests
//! there. Against that stand the token in the path, which others cannot know, the name of the host, which keeps out names
//! that were rebound to this address, and the origin, which browsers send along.

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

use super::server::Shared;

/// On every answer. The page loads only from here, and nobody else can frame it.
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

/// 128 bits at random, in hexadecimal digits.
///
/// # Errors
/// The system has no random numbers.
pub(super) fn token() -> anyhow::Result<String> {
    let mut bytes = [0; 16];
    SysRng.try_fill_bytes(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Lets pages of this server pass that know the token, and gives every answer its headers.
pub(super) async fn check(State(shared): State<Shared>, request: Request, next: Next) -> Response {
    let mut response = if !is_ours(request.headers(), shared.port) {
        (StatusCode::FORBIDDEN, "This board answers only its own pages.\n").into_response()
    } else if !knows(request.uri().path(), &shared.token) {
        (StatusCode::NOT_FOUND, "There is no board at this address: the terminal has the right one.\n").into_response()
    } else {
        next.run(request).await
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Whether a request names this server, and comes from one of its pages or from no page.
fn is_ours(headers: &HeaderMap, port: u16) -> bool {
    let hosts = ["127.0.0.1", "localhost"].map(|host| format!("{host}:{port}"));
    let is_host = |value: &[u8]| hosts.iter().any(|host| host.as_bytes() == value);
    let mut names = headers.get_all(HOST).iter();
    let is_named = names.next().is_some_and(|host| is_host(host.as_bytes())) && names.next().is_none();
    let is_origin = |origin: &HeaderValue| origin.as_bytes().strip_prefix(b"http://").is_some_and(is_host);
    is_named && headers.get_all(ORIGIN).iter().all(is_origin)
}

/// Whether a path begins with the token. It takes the same time wherever the first wrong digit is.
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
    fn other_names_and_other_pages_are_kept_out() {
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
    fn only_the_whole_token_is_known() {
        let token = token().expect("random numbers");
        assert_eq!(token.len(), 32);
        assert_ne!(token, super::token().expect("random numbers"));
        assert!(knows(&format!("/{token}/"), &token) && knows(&format!("/{token}"), &token));
        for path in ["", "/", "//", &format!("/{}/", &token[1..]), &format!("/{token}0/"), &format!("//{token}/")] {
            assert!(!knows(path, &token), "{path}");
        }
    }
}
