//! When, where and by which version of locktoll a result was made.

use std::time::{SystemTime, UNIX_EPOCH};

use locktoll_lab::machine::Machine;
use locktoll_terminal::system::host;
use locktoll_terminal::version::version;
use serde::{Deserialize, Serialize};

/// When, where and by which version of locktoll a result was made. Results of versions before 0.1.0 do not have this.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Made {
    /// When, by the machine's clock, in UTC as in RFC 3339: `2026-11-24T11:30:00Z`.
    pub date: Option<String>,
    /// The machine's name.
    pub host: Option<String>,
    /// The version of locktoll that observed.
    pub locktoll: Option<String>,
    /// The machine, if the result does not describe it elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<MadeOn>,
}

/// A machine in few words.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct MadeOn {
    /// The processor's own name.
    pub cpu_model: Option<String>,
    /// CPUs that locktoll could use.
    pub usable_cpus: usize,
    /// Kernel release.
    pub kernel: Option<String>,
    /// C library and version.
    pub libc: Option<String>,
    /// Whether a hypervisor runs the system.
    pub virtual_machine: Option<bool>,
    /// CPUs' worth of time that the control group allows; `null` means no limit.
    pub quota_cpus: Option<f64>,
}

impl Made {
    /// Describes this moment, host and program.
    #[must_use]
    pub fn now() -> Self {
        Self {
            date: SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .ok()
                .map(|it| utc(it.as_secs())),
            host: host::name(),
            locktoll: Some(version().to_owned()),
            machine: None,
        }
    }

    /// Like `now`, with the machine, for a result that does not describe it elsewhere.
    #[must_use]
    pub fn now_on(machine: &Machine) -> Self {
        Self {
            machine: Some(MadeOn::of(machine)),
            ..Self::now()
        }
    }
}

impl MadeOn {
    /// Describes the machine in few words.
    #[must_use]
    pub fn of(machine: &Machine) -> Self {
        Self {
            cpu_model: machine.cpu_model.clone(),
            usable_cpus: machine.usable_cpus.len(),
            kernel: machine.kernel.clone(),
            libc: machine.libc.clone(),
            virtual_machine: machine.virtual_machine,
            quota_cpus: machine.quota_cpus,
        }
    }
}

/// Returns seconds since 1970 as a date and time of day in UTC.
#[must_use]
pub fn utc(seconds: u64) -> String {
    let (days, of_day) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = civil(days);
    let (hour, minute, second) = (of_day / 3600, of_day / 60 % 60, of_day % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Returns the seconds since 1970 of a text that [`utc`] made; `None` if it is another text.
#[must_use]
pub fn from_utc(text: &str) -> Option<u64> {
    let numbers: Vec<u64> = text
        .strip_suffix('Z')?
        .split(['-', 'T', ':'])
        .map(|it| it.parse().ok())
        .collect::<Option<_>>()?;
    let &[year, month, day, hour, minute, second] = &numbers[..] else {
        return None;
    };
    if !(1970..=9999).contains(&year) || !(1..=12).contains(&month) || day > 31 {
        return None;
    }
    // As in `civil`, years begin in March.
    let (year, from_march) = match month {
        3.. => (year, month - 3),
        _ => (year - 1, month + 9),
    };
    let days = year * 365 + year / 4 - year / 100 + year / 400 + (153 * from_march + 2) / 5 + day;
    let days = days.checked_sub(719_469)?;
    let seconds = (days * 24 + hour.min(23)) * 3600 + minute.min(59) * 60 + second.min(60);
    (utc(seconds) == text).then_some(seconds)
}

/// Returns the date this many days after 1 January 1970. Years begin in March here, so that the leap day is the last day of its
/// year, and the days before a month follow from its number.
fn civil(days: u64) -> (u64, u64, u64) {
    const DAYS_IN_400_YEARS: u64 = 146_097;
    // Days from 1 March of year 0 to 1 January 1970.
    let days = days + 719_468;
    let of_era = days % DAYS_IN_400_YEARS;
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 {
        from_march + 3
    } else {
        from_march - 9
    };
    let year = days / DAYS_IN_400_YEARS * 400 + year_of_era + u64::from(month <= 2);
    (year, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, date) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (951_868_799, "2000-02-29T23:59:59Z"),
            (1_709_164_800, "2024-02-29T00:00:00Z"),
            (1_735_689_599, "2024-12-31T23:59:59Z"),
            (1_795_519_800, "2026-11-24T11:30:00Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(utc(seconds), date);
            assert_eq!(from_utc(date), Some(seconds));
        }
    }

    #[test]
    fn texts_that_are_no_dates_have_no_time() {
        for text in [
            "",
            "2026-11-24",
            "2026-02-30T00:00:00Z",
            "2026-13-01T00:00:00Z",
            "1969-12-31T23:59:59Z",
            "99999999999999999999-01-01T00:00:00Z",
            "2026-11-24T25:00:00Z",
            "2026-11-18446744073709551615T00:00:00Z",
            "2026-11-24T11:30:00",
        ] {
            assert_eq!(from_utc(text), None, "{text}");
        }
    }

    #[test]
    fn now_is_now() {
        let made = Made::now();
        assert!(
            made.date.as_deref() > Some("2026-11-01T00:00:00Z"),
            "{made:?}"
        );
        assert_eq!(made.locktoll.as_deref(), Some(version()));
    }
}
