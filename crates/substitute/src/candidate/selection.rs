//! The candidates that are tried if none are named.

use super::description::{Default, Description};
use super::list::ALL;
use super::name::Candidate;

/// Iterates over the candidates that are tried if none are named, on `cpus` processors: each once, `pass-through` first.
pub fn defaults(cpus: u32) -> impl Iterator<Item = Candidate> {
    ALL.iter().flat_map(move |description| {
        let parameters = description.defaults;
        parameters
            .iter()
            .enumerate()
            .filter(move |(index, it)| {
                let earlier = &parameters[..*index];
                let parameter = parameter_of(description, **it, cpus);
                earlier
                    .iter()
                    .all(|it| parameter_of(description, *it, cpus) != parameter)
            })
            .map(move |(_, it)| Candidate {
                algorithm: description.algorithm,
                parameter: parameter_of(description, *it, cpus),
                slice_extension: false,
            })
    })
}

fn parameter_of(description: &Description, default: Default, cpus: u32) -> u32 {
    match (default, description.parameter) {
        (Default::Own, parameter) => parameter.map_or(0, |it| it.default),
        (Default::Number(number), _) => number,
        (Default::TimesCpus(times), Some(parameter)) => cpus
            .saturating_mul(times)
            .clamp(parameter.least, parameter.most),
        (Default::TimesCpus(_), None) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;

    fn names(cpus: u32) -> Vec<String> {
        defaults(cpus).map(|it| it.to_string()).collect()
    }

    #[test]
    fn all_can_be_named_and_are_distinct() {
        for cpus in [0, 1, 2, 64, u32::MAX] {
            let names = names(cpus);
            for (index, name) in names.iter().enumerate() {
                assert!(parse(name.as_bytes()).is_ok(), "{name}");
                assert!(!names[..index].contains(name), "{name} twice");
            }
        }
    }

    #[test]
    fn they_are_those_that_are_promised() {
        assert_eq!(
            names(2),
            [
                "pass-through",
                "tollgate",
                "futex3:0",
                "futex3:100",
                "adaptive",
                "ttas-backoff-yield",
                "ticket-yield",
                "one-spinner",
                "mcs-park",
                "gate:1",
                "gate:2",
                "gate:4",
            ]
        );
    }
}
