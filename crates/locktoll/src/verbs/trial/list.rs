//! `try --list`: what can be tried, a line each.

use std::fmt::Write;

use locktoll_substitute::candidate::{self, Description};

use super::request;

/// The list as text; `defaults` are tried where nothing is asked for.
pub fn list(defaults: &[&str]) -> String {
    let widest = candidate::ALL.iter().map(|it| request::usage(it).len());
    let width = widest.max().unwrap_or(0);
    let mut page =
        String::from("LOCKS that a program can be tried on; * where --lock is not given\n");
    let _ = writeln!(
        page,
        "* {:width$}  the program without us; always in",
        "bare"
    );
    for it in candidate::ALL {
        let tried = tried_as(it, defaults);
        let star = if tried.is_empty() { ' ' } else { '*' };
        let _ = write!(page, "{star} {:width$}  {}", request::usage(it), it.summary);
        if it.is_pure_spinner {
            page.push_str(" (its waiters only spin)");
        }
        page.push('\n');
        if let Some(parameter) = it.parameter {
            let _ = writeln!(
                page,
                "  {:width$}  N: {}, {} to {}; {} if not given",
                "", parameter.meaning, parameter.least, parameter.most, parameter.default
            );
            if tried != [it.name] && !tried.is_empty() {
                let _ = writeln!(page, "  {:width$}  tried as {}", "", tried.join(", "));
            }
        }
    }
    page
}

/// The list as one JSON document, schema `locktoll.try-list/1`.
pub fn json(defaults: &[&str]) -> anyhow::Result<String> {
    let locks = candidate::ALL.iter().map(|it| {
        let parameter = it.parameter.map(|parameter| {
            serde_json::json!({
                "meaning": parameter.meaning,
                "least": parameter.least,
                "most": parameter.most,
                "default": parameter.default,
            })
        });
        serde_json::json!({
            "name": it.name,
            "summary": it.summary,
            "parameter": parameter,
            "is_pure_spinner": it.is_pure_spinner,
            "tried_as": tried_as(it, defaults),
        })
    });
    let document = serde_json::json!({
        "schema": "locktoll.try-list/1",
        "locks": locks.collect::<Vec<_>>(),
    });
    Ok(format!("{document:#}\n"))
}

/// The names under which a candidate is among the defaults.
fn tried_as<'a>(description: &Description, defaults: &[&'a str]) -> Vec<&'a str> {
    let of_it = defaults.iter().filter(|name| {
        let word = name.split(':').next();
        word == Some(description.name)
    });
    of_it.copied().collect()
}
