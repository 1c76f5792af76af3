//! The machine in one line, at the head of a page.

use std::fmt::Write;

use locktoll_lab::machine::Machine;

/// The machine in one line.
pub fn machine_line(machine: &Machine) -> String {
    let known = |text: &Option<String>| text.clone().unwrap_or_else(|| "unknown".to_owned());
    // Other systems than Linux name themselves in it, and have no C library of their own.
    let kernel = known(&machine.kernel);
    let system = match kernel.starts_with("Windows") {
        true => kernel,
        false => format!("Linux {kernel}, {}", known(&machine.libc)),
    };
    let mut card = format!(
        "{}, {} usable CPUs{}, {system}",
        known(&machine.cpu_model),
        machine.usable_cpus.len(),
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
