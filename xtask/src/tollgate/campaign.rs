//! Everything that is measured for one table.

use std::time::{Duration, Instant};

use locktoll_lab::machine::Machine;

use super::batch::Batch;
use super::bench;
use super::conditions::Plan;
use super::measured::Measured;
use super::peers::Built;
use super::row::Field;

/// What came of all runs.
#[derive(Debug, Default)]
pub struct Campaign {
    /// The figures.
    pub measured: Measured,
    /// Where they were measured, if anything was.
    pub machine: Option<Machine>,
    /// The most that others used of the machine's CPU time, or the hypervisor took, during any run of `locktoll bench`.
    pub taken: f64,
    /// What the machine was disturbed by, a line each.
    pub warnings: Vec<String>,
    /// Runs that failed, a line each: their cells have no figures.
    pub failures: Vec<String>,
    /// How long it took.
    pub took: Duration,
}

impl Campaign {
    /// Carries out all runs, the subject's first in each. A run that fails leaves the others alone.
    pub fn run(
        built: &Built,
        batches: &[Batch],
        conditions: Option<&Plan>,
        field: Field<'_>,
    ) -> Self {
        let started = Instant::now();
        let locks: Vec<&str> = field.locks().collect();
        let mut campaign = Self::default();
        for batch in batches {
            let title = batch.title;
            eprintln!("tollgate: {title}");
            match bench::run(&built.locktoll, batch, &locks, &mut campaign.measured) {
                Ok(seen) => {
                    campaign.machine = Some(seen.machine);
                    campaign.taken = campaign.taken.max(seen.taken);
                    let warnings = seen.warnings.iter();
                    let warnings = warnings.map(|warning| format!("{title}: {warning}"));
                    campaign.warnings.extend(warnings);
                }
                Err(error) => campaign.failures.push(format!("{title}: {error:#}")),
            }
        }
        if let Some(plan) = conditions {
            eprintln!("tollgate: condition variables");
            if let Err(error) = plan.run(&built.monitors, &mut campaign.measured) {
                campaign.failures.push(format!("{error:#}"));
            }
        }
        campaign.took = started.elapsed();
        campaign
    }
}
