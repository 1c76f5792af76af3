//! Names: processor, hypervisor, container, C library.

use super::tree::Tree;

/// Returns the processor's own name, or the board's where the processor has none (many Arm systems).
pub(super) fn cpu_model(tree: &Tree) -> Option<String> {
    cpuinfo_field(tree, "model name").or_else(|| tree.text("/sys/firmware/devicetree/base/model"))
}

/// Reports whether a hypervisor runs this system, by the processor's flag or the kernel's own entry; `None` where neither would
/// show it (Arm has no such flag).
pub(super) fn virtual_machine(tree: &Tree) -> Option<bool> {
    if tree.exists("/sys/hypervisor/type") {
        return Some(true);
    }
    let flags = cpuinfo_field(tree, "flags")?;
    Some(flags.split(' ').any(|flag| flag == "hypervisor"))
}

fn cpuinfo_field(tree: &Tree, wanted: &str) -> Option<String> {
    let text = tree.text("/proc/cpuinfo")?;
    text.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        (name.trim() == wanted).then(|| value.trim().to_owned())
    })
}

/// Returns the kind of container that this seems to be, by the marks that the engines leave; `None` when no mark is found. None
/// of these marks is an interface.
pub(super) fn container(tree: &Tree, cgroup_path: Option<&str>) -> Option<String> {
    // systemd's convention, which nspawn, LXC and Podman follow.
    if let Some(kind) = tree.text("/run/systemd/container") {
        return Some(kind);
    }
    for (mark, kind) in [("/.dockerenv", "docker"), ("/run/.containerenv", "podman")] {
        if tree.exists(mark) {
            return Some(kind.into());
        }
    }
    ["kubepods", "docker", "containerd", "libpod", "lxc"]
        .into_iter()
        .find(|word| cgroup_path.is_some_and(|path| path.contains(word)))
        .map(str::to_owned)
}

/// Returns the C library that this program runs on. Only glibc reports its version. A program that is linked against musl has that.
pub(super) fn libc_version() -> Option<String> {
    #[cfg(target_env = "gnu")]
    {
        // SAFETY: glibc returns a pointer to a constant, NUL-terminated string.
        let version = unsafe { std::ffi::CStr::from_ptr(libc::gnu_get_libc_version()) };
        Some(format!("glibc {}", version.to_string_lossy()))
    }
    #[cfg(target_env = "musl")]
    return Some("musl".into());
    #[cfg(not(any(target_env = "gnu", target_env = "musl")))]
    None
}

#[cfg(test)]
mod tests {
    use super::super::tree::fake;
    use super::*;

    #[test]
    fn reads_cpuinfo() {
        let (_folder, tree) = fake::tree(&[(
            "/proc/cpuinfo",
            "processor\t: 0\nmodel name\t: Some CPU @ 3: fast\nflags\t\t: fpu hypervisor sse2\n",
        )]);
        assert_eq!(cpu_model(&tree).as_deref(), Some("Some CPU @ 3: fast"));
        assert_eq!(virtual_machine(&tree), Some(true));
    }

    #[test]
    fn bare_metal_and_unknown_are_told_apart() {
        let (_folder, bare) = fake::tree(&[("/proc/cpuinfo", "flags : fpu sse2\n")]);
        assert_eq!(virtual_machine(&bare), Some(false));
        let (_folder, arm) = fake::tree(&[("/proc/cpuinfo", "Features : fp asimd\n")]);
        assert_eq!(virtual_machine(&arm), None);
    }

    #[test]
    fn containers_by_their_marks() {
        let (_folder, docker) = fake::tree(&[("/.dockerenv", "")]);
        assert_eq!(container(&docker, None).as_deref(), Some("docker"));
        let (_folder, nspawn) = fake::tree(&[("/run/systemd/container", "systemd-nspawn\n")]);
        assert_eq!(container(&nspawn, None).as_deref(), Some("systemd-nspawn"));
        let (_folder, none) = fake::tree(&[]);
        assert_eq!(
            container(&none, Some("/kubepods/pod1")).as_deref(),
            Some("kubepods")
        );
        assert_eq!(container(&none, Some("/user.slice")), None);
    }

    #[cfg(target_env = "gnu")]
    #[test]
    fn glibc_says_its_version() {
        assert!(libc_version().unwrap().starts_with("glibc 2."));
    }
}
