//! The two forms of the page: files for any static server, and one file that opens from a folder.

use kingline::draw::BOARD_CSS;

use crate::page::page;
use crate::parts::BinaryPart;

/// Style sheet of the page: that of the pages of `loa --display`, and its own rules.
const STYLES: [&str; 3] =
    [BOARD_CSS, include_str!("../../../src/players/display/assets/page.css"), include_str!("../page/page.css")];
/// Script of the workers.
const WORKER: &str = include_str!("../page/worker.js");

/// Returns the names and contents of the served files.
pub(crate) fn served(script: &str, parts: &[BinaryPart]) -> Vec<(&'static str, Vec<u8>)> {
    let head = "<link rel=\"stylesheet\" href=\"page.css\">";
    let page = page(head, "<script src=\"page.js\"></script>");
    let mut files = vec![
        ("index.html", page.into_bytes()),
        ("page.css", STYLES.concat().into_bytes()),
        ("page.js", script.as_bytes().to_vec()),
        ("worker.js", WORKER.as_bytes().to_vec()),
    ];
    files.extend(parts.iter().map(|part| (part.name, part.bytes.clone())));
    files
}

/// Returns the name and content of the file that contains everything.
pub(crate) fn alone(script: &str, parts: &[BinaryPart]) -> (&'static str, Vec<u8>) {
    let part = |part: &BinaryPart| inlined(part.name, &base64(&part.bytes));
    let parts: String = parts.iter().map(part).chain([inlined("worker.js", WORKER)]).collect();
    let page = page(&format!("<style>{}</style>", STYLES.concat()), &format!("{parts}<script>{script}</script>"));
    ("kingline.html", page.into_bytes())
}

/// Returns an element with a file that a script reads.
fn inlined(name: &str, text: &str) -> String {
    format!("<script type=\"text/plain\" id=\"inlined-{name}\">{text}</script>\n")
}

/// Writes bytes in base 64: RFC 4648, section 4.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let number = (0..3).fold(0, |number, place| number << 8 | u32::from(*three.get(place).unwrap_or(&0)));
        for place in 0..4 {
            let digit = DIGITS[(number >> (18 - 6 * place) & 63) as usize];
            text.push(if place > three.len() { '=' } else { char::from(digit) });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_written_in_base_64() {
        let pairs =
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE=")];
        assert_eq!(pairs.map(|(bytes, _)| base64(bytes.as_bytes())), pairs.map(|(_, text)| text));
    }

    #[test]
    fn one_file_contains_everything() {
        let parts = [BinaryPart { name: "engine.wasm", bytes: b"foo".to_vec() }];
        let (_, page) = alone("start();", &parts);
        let page = String::from_utf8(page).expect("text");
        for part in ["id=\"inlined-engine.wasm\">Zm9v<", "<script>start();</script>", "id=\"inlined-worker.js\">// "] {
            assert!(page.contains(part), "{part}");
        }
        assert!(!page.contains("src=") && !page.contains("stylesheet"), "loads something");
        // A script ends at its first end tag, even in a text.
        let script = crate::bundle::script().expect("a script");
        assert!(!WORKER.contains("</script") && !script.contains("</script") && !STYLES.concat().contains("</style"));
    }
}
