//! Requests without the token, or from other pages, get nothing and change nothing.

use proptest::prelude::*;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::running::{After, Running};

#[test]
fn without_the_token_there_is_nothing() {
    let running = Running::start(&[]);
    let page = running.page();
    let wrong = "0".repeat(32);
    for path in [
        "/",
        "/events",
        "/command",
        &format!("/{wrong}/"),
        &format!("/{wrong}/command"),
        &format!("/{}x/", running.token),
    ] {
        for method in ["GET", "POST", "PUT", "OPTIONS"] {
            let answer = running.request(method, path, &[], b"b1-b3");
            assert_eq!(answer.status, 404, "{method} {path}: {answer:?}");
        }
    }
    assert_eq!(running.page().game, page.game);
}

#[test]
fn other_hosts_and_origins_are_refused() {
    let running = Running::start(&[]);
    let page = running.page();
    let path = format!("/{}/command", running.token);
    let own = format!("http://127.0.0.1:{}", running.port);
    for header in [
        ("Host", "evil.example"),
        ("Origin", "http://evil.example"),
        ("Origin", "null"),
        ("Origin", "http://127.0.0.1:1"),
    ] {
        let answer = running.request("POST", &path, &[header], b"b1-b3");
        assert_eq!(answer.status, 403, "{header:?}: {answer:?}");
    }
    assert_eq!(running.page().game, page.game);
    assert_eq!(running.request("POST", &path, &[("Origin", &own)], b"b1-b3").status, 204);
}

#[test]
fn answers_have_a_strict_policy_and_files_their_types() {
    let running = Running::start(&[]);
    for (name, kind) in [
        ("", "text/html"),
        ("page.css", "text/css"),
        ("main.js", "text/javascript"),
        ("game.sgf", "application/x-go-sgf"),
    ] {
        let answer = running.get(name);
        assert_eq!(answer.status, 200, "{name}");
        let head = answer.head.to_ascii_lowercase();
        for header in [
            "content-security-policy: default-src 'none';",
            "x-content-type-options: nosniff",
            "x-frame-options: deny",
            "cache-control: no-store",
            "referrer-policy: no-referrer",
            &format!("content-type: {kind}"),
        ] {
            assert!(head.contains(header), "{name}: {header} is not in {head}");
        }
        assert!(!head.contains("access-control-allow"), "{head}");
    }
    assert_eq!(running.get("../Cargo.toml").status, 404);
    assert_eq!(running.get("nothing.js").status, 404);
}

#[test]
fn long_bodies_and_bytes_that_are_no_text_are_refused() {
    let running = Running::start(&[]);
    let page = running.page();
    let path = format!("/{}/command", running.token);
    assert_eq!(running.post("command", &"x".repeat(100_000)).status, 413);
    assert_eq!(running.post("game", &"(".repeat(60_000)).status, 422);
    assert_eq!(running.request("POST", &path, &[], b"\xff\xfe").status, 400);
    for line in ["<script>alert(1)</script>", "\u{202e}quit", "x\u{0}b1-b3", &"a".repeat(60_000)] {
        assert_eq!(running.post("command", line).status, 422, "{line}");
    }
    assert_eq!(running.post("command", "").status, 204, "an empty line does nothing");
    assert_eq!(running.page().game, page.game);
}

/// Sends requests with this token: random ones, and valid ones with random changes. Returns the number that succeeded.
pub(super) fn storm(running: &Running, token: &str, requests: usize) -> usize {
    let mut rng = StdRng::seed_from_u64(17);
    let mut done = 0;
    let right = |path: &str, body: &str| {
        format!(
            "POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Length: {}\r\n\r\n{body}",
            running.port,
            body.len()
        )
    };
    let models = [
        right(&format!("/{token}/command"), "b1-b3"),
        right(&format!("/{token}/game"), "(;FF[4]GM[9]SZ[8];B[b1-b3])"),
        format!("GET /{token}/events HTTP/1.1\r\nHost: localhost:{}\r\n\r\n", running.port),
        "GET / HTTP/1.0\r\n\r\n".to_owned(),
    ];
    for number in 0..requests {
        let mut bytes = models[rng.random_range(0..models.len())].clone().into_bytes();
        if number % 4 == 0 {
            bytes = (0..rng.random_range(0..300)).map(|_| rng.random_range(0..=255)).collect();
        }
        for _ in 0..rng.random_range(0..6) {
            if !bytes.is_empty() {
                let place = rng.random_range(0..bytes.len());
                match rng.random_range(0..3) {
                    0 => bytes[place] = rng.random_range(0..=255),
                    1 => drop(bytes.remove(place)),
                    _ => bytes.insert(place, rng.random_range(0..=255)),
                }
            }
        }
        let answer = running.raw(&bytes, After::HangUp);
        let text = String::from_utf8_lossy(&answer);
        done += usize::from(text.starts_with("HTTP/1.1 2") || text.starts_with("HTTP/1.0 2"));
    }
    done
}

#[test]
fn a_hundred_thousand_wrong_requests_change_nothing() {
    let mut running = Running::start(&[]);
    let game = running.page().game;
    assert_eq!(storm(&running, &"f".repeat(32), 100_000), 0, "no request succeeds");
    assert_eq!(running.page().game, game);
    running.type_line("quit");
    assert_eq!(running.exit_code(), Some(0));
}

#[test]
fn mutated_requests_with_the_token_do_no_harm() {
    let mut running = Running::start(&["--time=0.01"]);
    storm(&running, &running.token.clone(), 10_000);
    let mut page = running.page();
    running.ask("new");
    page.hear_moves(0);
    running.type_line("quit");
    assert_eq!(running.exit_code(), Some(0));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_line_of_a_page_ends_the_program(lines in proptest::collection::vec(".{0,40}", 1..20)) {
        let running = Running::start(&[]);
        for line in &lines {
            let answer = running.post("command", line);
            prop_assert!([204, 422].contains(&answer.status) || line.trim().starts_with("quit"), "{:?}", answer);
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn idle_connections_neither_use_up_descriptors_nor_keep_pages_away() {
    let running = Running::start(&[]);
    let idle: Vec<_> =
        (0..400).map(|_| std::net::TcpStream::connect(("127.0.0.1", running.port)).expect("a connection")).collect();
    // It waits for those before it, which are closed without a request.
    assert_eq!(running.get("").status, 200);
    assert!(running.descriptors() < 200, "{} descriptors", running.descriptors());
    drop(idle);
}
