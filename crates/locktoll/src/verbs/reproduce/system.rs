//! What the whole system does: `/proc/stat` (proc_stat(5)), read twice.

use std::time::Instant;

use crate::reproduce::evidence::SystemLook;

/// Counters since the system's start.
pub struct Counters {
    at: Instant,
    switches: u64,
    /// user, nice, system, idle, iowait, irq, softirq, steal: clock ticks of all CPUs.
    ticks: [u64; 8],
}

impl Counters {
    /// Reads them.
    ///
    /// # Errors
    /// If there is no such file, or it is not in the form that proc_stat(5) describes.
    pub fn read() -> Result<Self, String> {
        let at = Instant::now();
        let text = std::fs::read_to_string("/proc/stat")
            .map_err(|error| format!("/proc/stat: {error}"))?;
        parse(&text, at).ok_or_else(|| "/proc/stat is not as proc_stat(5) describes it".to_owned())
    }

    /// What the system did since `earlier`.
    pub fn since(&self, earlier: &Self) -> SystemLook {
        let seconds = self.at.duration_since(earlier.at).as_secs_f64();
        let spent: Vec<f64> = (self.ticks.iter().zip(&earlier.ticks))
            .map(|(now, then)| now.saturating_sub(*then) as f64)
            .collect();
        let all: f64 = spent.iter().sum();
        let share = |ticks: f64| if all > 0.0 { ticks / all } else { 0.0 };
        SystemLook {
            switches_per_second: self.switches.saturating_sub(earlier.switches) as f64 / seconds,
            user_share: share(spent[0] + spent[1]),
            system_share: share(spent[2] + spent[5] + spent[6]),
            idle_share: share(spent[3] + spent[4]),
        }
    }
}

fn parse(text: &str, at: Instant) -> Option<Counters> {
    let line = |name: &str| text.lines().find_map(|line| line.strip_prefix(name));
    let mut fields = line("cpu ")?.split_ascii_whitespace();
    let mut ticks = [0; 8];
    for tick in &mut ticks {
        *tick = fields.next()?.parse().ok()?;
    }
    Some(Counters {
        at,
        switches: line("ctxt ")?.trim().parse().ok()?,
        ticks,
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn rates_and_shares_are_of_the_time_between() {
        let start = Instant::now();
        let earlier = parse("cpu  100 0 50 1000 0 0 0 0 0 0\ncpu0 1\nctxt 5000\n", start).unwrap();
        let text = "cpu  110 10 70 1050 5 2 3 0 0 0\ncpu0 1\nctxt 6000\n";
        let look = parse(text, start + Duration::from_millis(500))
            .unwrap()
            .since(&earlier);
        let expected = SystemLook {
            switches_per_second: 2000.0,
            user_share: 0.2,
            system_share: 0.25,
            idle_share: 0.55,
        };
        assert_eq!(look, expected);
    }

    #[test]
    fn another_form_is_told() {
        for text in ["", "cpu 1 2 3\nctxt 1\n", "cpu 1 2 3 4 5 6 7 8\n"] {
            assert!(parse(text, Instant::now()).is_none(), "{text}");
        }
    }
}
