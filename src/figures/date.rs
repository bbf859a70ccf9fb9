//! Which day is it?

use std::fmt;
use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::game::ParseError;

/// A day of the Gregorian calendar, by universal time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

impl Date {
    /// By the system's clock.
    pub fn today() -> Date {
        const DAY: u64 = 24 * 60 * 60;
        // A clock before 1970 is not set.
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        Date::after_epoch(seconds / DAY)
    }

    /// The date this number of days after 1970-01-01: `civil_from_days` of H. Hinnant, chrono-Compatible Low-Level Date
    /// Algorithms, <https://howardhinnant.github.io/date_algorithms.html>. Years begin in March, eras have 400 of them.
    fn after_epoch(days: u64) -> Date {
        let since = days + 719_468;
        let (era, of_era) = (since / 146_097, since % 146_097);
        let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month_from_march = (5 * of_year + 2) / 153;
        let day = of_year - (153 * month_from_march + 2) / 5 + 1;
        let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
        let year = year_of_era + 400 * era + u64::from(month <= 2);
        Date { year: year as u16, month: month as u8, day: day as u8 }
    }

    fn days_of_month(year: u16, month: u8) -> u8 {
        match month {
            2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        }
    }
}

impl FromStr for Date {
    type Err = ParseError;

    /// `2026-11-23`.
    fn from_str(text: &str) -> Result<Date, ParseError> {
        let number = |range: std::ops::Range<usize>| text.get(range)?.parse::<u16>().ok();
        let parts = number(0..4).zip(number(5..7)).zip(number(8..10));
        let date = parts.map(|((year, month), day)| Date { year, month: month as u8, day: day as u8 });
        // What is written in another way than it would be here is no date, nor is the 31st of June.
        let is_date = |date: &Date| {
            let Date { year, month, day } = *date;
            date.to_string() == text
                && (1..=12).contains(&month)
                && (1..=Date::days_of_month(year, month)).contains(&day)
        };
        date.filter(is_date).ok_or_else(|| ParseError::new(text, "a date like 2026-11-23"))
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl TryFrom<String> for Date {
    type Error = ParseError;
    fn try_from(text: String) -> Result<Date, ParseError> {
        text.parse()
    }
}

impl From<Date> for String {
    fn from(date: Date) -> String {
        date.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_since_the_epoch_are_dates() {
        for (days, date) in [
            (0, "1970-01-01"),
            (58, "1970-02-28"),
            (59, "1970-03-01"),
            (11_016, "2000-02-29"),
            (11_017, "2000-03-01"),
            (11_322, "2000-12-31"),
            (11_323, "2001-01-01"),
            (20_780, "2026-11-23"),
            (47_540, "2100-02-28"),
            (47_541, "2100-03-01"),
        ] {
            assert_eq!(Date::after_epoch(days).to_string(), date);
        }
    }

    #[test]
    fn every_day_of_two_centuries_is_read_back_and_follows_the_one_before() {
        let mut before = Date { year: 1969, month: 12, day: 31 };
        for days in 0..73_000 {
            let date = Date::after_epoch(days);
            assert!(before < date, "{before} {date}");
            assert_eq!(date.to_string().parse(), Ok(date));
            before = date;
        }
    }

    #[test]
    fn what_is_no_date_is_refused() {
        for text in
            ["", "2026-11-31", "2026-02-29", "2026-13-01", "2026-00-10", "2026-1-01", "23.11.2026", "2026-11-23 "]
        {
            let error = text.parse::<Date>().unwrap_err();
            assert_eq!(error.to_string(), format!("found \"{text}\", expected a date like 2026-11-23"));
        }
    }
}
