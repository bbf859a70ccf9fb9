//! Arguments of the players and of `test-loa`, shared by their programs and the manual.

mod homework;
mod hub;
mod loa;
mod loa6;
mod reference;
#[cfg(unix)]
mod test_loa;
mod threads;

use std::ffi::OsString;

pub use homework::HomeworkArguments;
pub use hub::HubArguments;
pub use loa::LoaArguments;
pub use loa6::Loa6Arguments;
pub use reference::ReferenceArguments;
#[cfg(unix)]
pub use test_loa::TestLoaArguments;
pub use threads::MOST_THREADS;

/// Arguments of the process. A typographic dash before the name of an option, as in a text from which it was copied,
/// counts as hyphens: `–display` is `--display`, and `–h` is `-h`.
pub fn given() -> impl Iterator<Item = OsString> {
    let mut options = true;
    std::env::args_os().map(move |argument| {
        options &= argument != "--";
        argument.to_str().filter(|_| options).and_then(with_hyphens).map_or(argument, OsString::from)
    })
}

/// The option with hyphens, if a typographic dash is before its name.
fn with_hyphens(option: &str) -> Option<String> {
    let is_dash =
        |letter| matches!(letter, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}');
    let name = option.trim_start_matches(is_dash);
    let is_typographic = !option[..option.len() - name.len()].is_ascii();
    let hyphens = if name.len() == 1 { "-" } else { "--" };
    (is_typographic && name.starts_with(|letter: char| letter.is_ascii_alphabetic()))
        .then(|| format!("{hyphens}{name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typographic_dashes_before_options_are_hyphens() {
        for (given, option) in [
            ("–display", Some("--display")),
            ("—time=0.5", Some("--time=0.5")),
            ("−−strict", Some("--strict")),
            ("-–log", Some("--log")),
            ("‑h", Some("-h")),
            ("--log=a–b", None),
            ("-h", None),
            ("a–b", None),
            ("–", None),
            ("–5", None),
            ("", None),
        ] {
            assert_eq!(with_hyphens(given).as_deref(), option, "{given}");
        }
    }
}
