//! The page from top to bottom.

use std::fmt::Write;

use anstyle::{AnsiColor, Effects, Style};

use super::{commands, findings, verbs};
use crate::{Shown, machine_line};
use locktoll_results::doctor::DoctorResult;
use locktoll_terminal::fold::folded;

/// Headings.
pub(super) const STRONG: Style = Style::new().effects(Effects::BOLD);
/// What is as it is wanted.
pub(super) const GOOD: Style = AnsiColor::Green.on_default();
/// What is not there.
pub(super) const BAD: Style = AnsiColor::Red.on_default();
/// What is there in part.
pub(super) const HALF: Style = AnsiColor::Yellow.on_default();

impl Shown for DoctorResult {
    fn title(&self) -> String {
        "locktoll doctor".to_owned()
    }

    fn write(&self, page: &mut String, _: usize) -> std::fmt::Result {
        render(page, self)
    }

    fn json(&self) -> anyhow::Result<serde_json::Value> {
        Ok(serde_json::to_value(self)?)
    }
}

fn render(page: &mut String, result: &DoctorResult) -> std::fmt::Result {
    let user = match result.user_id {
        Some(0) => ", as root".to_owned(),
        Some(user) => format!(", as user {user}"),
        None => String::new(),
    };
    folded(
        page,
        "",
        &format!("{}{user}", machine_line(&result.machine)),
    )?;
    writeln!(page)?;
    verbs::table(page, &result.verbs)?;
    commands::list(page, &result.findings)?;
    findings::list(page, result)
}
