//! How many CPUs a process may use.

use std::path::{Path, PathBuf};

use locktoll_terminal::system::files::text_of_process;

/// Returns the number of CPUs that `pid` may use at a time: those that it may run on, or less if a control group limits its time.
pub fn usable_cpus(pid: u32) -> Option<f64> {
    let allowed = f64::from(u32::try_from(allowed_cpus(pid)?).ok()?);
    Some(quota(pid).map_or(allowed, |quota| quota.min(allowed)))
}

fn allowed_cpus(pid: u32) -> Option<usize> {
    let pid = rustix::process::Pid::from_raw(i32::try_from(pid).ok()?)?;
    let set = rustix::thread::sched_getaffinity(Some(pid)).ok()?;
    Some(set.count() as usize)
}

/// Returns the least limit of the process's control groups, in CPUs.
fn quota(pid: u32) -> Option<f64> {
    let groups = text_of_process(pid, "cgroup").ok()?;
    let mut least: Option<f64> = None;
    for line in groups.lines() {
        let Some((hierarchy, path)) = line.split_once(':').and_then(|(_, it)| it.split_once(':'))
        else {
            continue;
        };
        let root = match hierarchy {
            "" => PathBuf::from("/sys/fs/cgroup"),
            it if it.split(',').any(|controller| controller == "cpu") => {
                Path::new("/sys/fs/cgroup").join(it)
            }
            _ => continue,
        };
        let own = root.join(path.trim_start_matches('/'));
        for folder in own.ancestors().take_while(|it| it.starts_with(&root)) {
            if let Some(limit) = limit_of(folder) {
                least = Some(least.map_or(limit, |least| least.min(limit)));
            }
        }
    }
    least
}

fn limit_of(folder: &Path) -> Option<f64> {
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).ok();
    if let Some(text) = read("cpu.max") {
        return parse_max(&text);
    }
    let quota: f64 = read("cpu.cfs_quota_us")?.trim().parse().ok()?;
    let period: f64 = read("cpu.cfs_period_us")?.trim().parse().ok()?;
    (quota > 0.0 && period > 0.0).then(|| quota / period)
}

/// Parses `cpu.max`: a quota and a period, or `max`.
fn parse_max(text: &str) -> Option<f64> {
    let (quota, period) = text.trim().split_once(' ')?;
    let (quota, period): (f64, f64) = (quota.parse().ok()?, period.parse().ok()?);
    (quota > 0.0 && period > 0.0).then(|| quota / period)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quota_is_a_number_of_cpus() {
        assert_eq!(parse_max("150000 100000\n"), Some(1.5));
        assert_eq!(parse_max("max 100000\n"), None);
        assert_eq!(parse_max("nonsense"), None);
    }

    #[test]
    fn this_process_may_use_a_cpu() {
        let usable = usable_cpus(std::process::id()).unwrap();
        assert!(usable > 0.0, "{usable}");
        assert_eq!(usable_cpus(u32::MAX / 2), None);
    }
}
