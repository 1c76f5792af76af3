//! The description of a machine in one line.

use std::fmt::Write;

use locktoll_lab::machine::Machine;
use locktoll_results::MadeOn;
use locktoll_terminal::escape::shown_text;

/// Describes the machine in one line.
pub fn machine_line(machine: &Machine) -> String {
    in_one_line(&MadeOn::of(machine))
}

/// Does the same for a machine with a short description.
pub fn in_one_line(machine: &MadeOn) -> String {
    let known = |text: &Option<String>| match text {
        Some(text) => shown_text(text),
        None => "unknown".to_owned(),
    };
    // Systems other than Linux give their name in it, and have no C library of their own.
    let kernel = known(&machine.kernel);
    let system = match kernel.starts_with("Windows") {
        true => kernel,
        false => format!("Linux {kernel}, {}", known(&machine.libc)),
    };
    let mut card = format!(
        "{}, {} usable CPUs{}, {system}",
        known(&machine.cpu_model),
        machine.usable_cpus,
        if machine.virtual_machine == Some(true) {
            " in a virtual machine"
        } else {
            ""
        },
    );
    if let Some(quota) = machine.quota_cpus {
        let _ = write!(card, ", quota of {quota} CPUs");
    }
    card
}
