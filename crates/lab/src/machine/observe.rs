//! Reads the properties of the machine.

use crate::platform::{self, Machine, usable_cpus};

impl Machine {
    /// Reads the properties, and changes nothing.
    pub fn observe() -> Machine {
        // If the kernel does not report the usable CPUs, at least one exists: the one that runs this line.
        let usable = usable_cpus().unwrap_or_else(|_| vec![0]);
        platform::observe(usable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_has_a_cpu() {
        let machine = Machine::observe();
        assert!(!machine.usable_cpus.is_empty());
        assert_eq!(machine.topology.cpus.len(), machine.usable_cpus.len());
        let json = serde_json::to_value(&machine).unwrap();
        assert!(json["usable_cpus"].is_array());
    }
}
