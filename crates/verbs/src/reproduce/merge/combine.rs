//! Which results belong together.

use locktoll_results::Made;
use locktoll_results::merged::{Merged, MergedClaim, MergedMachine};
use locktoll_results::reproduction::{Check, Claim, Reproduction};

use super::differences::differences;
use super::files::Result as File;
use super::names::names;
use crate::reproduce::catalogue::place;

/// Merges results.
///
/// # Errors
/// One line: two files of the same machine and moment, a claim that occurs twice in a file, or one that has another definition in
/// another file.
pub fn merged(files: Vec<File>) -> Result<Merged, String> {
    for (at, file) in files.iter().enumerate() {
        if let Some(same) = files[..at]
            .iter()
            .find(|it| is_same(&it.result, &file.result))
        {
            return Err(format!(
                "{} and {} were measured on the same machine at the same moment; give each result once",
                same.file, file.file
            ));
        }
    }
    let claims = claims(&files)?;
    let observed: Vec<_> = files.iter().map(|file| &file.result.machine).collect();
    let names = names(&observed);
    let machines = files.into_iter().zip(names).map(|(file, name)| {
        let Reproduction {
            version,
            made,
            machine,
            partial,
            ..
        } = file.result;
        MergedMachine {
            name,
            version,
            made,
            machine,
            partial,
        }
    });
    let machines: Vec<MergedMachine> = machines.collect();
    Ok(Merged {
        schema: "locktoll.reproduce-merged/1".to_owned(),
        version: locktoll_terminal::version::version().to_owned(),
        made: Some(Made::now()),
        differences: differences(&machines, &claims),
        machines,
        claims,
    })
}

/// Keeps the claims with these ids.
///
/// # Errors
/// One line if none of the files has one of them.
pub fn keep(merged: &mut Merged, ids: &[&str]) -> Result<(), String> {
    let there = |id: &str| merged.claims.iter().any(|claim| claim.id == id);
    if !ids.iter().any(|id| there(id)) {
        let has: Vec<&str> = merged.claims.iter().map(|it| it.id.as_str()).collect();
        return Err(format!(
            "no file has a result of {}; accepted: {}",
            ids.join(", "),
            match has.is_empty() {
                true => "files with at least one claim".to_owned(),
                false => has.join(", "),
            }
        ));
    }
    merged.claims.retain(|it| ids.contains(&&*it.id));
    merged.differences.retain(|it| ids.contains(&&*it.claim));
    Ok(())
}

/// Returns the result of the only machine; `None` if there are several.
pub fn alone(merged: &Merged) -> Option<Reproduction> {
    let [machine] = &merged.machines[..] else {
        return None;
    };
    let results = merged.claims.iter().flat_map(|claim| &claim.results);
    Some(Reproduction {
        schema: "locktoll.reproduce/1".to_owned(),
        version: machine.version.clone(),
        made: machine.made.clone(),
        machine: machine.machine.clone(),
        partial: machine.partial,
        claims: results.flatten().cloned().collect(),
    })
}

/// Whether two results are of the same machine and moment: the same file twice, or a copy.
fn is_same(a: &Reproduction, b: &Reproduction) -> bool {
    let moment = |it: &Reproduction| {
        let made = it.made.clone().unwrap_or_default();
        (made.date, made.host)
    };
    let machine = |it: &Reproduction| {
        let machine = it.machine.clone();
        (machine.cpu_model, machine.usable_cpus, machine.kernel)
    };
    // Results of old versions do not say when they were made.
    let undated = moment(a).0.is_none();
    moment(a) == moment(b) && machine(a) == machine(b) && (!undated || a.claims == b.claims)
}

/// Returns each claim of any file, in the order of the ids.
fn claims(files: &[File]) -> Result<Vec<MergedClaim>, String> {
    let mut merged: Vec<MergedClaim> = Vec::new();
    for (at, file) in files.iter().enumerate() {
        for claim in &file.result.claims {
            let known = merged.iter().position(|it| it.id == claim.id);
            let entry = known.unwrap_or_else(|| {
                merged.push(MergedClaim {
                    id: claim.id.clone(),
                    title: claim.title.clone(),
                    results: vec![None; files.len()],
                });
                merged.len() - 1
            });
            let results = &mut merged[entry].results;
            if results[at].is_some() {
                return Err(format!("{} has two results of {}", file.file, claim.id));
            }
            for (other, result) in files.iter().zip(&*results) {
                let differs = result.as_ref().and_then(|it| difference(it, claim));
                if let Some(what) = differs {
                    return Err(format!(
                        "{} is not the same claim in {} and {}: they differ in {what}; accepted: results of the same claims",
                        claim.id, other.file, file.file
                    ));
                }
            }
            results[at] = Some(claim.clone());
        }
    }
    merged.sort_by_key(|claim| place(&claim.id));
    Ok(merged)
}

/// Says in which part of the definition two results of a claim differ. Commands may differ, since they have the number of CPUs in
/// them. Checks may exist on one system only, but those of the same name have the same bounds.
fn difference(a: &Claim, b: &Claim) -> Option<String> {
    if a.claim != b.claim {
        return Some("the claim".to_owned());
    }
    if a.source != b.source {
        return Some("the source".to_owned());
    }
    let bounds = |check: &Check| (check.at_least, check.at_most, check.published);
    let other = |check: &Check| b.checks.iter().find(|it| it.what == check.what);
    let differs = |check: &&Check| other(check).is_some_and(|it| bounds(it) != bounds(check));
    let check = a.checks.iter().find(differs)?;
    Some(format!("the bounds of '{}'", check.what))
}
