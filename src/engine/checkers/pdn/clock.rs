//! Remaining time, in comments: `{[%clk 0:04:59.93]}`.
//!
//! Source: the PGN supplement on commands in comments, which PDN writers follow as well.

use std::time::Duration;

/// Formats a comment with the remaining time, to the microsecond.
pub(super) fn write_clock(left: Duration) -> String {
    let (minutes, seconds) = (left.as_secs() / 60, left.as_secs() % 60);
    let (hours, minutes) = (minutes / 60, minutes % 60);
    let micros = match left.subsec_micros() {
        0 => String::new(),
        micros => format!(".{micros:06}").trim_end_matches('0').to_owned(),
    };
    format!("{{[%clk {hours}:{minutes:02}:{seconds:02}{micros}]}}")
}

/// Reads the clock in a comment, if there is one: hours, minutes and seconds.
pub(super) fn read_clock(comment: &str) -> Option<Duration> {
    let (_, rest) = comment.split_once("[%clk")?;
    let (time, _) = rest.strip_prefix(char::is_whitespace)?.split_once(']')?;
    let mut parts = time.trim().split(':');
    let mut whole = |below| parts.next()?.parse::<u32>().ok().filter(|&number| number < below).map(u64::from);
    let (hours, minutes) = (whole(u32::MAX)?, whole(60)?);
    let seconds = parts.next()?.parse().ok().filter(|seconds: &f64| (0.0..60.0).contains(seconds))?;
    let micros = (seconds * 1e6).round() as u64;
    parts.next().is_none().then(|| Duration::from_secs(hours * 3600 + minutes * 60) + Duration::from_micros(micros))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clock_round_trip() {
        for (micros, text) in [
            (0, "{[%clk 0:00:00]}"),
            (299_930_000, "{[%clk 0:04:59.93]}"),
            (1, "{[%clk 0:00:00.000001]}"),
            (360_000_000_000, "{[%clk 100:00:00]}"),
        ] {
            let left = Duration::from_micros(micros);
            assert_eq!(write_clock(left), text);
            assert_eq!(read_clock(text), Some(left));
        }
        assert_eq!(read_clock("{good [%clk\r\n 1:59:59.9 ] move}"), Some(Duration::from_millis(7_199_900)));
        for text in [
            "{}",
            "{[%clk 5]}",
            "{[%clks 0:00:00]}",
            "{[%clk 1:2:3:4]}",
            "{[%clk a:00:00]}",
            "{[%clk 0:00:-1]}",
            "{[%clk 0:60:00]}",
            "{[%clk 0:0:60]}",
            "{[%clk 0:00:00}",
        ] {
            assert_eq!(read_clock(text), None, "{text}");
        }
    }
}
