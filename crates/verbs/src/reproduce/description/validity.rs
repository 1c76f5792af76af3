//! The conditions for a description: required parts, and contradictions.

use super::{CheckDescription, Description, Run};
use crate::reproduce::figure::Figure;

impl Description {
    pub(in crate::reproduce) fn check(&self) -> Result<(), String> {
        let mut id = self.id.chars();
        let lettered = id.next().is_some_and(|first| first.is_ascii_uppercase());
        if !lettered || id.as_str().is_empty() || !id.all(|c| c.is_ascii_digit()) {
            return Err(format!(
                "id '{}' is not a capital letter and a number, such as A5",
                self.id
            ));
        }
        self.check_published()?;
        if self.not_yet.is_some() {
            let has_nothing = self.runs.is_empty() && self.checks.is_empty();
            return match has_nothing && self.means.is_none() {
                true => Ok(()),
                false => Err(
                    "a claim that is not_yet to be run has no run, no check and no [means]"
                        .to_owned(),
                ),
            };
        }
        if self.runs.is_empty() || self.checks.is_empty() {
            return Err(
                "needs at least one [[run]] and one [[check]], or not_yet = \"...\"".to_owned(),
            );
        }
        if !(self.seconds.is_finite() && self.seconds > 0.0) {
            return Err("seconds says how long the runs take, more than 0".to_owned());
        }
        self.runs.iter().try_for_each(Run::check)?;
        let several = self.runs.len() > 1;
        if several && self.runs.iter().any(|run| run.name.is_none()) {
            return Err("with several runs each needs a name".to_owned());
        }
        self.checks.iter().try_for_each(|check| {
            check
                .check()
                .map_err(|wrong| format!("check '{}': {wrong}", check.what))
        })?;
        self.check_means()
    }
}

impl Run {
    pub(in crate::reproduce) fn check(&self) -> Result<(), String> {
        let kinds = [
            &self.bench,
            &self.live,
            &self.kernel,
            &self.guest,
            &self.machine,
        ];
        match kinds.iter().filter(|kind| kind.is_some()).count() {
            1 => Ok(()),
            _ => Err(
                "a run is one of bench, live, kernel, guest and machine, with its flags".to_owned(),
            ),
        }
    }
}

impl CheckDescription {
    pub(in crate::reproduce) fn check(&self) -> Result<(), String> {
        let shapes = [
            self.value.is_some(),
            self.ratio.is_some(),
            self.order.is_some(),
            self.spread.is_some(),
            self.exponent.is_some(),
            self.beyond_line.is_some(),
        ];
        if shapes.iter().filter(|there| **there).count() != 1 {
            return Err(
                "is one of value, ratio, order, spread, exponent and beyond_line".to_owned(),
            );
        }
        match (self.at_least, self.at_most) {
            (None, None) => return Err("needs at_least, at_most or both".to_owned()),
            (Some(least), Some(most)) if least > most => {
                return Err(format!("at_least {least} is more than at_most {most}"));
            }
            _ => {}
        }
        if self.order.is_some() && self.at_most.is_some() {
            return Err(
                "order takes at_least alone: it is the least of several quotients".to_owned(),
            );
        }
        for figure in self.figures() {
            match figure {
                Figure::SwitchesBySlice if self.at_least.is_some() => {
                    return Err(
                        "switches_by_slice says at most how many: it takes at_most alone"
                            .to_owned(),
                    );
                }
                Figure::SpinWaitsPerAcquisition if self.at_least.is_some() => {
                    return Err(
                        "spin_waits_per_acquisition says at most how many: it takes at_most alone"
                            .to_owned(),
                    );
                }
                Figure::SwitchesByYield if self.at_most.is_some() => {
                    return Err(
                        "switches_by_yield says at least how many: it takes at_least alone"
                            .to_owned(),
                    );
                }
                _ => {}
            }
        }
        if self.order.as_ref().is_some_and(|steps| steps.len() < 2)
            || self.spread.as_ref().is_some_and(|all| all.len() < 2)
        {
            return Err("order and spread compare two figures or more".to_owned());
        }
        self.check_sides()
    }
}
