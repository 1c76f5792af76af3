//! Metrics, read back.

use std::collections::BTreeMap;

/// One series: the name and labels as they are written.
pub struct Metrics {
    pub text: String,
    series: BTreeMap<String, f64>,
}

impl Metrics {
    pub fn read(text: &str) -> Self {
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let series = lines.map(|line| {
            let (series, value) = line.rsplit_once(' ').expect(line);
            (series.to_owned(), value.parse().expect(line))
        });
        let series: BTreeMap<String, f64> = series.collect();
        Self {
            text: text.to_owned(),
            series,
        }
    }

    /// The figure of a lock of the program.
    pub fn of_lock(&self, metric: &str, lock: &str) -> Option<f64> {
        let ending = format!(r#":{lock}"}}"#);
        let mut found = self
            .all(metric)
            .filter(|(series, _)| series.ends_with(&ending));
        let first = found.next();
        assert!(
            found.next().is_none(),
            "{metric} of {lock} is there twice:\n{}",
            self.text
        );
        first.map(|(_, value)| value)
    }

    /// The figure of a series by its whole name.
    pub fn of(&self, series: &str) -> Option<f64> {
        self.series.get(series).copied()
    }

    /// All series of a metric.
    pub fn all(&self, metric: &str) -> impl Iterator<Item = (&str, f64)> {
        let begins = format!("locktoll_{metric}{{");
        let series = self.series.iter();
        let found = series.filter(move |(series, _)| series.starts_with(&begins));
        found.map(|(series, &value)| (series.as_str(), value))
    }

    /// All series that count.
    pub fn counters(&self) -> impl Iterator<Item = (&str, f64)> {
        let endings = ["_total", "_count", "_sum", "_bucket"];
        let series = self.series.iter().filter(move |(series, _)| {
            let name = series.split('{').next().unwrap_or_default();
            endings.iter().any(|ending| name.ends_with(ending))
        });
        series.map(|(series, &value)| (series.as_str(), value))
    }
}
