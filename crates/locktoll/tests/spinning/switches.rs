//! A program that switches between threads all the time is sampled only at its beginning, if it would pay for the samples at each switch.

use crate::bench::Bench;

/// How often the threads wake each other. They need some 5 us for it, so the program takes more than half a second, and what is sampled
/// of it, the 60 ms until the detector has looked at its switches, is a small part.
const ROUND_TRIPS: u32 = 150_000;

#[test]
fn a_program_that_switches_often_is_sampled_at_its_beginning() {
    let bench = Bench::new();
    let program = bench.built("spin_cost.c", &["-O1"]);
    let round_trips = ROUND_TRIPS.to_string();
    let Some((printed, profile)) = bench.profile(&program, &["switches", &round_trips]) else {
        return;
    };
    let warnings = profile["warnings"].as_array().unwrap().iter();
    let says = warnings.filter(|it| {
        it.as_str()
            .unwrap()
            .contains("only its beginning was sampled")
    });
    let with_kernel = profile["spin_samples"]["with_kernel"].as_bool().unwrap();
    // Events of the whole machine cost nothing at a switch.
    assert_eq!(says.count(), usize::from(!with_kernel), "{profile:#}");
    // It waits in the kernel, and in no loop. What was not sampled might be anything, but not more than there was.
    let printed = String::from_utf8(printed).unwrap();
    let cpu_ns = printed.lines().find_map(|it| it.strip_prefix("cpu ns="));
    let cpu_ns: f64 = cpu_ns.unwrap().parse().unwrap();
    let spun = |name: &str| profile["spin_cpu_ns"][name].as_f64().unwrap();
    assert_eq!(spun("median"), 0.0, "{profile:#}");
    assert!(spun("high") <= cpu_ns * 1.05, "{cpu_ns} {profile:#}");
    if !with_kernel {
        let of = |name: &str| profile["spin_samples"][name].as_f64().unwrap();
        let sampled_ns = of("samples") / of("rate_hz") * 1e9;
        assert!(spun("high") > 2.0 * sampled_ns, "{profile:#}");
    }
}
