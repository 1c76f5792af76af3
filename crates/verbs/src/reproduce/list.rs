//! `reproduce --list`: every claim with its time and its last verdict.

use std::fmt::Write;

use crate::reproduce::description::Description;
use crate::reproduce::earlier_results::State;
use locktoll_shown::verdict_words;
use locktoll_terminal::quantity::duration;

/// Returns the list as text.
pub fn text(claims: &[&Description], state: &State) -> String {
    let widest = claims
        .iter()
        .map(|described| described.title.chars().count())
        .max()
        .unwrap_or(0);
    let mut page = String::new();
    let mut seconds = 0.0;
    for described in claims {
        let runs = described.not_yet.is_none() && described.cannot_run.is_none();
        let time = match runs {
            false => "-".to_owned(),
            true => format!("{:.0} s", described.seconds),
        };
        seconds += if runs { described.seconds } else { 0.0 };
        let found = match (&described.not_yet, state.found(described)) {
            (Some(_), _) => "not run yet",
            (None, None) if described.cannot_run.is_some() => "cannot be run on this system",
            (None, Some(saved)) => verdict_words(saved.claim.verdict),
            (None, None) => "",
        };
        let line = format!(
            "{:4} {:widest$}  {time:>5}  {found}",
            described.id, described.title
        );
        let _ = writeln!(page, "{}", line.trim_end());
    }
    let claims = locktoll_terminal::quantity::counted(claims.len() as u64, "claim", "claims");
    let _ = writeln!(page, "{claims}, {} together", duration(seconds * 1e9));
    page
}

/// Returns the list as one JSON document, schema `locktoll.reproduce-list/1`.
pub fn json(claims: &[&Description], state: &State) -> String {
    let rows = claims.iter().map(|described| {
        let found = state.found(described);
        serde_json::json!({
            "id": described.id,
            "title": described.title,
            "claim": described.claim,
            "seconds": described.seconds,
            "not_yet": described.not_yet,
            "cannot_run": described.cannot_run,
            "verdict": found.map(|saved| saved.claim.verdict),
            "because": found.map(|saved| &saved.claim.because),
            "finished_at": found.map(|saved| saved.finished_at),
        })
    });
    let document = serde_json::json!({
        "schema": "locktoll.reproduce-list/1",
        "claims": rows.collect::<Vec<_>>(),
    });
    format!("{document:#}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::made_up;

    #[test]
    fn a_claim_without_runs_takes_no_time() {
        let runs = made_up::described("value = {}\nat_least = 1");
        let here = |id: &str| Description {
            id: id.to_owned(),
            title: "title".to_owned(),
            seconds: 20.0,
            ..runs.clone()
        };
        let later = Description {
            not_yet: Some("later".to_owned()),
            ..here("Z2")
        };
        let elsewhere = Description {
            cannot_run: Some("not here".to_owned()),
            ..here("Z3")
        };
        let all = [here("Z1"), later, elsewhere, here("Z4")];
        let claims: Vec<&Description> = all.iter().collect();
        let page = text(&claims, &State::new("here", None));
        let lines: Vec<&str> = page.lines().collect();
        assert_eq!(
            lines,
            [
                "Z1   title   20 s",
                "Z2   title      -  not run yet",
                "Z3   title      -  cannot be run on this system",
                "Z4   title   20 s",
                "4 claims, 40.0 s together"
            ]
        );
    }
}
