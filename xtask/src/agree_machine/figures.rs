//! Figures out of `locktoll machine --json`.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, ensure};
use serde_json::Value;

/// A figure of the price list.
#[derive(Clone, Copy, Debug)]
pub enum Figure {
    /// A line of the list.
    Part(&'static str),
    /// A whole hand-over: `same_cpu` or `cross_cpu`.
    HandOver(&'static str),
    /// Another way to hand over, one way.
    Arm(&'static str, &'static str),
}

impl Figure {
    /// The median in nanoseconds.
    ///
    /// # Errors
    /// If the list has none, with the list's own reason.
    pub fn of(self, list: &Value) -> anyhow::Result<f64> {
        let named = |all: &Value, name: &str| {
            let found = all.as_array()?.iter().find(|one| one["name"] == name);
            found.cloned()
        };
        let decomposition = &list["decomposition"];
        let (figure, refused) = match self {
            Self::Part(name) => {
                let part = named(&list["parts"], name).unwrap_or_default();
                (part["value"].clone(), part["refused"].clone())
            }
            Self::HandOver(side) => (
                decomposition[side]["total_ns"].clone(),
                decomposition["refused"].clone(),
            ),
            Self::Arm(side, name) => {
                let arm = named(&decomposition[side]["arms"], name).unwrap_or_default();
                (arm["measured_ns"].clone(), decomposition["refused"].clone())
            }
        };
        figure["median"]
            .as_f64()
            .with_context(|| format!("locktoll machine has no {self:?}: {refused}"))
    }
}

pub fn price_list(program: &Path, quick: bool) -> anyhow::Result<Value> {
    let mut command = Command::new(program);
    command
        .args(["machine", "--json"])
        .args(quick.then_some("--quick"));
    let output = command.output()?;
    let errors = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "locktoll machine failed: {errors}");
    Ok(serde_json::from_slice(&output.stdout)?)
}
