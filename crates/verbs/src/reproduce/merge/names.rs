//! The names of machines, for the heads of columns.

use locktoll_lab::machine::Machine;

/// Words in the names of processors that say nothing: `Intel(R) Xeon(R) Processor @ 2.80GHz` is `Intel Xeon`.
const EMPTY: [&str; 4] = ["CPU", "Processor", "(R)", "(TM)"];

/// Returns a name for each machine: processor and CPUs. Equal names are numbered.
pub fn names(machines: &[&Machine]) -> Vec<String> {
    let plain: Vec<String> = machines.iter().map(|machine| plain(machine)).collect();
    let numbered = plain.iter().enumerate().map(|(at, name)| {
        match plain.iter().filter(|other| *other == name).count() {
            1 => name.clone(),
            _ => {
                let before = plain[..at].iter().filter(|other| *other == name).count();
                format!("{name} (#{})", before + 1)
            }
        }
    });
    numbered.collect()
}

fn plain(machine: &Machine) -> String {
    let model = machine.cpu_model.as_deref().unwrap_or("");
    let model = model
        .split_once('@')
        .map_or(model, |(before, _)| before)
        .replace("(R)", "")
        .replace("(TM)", "")
        .replace("(tm)", "");
    let words: Vec<&str> = (model.split_whitespace())
        .filter(|word| !EMPTY.contains(word))
        .collect();
    let model = match words.is_empty() {
        true => machine.architecture.clone(),
        false => words.join(" "),
    };
    let cpus = match machine.usable_cpus.len() {
        1 => "1 CPU".to_owned(),
        count => format!("{count} CPUs"),
    };
    let stand_in = machine.stand_in.as_ref();
    let stand_in = stand_in.map_or(String::new(), |what| format!(", {what}"));
    format!("{model}, {cpus}{stand_in}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(model: Option<&str>, cpus: usize) -> Machine {
        Machine {
            cpu_model: model.map(str::to_owned),
            usable_cpus: (0..cpus).collect(),
            architecture: "aarch64".to_owned(),
            stand_in: None,
            ..locktoll_made_up::made_up::reproduction().machine
        }
    }

    fn named(machines: &[Machine]) -> Vec<String> {
        names(&machines.iter().collect::<Vec<_>>())
    }

    #[test]
    fn a_machine_is_named_by_processor_and_cpus() {
        let xeon = machine(Some("Intel(R) Xeon(R) CPU @ 2.80GHz"), 2);
        let epyc = machine(Some("AMD EPYC 7763 Processor"), 1);
        let unknown = machine(None, 8);
        assert_eq!(
            named(&[xeon, epyc, unknown]),
            [
                "Intel Xeon, 2 CPUs",
                "AMD EPYC 7763, 1 CPU",
                "aarch64, 8 CPUs"
            ]
        );
    }

    #[test]
    fn equal_names_are_numbered() {
        let xeon = || machine(Some("Xeon"), 2);
        let other = machine(Some("Xeon"), 4);
        assert_eq!(
            named(&[xeon(), other, xeon()]),
            ["Xeon, 2 CPUs (#1)", "Xeon, 4 CPUs", "Xeon, 2 CPUs (#2)"]
        );
    }
}
