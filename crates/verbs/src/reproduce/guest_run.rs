//! Waits for the spin locks of a guest's kernel, with the host idle and busy in turn.

use std::time::Duration;

use locktoll_lab::stats::estimate;
use locktoll_results::reproduction::{Point, Series};
use locktoll_terminal::quantity::duration;

use super::figure::Figure;
use super::guest_plan::GuestHost;
use super::kernel_run::KernelRun;
use super::selection::Select;

/// All rounds of one run.
#[derive(Clone, Debug, Default)]
pub struct GuestRun {
    /// The emulator, and the guest's kernel: `QEMU 7.2.22 without KVM, 2 virtual CPUs, Linux 6.1.0`.
    pub emulated_by: String,
    /// Length of a round.
    pub length: Duration,
    /// The rounds with an idle host.
    pub idle: OfHost,
    /// The rounds with a busy host.
    pub busy: OfHost,
}

/// The rounds with one kind of host.
#[derive(Clone, Debug, Default)]
pub struct OfHost {
    /// The waits.
    pub run: KernelRun,
    /// CPU time that the emulator had during the rounds; `None` if that cannot be read.
    pub cpu: Option<Duration>,
    /// How long the rounds took.
    pub wall: Duration,
}

impl OfHost {
    fn extend(&mut self, more: Self) {
        self.run.extend(more.run);
        self.cpu = self.cpu.zip(more.cpu).map(|(ours, theirs)| ours + theirs);
        self.wall += more.wall;
    }

    /// Returns how many CPUs the emulator had on average.
    fn cpus(&self) -> Option<f64> {
        let wall = self.wall.as_secs_f64();
        let cpu = self.cpu?.as_secs_f64();
        (wall > 0.0).then(|| cpu / wall)
    }
}

impl GuestRun {
    /// Adds the rounds of another run.
    pub fn extend(&mut self, more: Self) {
        self.idle.extend(more.idle);
        self.busy.extend(more.busy);
    }

    /// Returns the rounds with this host.
    pub fn of(&self, host: GuestHost) -> &OfHost {
        match host {
            GuestHost::Idle => &self.idle,
            GuestHost::Busy => &self.busy,
        }
    }

    /// Returns the figure of each round with the host that is selected.
    ///
    /// # Errors
    /// The reason why there is none.
    pub fn figures(&self, select: &Select, figure: Figure) -> Result<Vec<f64>, String> {
        let host = select
            .host
            .ok_or("a guest run has two hosts: say which, by host = \"idle\" or host = \"busy\"")?;
        self.of(host).run.figures(select, figure)
    }

    /// Says where the figures come from.
    pub fn measured_in(&self) -> String {
        let machine = format!("an emulated virtual machine ({})", self.emulated_by);
        match self.idle.cpus().zip(self.busy.cpus()) {
            Some((idle, busy)) => format!(
                "{machine}; the emulator had {idle:.2} CPUs while the host was idle, and {busy:.2} while it was busy"
            ),
            None => machine,
        }
    }

    /// Returns two histograms over the same lengths: the waits of all rounds with an idle host, and with a busy one. Long waits are
    /// so rare that most rounds have none of a given length, so counts are added up.
    pub fn series(&self, prefix: &str) -> Vec<Series> {
        let [idle, busy] = [&self.idle, &self.busy].map(|of| of.run.waits_by_power());
        let counts = || idle.iter().chain(&busy);
        let used = |count: &&(usize, u64)| count.1 > 0;
        let Some(from) = counts().filter(used).map(|count| count.0).min() else {
            return Vec::new();
        };
        let to = counts().filter(used).map(|count| count.0).max();
        let lengths = from..=to.unwrap_or(from);
        let of = |name: &str, of: &OfHost, waits: &[(usize, u64)]| Series {
            name: format!("{prefix}{name}"),
            x_name: "cycles, from".to_owned(),
            unit: format!(
                "waits in {} rounds of {}",
                of.run.rounds.len(),
                duration(self.length.as_nanos() as f64)
            ),
            points: (lengths.clone())
                .map(|power| {
                    let found = waits.iter().find(|(at, _)| *at == power);
                    Point {
                        x: format!("2^{power}"),
                        y: estimate(&[found.map_or(0, |(_, count)| *count) as f64]),
                    }
                })
                .collect(),
        };
        vec![
            of("host idle", &self.idle, &idle),
            of("host busy", &self.busy, &busy),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::kernel_run::KernelRound;

    fn of_host(rounds: &[&[u64]]) -> OfHost {
        let rounds = rounds.iter().map(|log2_cycles| KernelRound {
            log2_cycles: log2_cycles.to_vec(),
            known_acquisitions: 10,
        });
        OfHost {
            run: KernelRun {
                rounds: rounds.collect(),
                ..KernelRun::default()
            },
            cpu: Some(Duration::from_secs(3)),
            wall: Duration::from_secs(2),
        }
    }

    fn run() -> GuestRun {
        GuestRun {
            length: Duration::from_millis(500),
            idle: of_host(&[&[0, 0, 1, 0], &[0, 0, 2, 0]]),
            busy: of_host(&[&[0, 0, 1, 4], &[0, 0, 0, 0, 0, 1]]),
            ..GuestRun::default()
        }
    }

    #[test]
    fn both_histograms_have_the_same_lengths_and_the_sums_of_all_rounds() {
        let series = run().series("");
        let points = |series: &Series| -> Vec<(String, f64)> {
            let points = series.points.iter();
            points
                .map(|it| (it.x.clone(), it.y.unwrap().median))
                .collect()
        };
        let expected = |counts: [f64; 4]| -> Vec<(String, f64)> {
            let lengths = ["2^2", "2^3", "2^4", "2^5"].map(str::to_owned);
            lengths.into_iter().zip(counts).collect()
        };
        assert_eq!(points(&series[0]), expected([3.0, 0.0, 0.0, 0.0]));
        assert_eq!(points(&series[1]), expected([1.0, 4.0, 0.0, 1.0]));
        assert_eq!(series[0].name, "host idle");
        assert_eq!(series[1].unit, "waits in 2 rounds of 500 ms");
        assert_eq!(GuestRun::default().series("").len(), 0);
    }

    #[test]
    fn what_the_emulator_had_is_said_where_it_is_known() {
        let mut run = run();
        run.emulated_by = "QEMU".to_owned();
        let said = "an emulated virtual machine (QEMU); the emulator had 1.50 CPUs while the host was idle, and 1.50 while it was busy";
        assert_eq!(run.measured_in(), said);
        run.busy.cpu = None;
        assert_eq!(run.measured_in(), "an emulated virtual machine (QEMU)");
    }

    #[test]
    fn a_selection_names_the_host() {
        let select = |host| Select {
            host,
            cycles: Some([3, 40]),
            ..Select::default()
        };
        let of = |host| run().figures(&select(host), Figure::SpinWaitCount);
        assert_eq!(of(Some(GuestHost::Idle)), Ok(vec![0.0, 0.0]));
        assert_eq!(of(Some(GuestHost::Busy)), Ok(vec![4.0, 1.0]));
        assert!(of(None).unwrap_err().contains("say which"));
    }
}
