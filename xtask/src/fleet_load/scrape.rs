//! One answer of the agent.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};

/// The metrics of one moment.
pub struct Scrape {
    /// The series, with their labels as they are written.
    pub series: BTreeMap<String, f64>,
    /// How long the answer took, from the connection to its last byte.
    pub took: Duration,
    /// Its length.
    pub bytes: usize,
}

impl Scrape {
    /// Asks the agent.
    pub fn take(address: SocketAddr) -> anyhow::Result<Self> {
        let begun = Instant::now();
        let mut stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(Duration::from_secs(30)))?;
        stream.write_all(b"GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer)?;
        let took = begun.elapsed();
        let text = String::from_utf8(answer)?;
        ensure!(
            text.starts_with("HTTP/1.1 200 "),
            "the agent answers {:.100}",
            text
        );
        let (_, body) = text.split_once("\r\n\r\n").context("no body")?;
        let lines = body.lines().filter(|line| !line.starts_with('#'));
        let series = lines.filter_map(|line| {
            let (series, value) = line.rsplit_once(' ')?;
            Some((series.to_owned(), value.parse().ok()?))
        });
        Ok(Self {
            series: series.collect(),
            took,
            bytes: body.len(),
        })
    }

    /// The sum over all series of a metric.
    pub fn sum(&self, metric: &str) -> f64 {
        let all = self.series.iter().filter(|(series, _)| {
            let name = series.split('{').next().unwrap_or_default();
            name.strip_prefix("locktoll_") == Some(metric)
        });
        all.map(|(_, value)| value).sum()
    }

    /// All series that count.
    pub fn counters(&self) -> impl Iterator<Item = (&str, f64)> {
        let all = self.series.iter().filter(|(series, _)| {
            let name = series.split('{').next().unwrap_or_default();
            let endings = ["_total", "_count", "_sum", "_bucket"];
            endings.iter().any(|ending| name.ends_with(ending))
        });
        all.map(|(series, value)| (series.as_str(), *value))
    }
}
