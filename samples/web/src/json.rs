//! Writing JSON.

use std::fmt::Write;

/// An object that is being written.
pub(crate) struct Object(String);

impl Object {
    pub(crate) fn new() -> Object {
        Object(String::new())
    }

    /// Adds a field whose value is already JSON: a number, `true`, a list.
    #[must_use]
    #[expect(clippy::needless_pass_by_value, reason = "callers pass what they have just made")]
    pub(crate) fn with(mut self, name: &str, value: impl ToString) -> Object {
        self.0.push(if self.0.is_empty() { '{' } else { ',' });
        self.0 += &format!("{}:{}", text(name), value.to_string());
        self
    }

    /// Adds a field with a text.
    #[must_use]
    #[expect(clippy::needless_pass_by_value, reason = "callers pass what they have just made")]
    pub(crate) fn with_text(self, name: &str, value: impl ToString) -> Object {
        self.with(name, text(&value.to_string()))
    }

    pub(crate) fn end(self) -> String {
        if self.0.is_empty() { "{}".to_owned() } else { self.0 + "}" }
    }
}

/// Returns a list of values that are already JSON.
pub(crate) fn list(values: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", values.into_iter().collect::<Vec<_>>().join(","))
}

/// Returns a list of texts.
pub(crate) fn texts<T: AsRef<str>>(values: impl IntoIterator<Item = T>) -> String {
    list(values.into_iter().map(|value| text(value.as_ref())))
}

/// Returns a text in quotation marks.
pub(crate) fn text(value: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in value.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            '\0'..' ' => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(letter));
            }
            _ => quoted.push(letter),
        }
    }
    quoted + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_quoted_and_nested() {
        let object = Object::new().with("n", 1).with_text("a\"b", "c\\d\n\u{e9}").with("list", texts(["x", "y"]));
        assert_eq!(object.end(), "{\"n\":1,\"a\\\"b\":\"c\\\\d\\u000a\u{e9}\",\"list\":[\"x\",\"y\"]}");
        assert_eq!((Object::new().end(), list([])), ("{}".to_owned(), "[]".to_owned()));
    }
}
