//! Signs of typesetters and word processors, in place of those that can be typed.

use std::borrow::Cow;

/// Returns the text with typed signs: `-` for dashes, minus signs and arrows, `x` for multiplication signs, `:` and `.` for
/// their wide forms, `/` for the slash of fractions.
pub(crate) fn plain(text: &str) -> Cow<'_, str> {
    if text.is_ascii() { Cow::Borrowed(text) } else { text.chars().filter_map(typed).collect::<String>().into() }
}

/// Returns the typed sign for a letter; none if it has no width.
fn typed(letter: char) -> Option<char> {
    Some(match letter {
        // Hyphens, dashes, lines, the small and wide forms, and arrows. An editor may hide the soft hyphen.
        '\u{ad}' | '\u{2010}'..='\u{2015}' | '\u{2043}' | '\u{2192}' | '\u{2212}' | '\u{2500}' | '\u{2796}' => '-',
        '\u{fe58}' | '\u{fe63}' | '\u{ff0d}' => '-',
        // Multiplication signs, and Cyrillic and Greek letters that look like an x.
        '\u{d7}' | '\u{2715}' | '\u{2716}' | '\u{2a09}' | '\u{2a2f}' | '\u{2573}' | '\u{ff58}' | '\u{ff38}' => 'x',
        '\u{445}' | '\u{425}' | '\u{3c7}' | '\u{3a7}' => 'x',
        '\u{2236}' | '\u{a789}' | '\u{ff1a}' => ':',
        '\u{2026}' | '\u{2024}' | '\u{ff0e}' => '.',
        '\u{2044}' | '\u{2215}' => '/',
        '\u{2731}' | '\u{2217}' | '\u{ff0a}' => '*',
        // Digits of East Asian keyboards.
        '\u{ff10}'..='\u{ff19}' => char::from(b'0' + (letter as u32 - 0xff10) as u8),
        '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' => return None,
        _ => letter,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_typed() {
        for (text, expected) in [
            ("11\u{2013}15", "11-15"),
            ("15\u{d7}22", "15x22"),
            ("1\u{2212}0", "1-0"),
            ("1\u{2044}2\u{2011}1\u{2044}2", "1/2-1/2"),
            ("1\u{2026}\u{200b}", "1."),
            ("11\u{2192}15", "11-15"),
            ("\u{ff11}\u{ff15}\u{ff1a}22", "15:22"),
            ("M\u{fc}ller", "M\u{fc}ller"),
        ] {
            assert_eq!(plain(text), expected);
        }
    }
}
