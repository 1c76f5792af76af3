//! Notes that the reader of the figures needs.

use super::Seen;
use crate::futexes::gathered::Gathered;
use crate::futexes::unwind::Cut;
use locktoll_terminal::escape::shown;
use locktoll_terminal::quantity::{count, counted, share};

/// Returns sentences about how the processes were watched, the most important first.
pub fn about(seen: &Seen<'_>) -> Vec<String> {
    let gathered = seen.gathered;
    let mut remarks = Vec::new();
    if gathered.waits.iter().all(|wait| wait.waits() == 0) && gathered.waiting.is_empty() {
        remarks.push("no thread waited for a futex".to_owned());
    }
    remarks.extend(of_go(seen));
    remarks.extend(cut_stacks(gathered));
    if let Some(extent) = gathered.walks.extent
        && extent.without_room > 0
    {
        remarks.push(format!(
            "{} no room for their tables of stacks (--max-rules): calls through them may be missing",
            counted(extent.without_room as u64, "file has", "files have")
        ));
    }
    if gathered.since_we_came > 0 {
        remarks.push(format!(
            "{} before attach: counted from then on",
            counted(gathered.since_we_came, "wait began", "waits began")
        ));
    }
    if gathered.begun_before > 0 {
        remarks.push(format!(
            "{} left out",
            counted(
                gathered.begun_before,
                "wait that began before attach is",
                "waits that began before attach are"
            )
        ));
    }
    remarks.extend(not_watched(gathered));
    remarks.extend(without_room(gathered));
    remarks.extend(not_read(seen));
    remarks
}

/// Reports processes that were started and are not watched.
fn not_watched(gathered: &Gathered) -> Option<String> {
    let started = gathered.lives.processes_started;
    if started == 0 || gathered.follows_children {
        return None;
    }
    let processes = counted(started, "process was", "processes were");
    Some(format!(
        "{processes} started during the watch and not watched; --children watches them"
    ))
}

/// Reports processes that should have been watched, from their beginning or from an execve on.
fn without_room(gathered: &Gathered) -> Option<String> {
    let dropped = gathered.dropped.images;
    (dropped > 0).then(|| {
        let processes = counted(dropped, "process", "processes");
        format!("there was no room for {processes} (--max-entries), which are not watched")
    })
}

/// Reports processes that had ended before anybody could look at them.
fn not_read(seen: &Seen<'_>) -> Option<String> {
    let waited = |number| seen.gathered.waits.iter().any(|it| it.process == number);
    let unread = seen
        .processes
        .all()
        .filter(|&(number, observed)| !observed.is_readable() && waited(number));
    let unread = unread.count() as u64;
    (unread > 0).then(|| {
        let processes = counted(unread, "process", "processes");
        format!(
            "{processes} ended before attach could read the code: places in that code are shown as addresses"
        )
    })
}

/// Reports that goroutines wait for each other without the kernel.
fn of_go(seen: &Seen<'_>) -> Option<String> {
    let go = seen.processes.files().all().iter().find(|file| {
        let loads = file.loads.as_ref();
        loads.is_some_and(|loads| loads.is_of_go)
    })?;
    let name = shown(go.path.as_os_str());
    Some(format!(
        "{name} is a Go program: goroutines wait for locks and channels without the kernel, which sees only idle threads that wait for \
         work. The places that wake them show which locks and channels are handed over"
    ))
}

/// Reports stacks whose outermost functions are missing, if there are many.
fn cut_stacks(gathered: &Gathered) -> Option<String> {
    let of = |sort: fn(&Cut) -> bool| gathered.cut_stacks.values().filter(|cut| sort(cut)).count();
    let all = gathered.stacks.len();
    let unexplained = of(|cut| *cut != Cut::TooDeep);
    // Some such stacks are expected, from threads that were caught in the middle of a call.
    (unexplained * 20 > all).then(|| {
        format!(
            "{} of {} ({}) are cut short: some code has neither call frame information nor frame pointers",
            count(unexplained as u64),
            counted(all as u64, "stack of calls", "stacks of calls"),
            share(unexplained as u64, all as u64)
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::futexes::gathered::{Wait, Waiting};
    use crate::futexes::process::{Processes, Subject};

    /// What is said of `gathered`, which comes from this very process.
    fn said(gathered: &Gathered) -> Vec<String> {
        let own = Subject::of(std::process::id()).unwrap();
        let processes = Processes::begin([(7, own)]);
        about(&Seen {
            processes: &processes,
            gathered,
            duration_ns: 1_000,
        })
    }

    fn waited() -> Gathered {
        Gathered {
            waits: vec![Wait {
                process: 7,
                woken: 1,
                ..Wait::default()
            }],
            ..Gathered::default()
        }
    }

    #[test]
    fn nothing_is_said_of_a_watch_that_missed_nothing() {
        assert_eq!(said(&waited()), [""; 0]);
        let mut in_full = waited();
        in_full.walks.extent = Some(Default::default());
        assert_eq!(said(&in_full), [""; 0]);
    }

    #[test]
    fn a_program_that_nobody_waits_in_is_said_to_be_one() {
        const NOBODY: &str = "no thread waited for a futex";
        assert_eq!(said(&Gathered::default()), [NOBODY]);
        // A call that found the word changed did not wait.
        let mut again = waited();
        (again.waits[0].woken, again.waits[0].again) = (0, 1);
        assert_eq!(said(&again), [NOBODY]);
        again.waiting.push(Waiting::default());
        assert_eq!(said(&again), [""; 0]);
    }

    #[test]
    fn whatever_is_missing_is_counted() {
        let mut gathered = waited();
        let extent = gathered.walks.extent.get_or_insert_default();
        extent.without_room = 2;
        gathered.since_we_came = 1;
        gathered.begun_before = 3;
        gathered.lives.processes_started = 4;
        gathered.dropped.images = 5;
        gathered.waits.push(Wait {
            process: 8,
            woken: 1,
            ..Wait::default()
        });
        assert_eq!(
            said(&gathered),
            [
                "2 files have no room for their tables of stacks (--max-rules): calls through them may be missing",
                "1 wait began before attach: counted from then on",
                "3 waits that began before attach are left out",
                "4 processes were started during the watch and not watched; --children watches them",
                "there was no room for 5 processes (--max-entries), which are not watched",
            ]
        );
        gathered.follows_children = true;
        assert!(!said(&gathered).concat().contains("--children"));
    }

    #[test]
    fn stacks_that_end_early_are_reported_if_they_are_more_than_one_in_twenty() {
        let of = |cuts: &[Cut]| {
            let mut gathered = waited();
            gathered.stacks = (1..=20).map(|number| (number, Vec::new())).collect();
            gathered.cut_stacks = (1..).zip(cuts.iter().copied()).collect();
            said(&gathered)
        };
        assert_eq!(of(&[Cut::NoFrame]), [""; 0]);
        assert_eq!(
            of(&[Cut::NoFrame, Cut::Unsupported]),
            [
                "2 of 20 stacks of calls (10.0 %) are cut short: some code has neither call frame information nor frame pointers"
            ]
        );
        // A deep recursion is not code that cannot be walked.
        assert_eq!(of(&[Cut::NoFrame, Cut::TooDeep, Cut::TooDeep]), [""; 0]);
    }
}
