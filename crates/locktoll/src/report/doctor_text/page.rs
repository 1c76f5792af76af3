//! The page from top to bottom.

use std::fmt::Write;

use anstyle::{AnsiColor, Effects, Style};

use super::super::text_fold::folded;
use super::super::{DoctorResult, machine_line};
use super::{commands, findings, verbs};

/// Headings.
pub(super) const STRONG: Style = Style::new().effects(Effects::BOLD);
/// What is as it is wanted.
pub(super) const GOOD: Style = AnsiColor::Green.on_default();
/// What is not there.
pub(super) const BAD: Style = AnsiColor::Red.on_default();
/// What is there in part.
pub(super) const HALF: Style = AnsiColor::Yellow.on_default();

/// The report, styled; whoever prints it takes the styles out where they are not wanted.
pub fn doctor_text(result: &DoctorResult) -> String {
    let mut page = String::new();
    render(&mut page, result).expect("writing to a string does not fail");
    page
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
