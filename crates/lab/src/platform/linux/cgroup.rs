//! The CPU quota that a control group sets (kernel documentation, cgroup-v1 and cgroup-v2).

use super::tree::Tree;
use crate::platform::CgroupVersion;

/// The settings of this process's control group.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Cgroup {
    pub(super) version: Option<CgroupVersion>,
    /// Path of the group as the process sees it.
    pub(super) path: Option<String>,
    /// The quota of the tightest group on the path to the root, in CPUs' worth of time.
    pub(super) quota_cpus: Option<f64>,
}

/// Returns the time for which the quota kept this process's group from running since the group was made, in nanoseconds; `None`
/// where there is no quota or no such count.
pub(super) fn throttled_ns(tree: &Tree) -> Option<u64> {
    let groups = tree.text("/proc/self/cgroup")?;
    let mounts = tree.text("/proc/self/mounts")?;
    let (path, mount, field, unit_ns) = match v1_place(&groups, &mounts) {
        Some((path, mount)) => (path, mount, "throttled_time", 1),
        None => {
            let (path, mount) = v2_place(&groups, &mounts)?;
            (path, mount, "throttled_usec", 1_000)
        }
    };
    let stat = [path.trim_end_matches('/'), ""]
        .iter()
        .find_map(|group| tree.text(&format!("{mount}{group}/cpu.stat")))?;
    let count: u64 = stat
        .lines()
        .find_map(|line| line.strip_prefix(field)?.trim().parse().ok())?;
    count.checked_mul(unit_ns)
}

impl Cgroup {
    pub(super) fn read(tree: &Tree) -> Cgroup {
        let groups = tree.text("/proc/self/cgroup").unwrap_or_default();
        let mounts = tree.text("/proc/self/mounts").unwrap_or_default();
        v1(tree, &groups, &mounts)
            .or_else(|| v2(tree, &groups, &mounts))
            .unwrap_or_default()
    }
}

fn v1(tree: &Tree, groups: &str, mounts: &str) -> Option<Cgroup> {
    let path = group_path(groups, |controllers| {
        controllers.split(',').any(|c| c == "cpu")
    })?;
    let mount = mount_point(mounts, "cgroup", |options| {
        options.split(',').any(|o| o == "cpu")
    })?;
    let quota_cpus = tightest(path, |group| {
        let file = |name| format!("{mount}{group}/{name}");
        let quota_us: f64 = tree.value(&file("cpu.cfs_quota_us"))?;
        let period_us: f64 = tree.value(&file("cpu.cfs_period_us"))?;
        // -1 is "no limit".
        (quota_us > 0.0 && period_us > 0.0).then(|| quota_us / period_us)
    });
    Some(Cgroup {
        version: Some(CgroupVersion::V1),
        path: Some(path.to_owned()),
        quota_cpus,
    })
}

fn v2(tree: &Tree, groups: &str, mounts: &str) -> Option<Cgroup> {
    let (path, mount) = v2_place(groups, mounts)?;
    let quota_cpus = tightest(path, |group| {
        let text = tree.text(&format!("{mount}{group}/cpu.max"))?;
        let (quota_us, period_us) = text.split_once(' ')?;
        // "max" is "no limit", and does not parse as a number.
        Some(quota_us.parse::<f64>().ok()? / period_us.parse::<f64>().ok()?)
    });
    Some(Cgroup {
        version: Some(CgroupVersion::V2),
        path: Some(path.to_owned()),
        quota_cpus,
    })
}

/// Finds this process's group and where its hierarchy is mounted, for the v1 `cpu` controller.
fn v1_place<'a>(groups: &'a str, mounts: &'a str) -> Option<(&'a str, &'a str)> {
    let has_cpu = |list: &str| list.split(',').any(|word| word == "cpu");
    Some((
        group_path(groups, has_cpu)?,
        mount_point(mounts, "cgroup", has_cpu)?,
    ))
}

/// Does the same for cgroup v2, whose line names no controllers.
fn v2_place<'a>(groups: &'a str, mounts: &'a str) -> Option<(&'a str, &'a str)> {
    Some((
        group_path(groups, str::is_empty)?,
        mount_point(mounts, "cgroup2", |_| true)?,
    ))
}

/// Returns the path in the line `hierarchy:controllers:path` whose controllers `wanted` accepts.
fn group_path(groups: &str, wanted: impl Fn(&str) -> bool) -> Option<&str> {
    groups.lines().find_map(|line| {
        let mut fields = line.splitn(3, ':');
        let (_, controllers, path) = (fields.next()?, fields.next()?, fields.next()?);
        wanted(controllers).then_some(path)
    })
}

fn mount_point<'a>(
    mounts: &'a str,
    filesystem: &str,
    options_fit: impl Fn(&str) -> bool,
) -> Option<&'a str> {
    mounts.lines().find_map(|line| {
        let mut fields = line.split(' ').skip(1);
        let (point, kind, options) = (fields.next()?, fields.next()?, fields.next()?);
        (kind == filesystem && options_fit(options)).then_some(point)
    })
}

/// Returns the lowest quota from `path` up to the root, inclusive. In a container, the path may be the host's and not exist below
/// the mount; the root is then the container's own group.
fn tightest(path: &str, quota_of: impl Fn(&str) -> Option<f64>) -> Option<f64> {
    let mut group = path.trim_end_matches('/');
    let mut least: Option<f64> = None;
    loop {
        if let Some(quota) = quota_of(group) {
            least = Some(least.map_or(quota, |least| least.min(quota)));
        }
        match group.rfind('/') {
            Some(slash) => group = &group[..slash],
            None => return least,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tree::fake;
    use super::*;

    const V2_MOUNT: (&str, &str) = (
        "/proc/self/mounts",
        "cgroup2 /sys/fs/cgroup cgroup2 rw,nosuid 0 0\n",
    );

    #[test]
    fn v2_takes_the_tightest_group_on_the_way_up() {
        let (_folder, tree) = fake::tree(&[
            V2_MOUNT,
            ("/proc/self/cgroup", "0::/user.slice/app.scope\n"),
            ("/sys/fs/cgroup/user.slice/cpu.max", "150000 100000\n"),
            (
                "/sys/fs/cgroup/user.slice/app.scope/cpu.max",
                "max 100000\n",
            ),
        ]);
        let cgroup = Cgroup::read(&tree);
        assert_eq!(cgroup.version, Some(CgroupVersion::V2));
        assert_eq!(cgroup.quota_cpus, Some(1.5));
        assert_eq!(cgroup.path.as_deref(), Some("/user.slice/app.scope"));
    }

    #[test]
    fn v1_of_a_container_whose_path_is_the_hosts() {
        let (_folder, tree) = fake::tree(&[
            (
                "/proc/self/mounts",
                "cgroup /sys/fs/cgroup/cpu,cpuacct cgroup rw,cpu,cpuacct 0 0\n",
            ),
            (
                "/proc/self/cgroup",
                "4:memory:/x\n3:cpuacct,cpu:/docker/abc\n0::/\n",
            ),
            ("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "50000\n"),
            ("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n"),
        ]);
        let cgroup = Cgroup::read(&tree);
        assert_eq!(cgroup.version, Some(CgroupVersion::V1));
        assert_eq!(cgroup.quota_cpus, Some(0.5));
    }

    #[test]
    fn throttled_time_is_in_nanoseconds_in_both_versions() {
        let (_folder, two) = fake::tree(&[
            V2_MOUNT,
            ("/proc/self/cgroup", "0::/a\n"),
            (
                "/sys/fs/cgroup/a/cpu.stat",
                "usage_usec 7\nnr_throttled 2\nthrottled_usec 30\n",
            ),
        ]);
        assert_eq!(throttled_ns(&two), Some(30_000));
        let (_folder, one) = fake::tree(&[
            (
                "/proc/self/mounts",
                "cgroup /sys/fs/cgroup/cpu cgroup rw,cpu 0 0\n",
            ),
            ("/proc/self/cgroup", "1:cpu:/not/here\n"),
            (
                "/sys/fs/cgroup/cpu/cpu.stat",
                "nr_periods 0\nthrottled_time 30\n",
            ),
        ]);
        assert_eq!(throttled_ns(&one), Some(30));
    }

    #[test]
    fn no_limit_is_no_quota() {
        let (_folder, tree) = fake::tree(&[
            V2_MOUNT,
            ("/proc/self/cgroup", "0::/\n"),
            ("/sys/fs/cgroup/cpu.max", "max 100000\n"),
        ]);
        assert_eq!(Cgroup::read(&tree).quota_cpus, None);
    }

    #[test]
    fn nothing_readable_is_nothing_known() {
        let (_folder, tree) = fake::tree(&[]);
        assert_eq!(Cgroup::read(&tree), Cgroup::default());
    }
}
