//! The figures that the checks of a claim need from its runs.

use super::plan::{PlannedRun, Work};
use crate::reproduce::axis::Axis;
use crate::reproduce::description::CheckDescription;
use crate::reproduce::evidence::{fitting, only, run_of};
use crate::reproduce::selection::Select;

/// Checks that every selection matches exactly one thing, and that every curve has enough points.
pub(super) fn selections(
    check: &CheckDescription,
    runs: &[PlannedRun],
    cpus: u32,
) -> Result<(), String> {
    let one = |select: &Select| {
        let run = &runs[run_of(select, runs.iter().map(|planned| &planned.run))?];
        match (&run.work, select.host) {
            (Work::Guest(_), None) => {
                return Err("host = \"idle\" or \"busy\" is missing".to_owned());
            }
            (Work::Guest(_), Some(_)) | (_, None) => {}
            (_, Some(_)) => return Err("host belongs to guest runs".to_owned()),
        }
        match (&run.work, select.when) {
            (Work::Bench { cells, .. }, None) => only(cells, select, cpus).map(drop),
            (Work::Live { .. }, Some(_))
            | (Work::Machine(_) | Work::Kernel(_) | Work::Guest(_), None) => Ok(()),
            (Work::Live { .. }, None) => {
                Err("when = \"before\" or \"during\" is missing".to_owned())
            }
            (Work::Bench { .. } | Work::Machine(_) | Work::Kernel(_) | Work::Guest(_), Some(_)) => {
                Err("when belongs to live runs".to_owned())
            }
        }
    };
    let curve = |select: &Select, along: Axis, least: usize| {
        let run = &runs[run_of(select, runs.iter().map(|planned| &planned.run))?];
        let fitting = fitting(run.cells(), select, cpus)?;
        let mut places: Vec<f64> = fitting
            .iter()
            .map(|index| along.of(&run.cells()[*index]))
            .collect();
        let all = places.len();
        places.sort_by(f64::total_cmp);
        places.dedup();
        match (places.len() == all, all >= least) {
            (false, _) => Err("a curve's selection leaves several cells at one place".to_owned()),
            (true, false) => Err(format!(
                "a curve needs {least} points, the selection leaves {all}"
            )),
            (true, true) => Ok(places),
        }
    };
    check.value.iter().try_for_each(one)?;
    check
        .ratio
        .iter()
        .try_for_each(|ratio| one(&ratio.of).and_then(|()| one(&ratio.over)))?;
    check.order.iter().flatten().try_for_each(one)?;
    check.spread.iter().flatten().try_for_each(one)?;
    if let Some(exponent) = &check.exponent {
        curve(&exponent.of, exponent.along, 3)?;
    }
    if let Some(bend) = &check.beyond_line {
        let places = curve(&bend.of, bend.along, 3)?;
        let near = places.iter().filter(|place| **place <= bend.up_to).count();
        if near < 2 || near == places.len() {
            return Err(format!(
                "up_to = {} must leave two points or more before it and one behind",
                bend.up_to
            ));
        }
    }
    Ok(())
}

/// Has one cell that a check compares run twice: the denominator of a quotient, the first of several cells, or the end of a
/// curve.
pub(super) fn run_twice(
    check: &CheckDescription,
    runs: &mut [PlannedRun],
    cpus: u32,
) -> Result<(), String> {
    let several = check.order.iter().chain(&check.spread);
    let ratio = check
        .ratio
        .iter()
        .flat_map(|ratio| [&ratio.over, &ratio.of]);
    let candidates = check.value.iter().chain(ratio);
    let candidates = candidates.chain(several.flat_map(|all| all.first()));
    let exponent = check.exponent.iter().map(|curve| (&curve.of, curve.along));
    let bend = check
        .beyond_line
        .iter()
        .map(|curve| (&curve.of, curve.along));
    // Without a curve there is only one cell, so any axis will do.
    let candidates = candidates.map(|select| (select, Axis::Threads));
    for (select, along) in candidates.chain(exponent).chain(bend) {
        let index = run_of(select, runs.iter().map(|planned| &planned.run))?;
        let Work::Bench { cells, again, .. } = &mut runs[index].work else {
            continue;
        };
        let place = |cell: &usize| along.of(&cells[*cell]);
        let fitting = fitting(cells, select, cpus)?;
        let last = fitting
            .into_iter()
            .max_by(|a, b| place(a).total_cmp(&place(b)));
        let figure = select.figure.or(check.figure).unwrap_or_default();
        if let Some(cell) = last.map(|cell| (cell, figure.slices())) {
            if !again.contains(&cell) {
                again.push(cell);
            }
            break;
        }
    }
    Ok(())
}
