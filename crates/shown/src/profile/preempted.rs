//! Describes preempted holders in words.

use std::fmt::Write;

use locktoll_results::profile::{
    HolderPreemption, OffCpuTimes, PreemptionDropped, PreemptionSource, PreemptionTotal,
};
use locktoll_terminal::quantity::{count, counted, duration, share};

/// Describes those of one lock, in one or two sentences. Returns `None` if there is nothing to say.
pub fn of_lock(preemption: &HolderPreemption) -> Option<String> {
    let mut text = match (preemption.source, preemption.count) {
        (PreemptionSource::Estimate, 0) => return None,
        (PreemptionSource::SchedSwitch, 0) => "its holder was never preempted".to_owned(),
        (_, times) => {
            let times = counted(times, "time", "times");
            match preemption.total_ns {
                // For holds that also blocked, an estimate has no length.
                0 => format!("its holder was preempted {times}"),
                ns => format!(
                    "its holder was preempted {times}, {} in all",
                    duration(ns as f64)
                ),
            }
        }
    };
    if preemption.source == PreemptionSource::Estimate {
        let from = match preemption.examined.unwrap_or(0) {
            0 => "unusually long holds".to_owned(),
            holds => counted(holds, "examined hold", "examined holds"),
        };
        let _ = write!(
            text,
            " (estimated from {from}, voluntary yields included; --preemption measures it)"
        );
        return Some(text);
    }
    if let Some(max_ns) = preemption.max_ns.filter(|_| preemption.count > 0) {
        let _ = write!(text, ", the longest {}", duration(max_ns as f64));
    }
    if let (Some(ns), Some(part)) = (preemption.waited_meanwhile_ns, preemption.share_of_wait)
        && preemption.count > 0
    {
        let part = share((part * 1e6) as u64, 1_000_000);
        let _ = write!(
            text,
            "; {part} of all waiting for it ({}) fell into that time",
            duration(ns as f64)
        );
    }
    for (times, what) in [
        (preemption.yielded, "it yielded"),
        (preemption.blocked, "it waited for something else"),
        (
            preemption.stolen,
            "the hypervisor or interrupts took its CPU at least",
        ),
    ] {
        if let Some(OffCpuTimes {
            count, total_ns, ..
        }) = times.filter(|it| it.count > 0)
        {
            let times = counted(count, "time", "times");
            let _ = write!(text, "; {what} {times}, {}", duration(total_ns as f64));
        }
    }
    Some(text)
}

/// Describes those of all locks together, if every context switch was examined.
pub fn of_all(total: &PreemptionTotal) -> Option<String> {
    let dropped = total.dropped.as_ref()?;
    let threads = counted(total.threads.unwrap_or(0), "thread", "threads");
    let mut text = format!("watched the context switches of {threads}");
    if let (Some(times), Some(ns)) = (total.count, total.total_ns) {
        let _ = write!(
            text,
            "; holders were preempted {}",
            counted(times, "time", "times")
        );
        if ns > 0 {
            let _ = write!(text, ", {} in all", duration(ns as f64));
        }
    } else {
        text.push_str(
            "; no lock names its holder, so it is not known whether holders were preempted",
        );
    }
    if let (Some(ns), Some(part)) = (total.waited_meanwhile_ns, total.share_of_wait) {
        let part = share((part * 1e6) as u64, 1_000_000);
        let ns = duration(ns as f64);
        let of_what = match total.unknown_holders_wait_ns {
            Some(1..) => "the waiting for locks whose holders are known",
            _ => "all waiting",
        };
        let _ = write!(text, "; {part} of {of_what} ({ns}) fell into that time");
    }
    if let (Some(_), Some(ns @ 1..)) = (total.count, total.unknown_holders_wait_ns) {
        let _ = write!(
            text,
            "; {} of waiting was for locks whose holders are not known",
            duration(ns as f64)
        );
    }
    let lost = losses(dropped);
    if lost.is_empty() {
        text.push_str("; nothing was lost");
    } else {
        let _ = write!(text, "; not kept: {}", lost.join(", "));
    }
    if dropped.unseen > 0 {
        let _ = write!(
            text,
            "; {} to a CPU unseen, and estimated from the threads that ran since",
            counted(dropped.unseen, "return", "returns")
        );
    }
    Some(text)
}

fn losses(dropped: &PreemptionDropped) -> Vec<String> {
    [
        (
            dropped.unkept,
            "time that a holder did not run",
            "times that a holder did not run",
        ),
        (
            dropped.waits_unkept,
            "piece of waiting during such a time",
            "pieces of waiting during such times",
        ),
        (
            dropped.unread,
            "list of locks that was not in memory",
            "lists of locks that were not in memory",
        ),
        (
            dropped.too_many_held,
            "lock beyond the eight that a thread had acquired last",
            "locks beyond the eight that a thread had acquired last",
        ),
        (
            dropped.unregistered,
            "thread that could not register",
            "threads that could not register",
        ),
    ]
    .into_iter()
    .filter(|(number, ..)| *number > 0)
    .map(|(number, one, many)| {
        let what = if number == 1 { one } else { many };
        format!("{} {what}", count(number))
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use locktoll_made_up::sample;

    #[test]
    fn what_the_kernel_saw_and_what_is_an_estimate_read_differently() {
        let seen = sample::preemption();
        assert_eq!(
            of_lock(&seen).unwrap(),
            "its holder was preempted 412 times, 1.90 s in all, the longest 23.0 ms; 38.0 % of all waiting for it (2.10 s) \
             fell into that time; it yielded 20 times, 1.00 ms; the hypervisor or interrupts took its CPU at least 1 time, \
             250 us"
        );
        let never = HolderPreemption {
            count: 0,
            yielded: None,
            stolen: None,
            ..seen.clone()
        };
        assert_eq!(of_lock(&never).unwrap(), "its holder was never preempted");
        let estimate = HolderPreemption {
            source: PreemptionSource::Estimate,
            examined: Some(300),
            ..seen
        };
        let text = of_lock(&estimate).unwrap();
        assert!(
            text.contains("(estimated from 300 examined holds, "),
            "{text}"
        );
        assert!(!text.contains("of all waiting"), "{text}");
        let blocked = HolderPreemption {
            total_ns: 0,
            ..estimate.clone()
        };
        let text = of_lock(&blocked).unwrap();
        let begins = "its holder was preempted 412 times (estimated";
        assert!(text.starts_with(begins), "{text}");
        let none = HolderPreemption {
            count: 0,
            ..estimate
        };
        assert_eq!(of_lock(&none), None);
    }

    #[test]
    fn what_escaped_is_said() {
        let mut total = PreemptionTotal {
            source: PreemptionSource::SchedSwitch,
            count: Some(2),
            total_ns: Some(3_000_000),
            waited_meanwhile_ns: Some(1_000_000),
            share_of_wait: Some(0.5),
            unknown_holders_wait_ns: Some(0),
            threads: Some(1),
            dropped: Some(PreemptionDropped::default()),
        };
        assert_eq!(
            of_all(&total).unwrap(),
            "watched the context switches of 1 thread; holders were preempted 2 times, 3.00 ms in all; 50.0 % of all waiting \
             (1.00 ms) fell into that time; nothing was lost"
        );
        total.dropped = Some(PreemptionDropped {
            unkept: 1,
            unseen: 2,
            ..PreemptionDropped::default()
        });
        let text = of_all(&total).unwrap();
        assert!(
            text.contains("not kept: 1 time that a holder did not run"),
            "{text}"
        );
        assert!(text.contains("2 returns to a CPU unseen"), "{text}");
        total.unknown_holders_wait_ns = Some(4_000_000);
        let text = of_all(&total).unwrap();
        assert!(
            text.contains("; 4.00 ms of waiting was for locks whose holders are not known; "),
            "{text}"
        );
        (total.count, total.total_ns) = (None, None);
        (total.waited_meanwhile_ns, total.share_of_wait) = (None, None);
        let text = of_all(&total).unwrap();
        let begins = "watched the context switches of 1 thread; no lock names its holder";
        assert!(
            text.starts_with(begins) && !text.contains("0 times"),
            "{text}"
        );
        total.dropped = None;
        assert_eq!(of_all(&total), None, "an estimate is said lock by lock");
    }
}
