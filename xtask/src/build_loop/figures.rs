//! Times in a table, next to what they are to be.

use std::time::Duration;

/// A row of the table.
pub struct Figure {
    pub name: String,
    /// Every time that was taken.
    pub times: Vec<Duration>,
    /// What it may take.
    pub limit: Option<Duration>,
    pub remark: String,
}

impl Figure {
    pub fn new(name: impl Into<String>, times: Vec<Duration>, limit_s: Option<u64>) -> Figure {
        Figure {
            name: name.into(),
            times,
            limit: limit_s.map(Duration::from_secs),
            remark: String::new(),
        }
    }

    pub fn with_remark(self, remark: impl Into<String>) -> Figure {
        Figure {
            remark: remark.into(),
            ..self
        }
    }

    fn median(&self) -> Option<Duration> {
        let mut times = self.times.clone();
        times.sort();
        times.get(times.len() / 2).copied()
    }

    fn kept(&self) -> &'static str {
        match (self.median(), self.limit) {
            (Some(median), Some(limit)) if median <= limit => "kept",
            (Some(_), Some(_)) => "exceeded",
            _ => "",
        }
    }

    /// Name, median, range, limit, whether it is kept, and the remark.
    pub fn row(&self) -> Vec<String> {
        let seconds = |it: Duration| format!("{:.1} s", it.as_secs_f64());
        let dash = || "-".to_owned();
        let range = match (self.times.iter().min(), self.times.iter().max()) {
            (Some(min), Some(max)) if self.times.len() > 1 => {
                format!("{:.1} .. {:.1}", min.as_secs_f64(), max.as_secs_f64())
            }
            _ => String::new(),
        };
        vec![
            self.name.clone(),
            self.median().map_or_else(dash, seconds),
            range,
            self.limit
                .map_or_else(dash, |it| format!("{} s", it.as_secs())),
            self.kept().to_owned(),
            self.remark.clone(),
        ]
    }
}

pub const HEADS: [&str; 6] = ["", "time", "from .. to", "at most", "", ""];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_judged() {
        let times = [30, 10, 11].map(Duration::from_secs).to_vec();
        let row = |limit| Figure::new("build", times.clone(), limit).row();
        assert_eq!(
            row(Some(12)),
            ["build", "11.0 s", "10.0 .. 30.0", "12 s", "kept", ""]
        );
        assert_eq!(row(Some(10))[4], "exceeded");
        assert_eq!(row(None)[3..5], ["-", ""]);
        assert_eq!(
            Figure::new("lost", Vec::new(), Some(1)).row()[1..5],
            ["-", "", "1 s", ""]
        );
    }
}
