//! On Windows there is no guest.

use std::path::Path;

use locktoll_lab::machine::Machine;

use crate::reproduce::guest_plan::GuestPlan;
use crate::reproduce::guest_run::GuestRun;

const NEEDS: &str = "needs Linux on x86-64: the guest runs a copy of this program";

/// Refuses to run a guest.
///
/// # Errors
/// Always: this cannot be done here.
pub fn carry_out(
    _plan: &GuestPlan,
    _machine: &Machine,
    _image: Option<&Path>,
    _next: impl FnMut(u32) -> bool,
) -> Result<Option<GuestRun>, String> {
    Err(NEEDS.to_owned())
}

/// Refuses a kernel image.
///
/// # Errors
/// Always, because locktoll boots no guest on Windows.
pub fn check_image(_image: &Path) -> Result<(), String> {
    Err(NEEDS.to_owned())
}
