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
