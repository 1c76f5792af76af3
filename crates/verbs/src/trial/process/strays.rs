//! Processes that a program has started and left behind.
//!
//! A process that loses its parent becomes a child of locktoll (`PR_SET_CHILD_SUBREAPER`, prctl(2)), whatever its session and
//! group are. So no process outlives its run, and the next run finds the machine and its ports as the first did.

use std::io;
use std::time::{Duration, Instant};

use super::supervisor::GRACE;
use crate::run_program::launch::{Reaped, reap_any};
use locktoll_terminal::system::files::text_of_process;

/// Ends every child process of ours, and their children as we adopt them: by SIGTERM, and by SIGKILL after [`GRACE`]. Returns the
/// processor time that they used, in nanoseconds, without the processes of the session `but_of`.
///
/// Called when all children that we know of have been reaped.
///
/// # Errors
/// If they cannot be waited for.
pub fn end_all(but_of: Option<i32>) -> io::Result<u64> {
    let since = Instant::now();
    let (mut cpu_ns, mut asked) = (0, Vec::new());
    let mut pause = Duration::from_millis(1);
    loop {
        match reap_any()? {
            Reaped::NoChildren => return Ok(cpu_ns),
            Reaped::Ended(pid, used_ns) => {
                if !asked.contains(&(pid, true)) {
                    cpu_ns += used_ns;
                }
                continue;
            }
            Reaped::AllRun => {}
        }
        let is_over = since.elapsed() > GRACE;
        for (pid, session) in children() {
            let is_left_out = Some(session) == but_of;
            if is_over {
                signal(pid, libc::SIGKILL);
            } else if !asked.contains(&(pid, is_left_out)) {
                asked.push((pid, is_left_out));
                signal(pid, libc::SIGTERM);
                signal(pid, libc::SIGCONT);
            }
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

fn signal(pid: i32, signal: i32) {
    // SAFETY: no memory is involved; a child of ours keeps its id until we reap it.
    unsafe { libc::kill(pid, signal) };
}

/// Returns our children, with their sessions: proc_pid_stat(5).
fn children() -> Vec<(i32, i32)> {
    let own = std::process::id() as i32;
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let processes = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    processes
        .filter_map(|pid| {
            let stat = text_of_process(u32::try_from(pid).ok()?, "stat").ok()?;
            let (parent, session) = family(&stat)?;
            (parent == own).then_some((pid, session))
        })
        .collect()
}

/// Returns the parent and the session from a line of proc_pid_stat(5).
fn family(stat: &str) -> Option<(i32, i32)> {
    // The name is in parentheses and may itself contain parentheses; the state, field 3, follows it.
    let mut fields = stat.rsplit(") ").next()?.split_ascii_whitespace().skip(1);
    let parent = fields.next()?.parse().ok()?;
    let session = fields.nth(1)?.parse().ok()?;
    Some((parent, session))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_parentheses_moves_no_field() {
        let stat = "7 (a) b) (c) S 12 13 14 0 -1 4194560 100 5 0 0 12 34 0 0 20 0 1 0 1";
        assert_eq!(family(stat), Some((12, 14)));
        assert_eq!(family("7 (a"), None);
        let own = std::fs::read_to_string("/proc/self/stat").unwrap();
        assert_eq!(
            family(&own).unwrap().0,
            std::os::unix::process::parent_id() as i32
        );
    }
}
