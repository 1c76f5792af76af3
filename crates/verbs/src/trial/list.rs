//! `try --list`: the candidates, one per line.

use std::fmt::Write;

use locktoll_substitute::candidate::{self, Candidate, Description};
use serde_json::json;

use super::request;

/// Returns the list as text, for a machine with this many processors.
pub fn list(cpus: u32) -> String {
    let widest = candidate::ALL.iter().map(|it| request::usage(it).len());
    let width = widest.max().unwrap_or(0);
    let mut page = String::from(
        "LOCKS that `try` can put into a program; those with * are tried if --lock is not given\n",
    );
    let _ = writeln!(
        page,
        "* {:width$}  the unmodified program; always included",
        "bare"
    );
    for it in candidate::ALL {
        let defaults = defaults(it, cpus);
        let star = if defaults.is_empty() { ' ' } else { '*' };
        let _ = write!(page, "{star} {:width$}  {}", request::usage(it), it.summary);
        if it.is_pure_spinner {
            page.push_str("; waiters only spin");
        }
        page.push('\n');
        if let Some(parameter) = it.parameter {
            let _ = write!(
                page,
                "  {:width$}  N: {}, {} to {} [default: {}]",
                "", parameter.meaning, parameter.least, parameter.most, parameter.default
            );
            if !defaults.is_empty() {
                let _ = write!(page, "; * {}", defaults.join(", "));
            }
            page.push('\n');
        }
    }
    page.push_str(
        "With +slice behind a name (tollgate+slice, futex3:0+slice), a thread requests a longer time slice while it holds a mutex \
         (Linux 7.0;\n`locktoll doctor` shows whether this machine has that)\n",
    );
    page
}

/// Returns the list as one JSON document, schema `locktoll.try-list/1`.
pub fn json(cpus: u32) -> anyhow::Result<String> {
    let locks = candidate::ALL.iter().map(|it| {
        let parameter = it.parameter.map(|parameter| {
            json!({
                "meaning": parameter.meaning,
                "least": parameter.least,
                "most": parameter.most,
                "default": parameter.default,
            })
        });
        json!({
            "name": it.name,
            "summary": it.summary,
            "source": it.lock.source,
            "waits": it.waits,
            "timed": it.timed,
            "parameter": parameter,
            "is_pure_spinner": it.is_pure_spinner,
            "defaults": defaults(it, cpus),
        })
    });
    let document = json!({
        "schema": "locktoll.try-list/1",
        "locks": locks.collect::<Vec<_>>(),
    });
    Ok(format!("{document:#}\n"))
}

/// Returns the names under which an algorithm is tried by default.
fn defaults(description: &Description, cpus: u32) -> Vec<String> {
    candidate::defaults(cpus)
        .filter(|it| it.algorithm == description.algorithm)
        .map(|it: Candidate| it.to_string())
        .collect()
}
