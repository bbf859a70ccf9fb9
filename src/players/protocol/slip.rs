//! Small mistakes that make a line ill-formed.

/// Line without its small mistakes, and a list of them.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Repaired {
    pub(super) text: String,
    /// Mistakes, in words that follow "line 1": `ends in a blank`.
    pub(super) slips: Vec<&'static str>,
}

/// Removes a byte order mark, CR, and extra blanks.
pub(super) fn repair_blanks(line: &str) -> Repaired {
    let mut repaired = Repaired::default();
    let mut rest = line;
    if let Some(marked) = rest.strip_prefix('\u{feff}') {
        rest = marked;
        repaired.slips.push("begins with a byte order mark");
    }
    if let Some(cut) = rest.strip_suffix('\r') {
        rest = cut;
        repaired.slips.push("ends in CR");
    }
    let bare = rest.trim();
    let (before, after) = (rest.len() - rest.trim_start().len(), &rest[rest.trim_end().len()..]);
    if before > 0 && !bare.is_empty() {
        repaired.slips.push("begins with a blank");
    }
    match after {
        _ if bare.is_empty() => repaired.slips.push("is blank"),
        "" => {}
        tabs if tabs.contains('\t') => repaired.slips.push("ends in a tab"),
        _ => repaired.slips.push("ends in a blank"),
    }
    if bare.contains('\t') {
        repaired.slips.push("has a tab between its words");
    } else if bare.contains("  ") {
        repaired.slips.push("has more than one blank between its words");
    }
    repaired.text = bare.split_whitespace().collect::<Vec<_>>().join(" ");
    repaired
}

impl Repaired {
    /// Replaces the text. If that changes it, `slip` was the mistake.
    #[must_use]
    pub(super) fn with(mut self, text: String, slip: &'static str) -> Repaired {
        if text != self.text {
            self.slips.push(slip);
            self.text = text;
        }
        self
    }

    /// All mistakes in words; `None` if there are none.
    pub(super) fn in_words(&self) -> Option<String> {
        (!self.slips.is_empty()).then(|| self.slips.join(" and "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_are_named_by_their_place() {
        for (line, text, slips) in [
            ("E c3 b4", "E c3 b4", ""),
            ("E c3 b4 ", "E c3 b4", "ends in a blank"),
            ("E c3 b4 \t", "E c3 b4", "ends in a tab"),
            (" E c3 b4\r", "E c3 b4", "ends in CR and begins with a blank"),
            ("E  c3 b4", "E c3 b4", "has more than one blank between its words"),
            ("E\tc3\tb4", "E c3 b4", "has a tab between its words"),
            ("\u{feff}E c3 b4", "E c3 b4", "begins with a byte order mark"),
            ("", "", "is blank"),
            ("  ", "", "is blank"),
        ] {
            let repaired = repair_blanks(line);
            assert_eq!((repaired.text.as_str(), repaired.in_words().unwrap_or_default().as_str()), (text, slips));
        }
    }
}
