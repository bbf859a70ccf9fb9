//! Data as script files: a page opened from a folder can load scripts, but nothing else.

use serde_json::Value;

use kingline_players::terminal::escaped_json;

/// A script that hands `data` to the pages under this name. Text in it can neither end a script element nor break a
/// line or hide.
pub(super) fn script(name: &str, data: &Value) -> String {
    format!("kingline.put(\"{name}\", {});\n", escaped_json(&data.to_string()).replace('<', "\\u003c"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stays_text() {
        let data = serde_json::json!({ "name": "</script><!--\u{2028}\u{202e}\"\\" });
        let expected = "kingline.put(\"x\", {\"name\":\"\\u003c/script>\\u003c!--\\u2028\\u202e\\\"\\\\\"});\n";
        assert_eq!(script("x", &data), expected);
    }
}
