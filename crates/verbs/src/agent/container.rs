//! The container and the pod of a process, by the path of its control group.

/// Returns the ids of the container and of the pod that a control group belongs to; empty for none.
///
/// A pod's group is `kubepods-burstable-podID.slice` or `pod ID`, with underscores for hyphens under systemd; podman's is
/// `machine-libpod_pod_ID.slice`.
pub fn container_of(path: &str) -> (String, String) {
    let inside_out = || path.rsplit('/');
    let container = inside_out().find_map(id_of).unwrap_or_default();
    let pod = inside_out().find_map(pod_of).unwrap_or_default();
    (container.to_owned(), pod)
}

/// Returns the id of the container whose group has this name, such as `docker-ID.scope` or `ID`.
fn id_of(name: &str) -> Option<&str> {
    /// Digits of an id: 256 bits.
    const DIGITS: usize = 64;
    let name = name.strip_suffix(".scope").unwrap_or(name);
    let (engine, id) = name.rsplit_once('-').unwrap_or(("", name));
    let is_id = id.len() == DIGITS && id.bytes().all(|it| it.is_ascii_hexdigit());
    // The process that looks after a container has a group of its own.
    (is_id && !engine.ends_with("conmon")).then_some(id)
}

fn pod_of(name: &str) -> Option<String> {
    /// Digits of a static pod's id, of a UUID with its hyphens, of podman's ids: from 32 to 64.
    const DIGITS: std::ops::RangeInclusive<usize> = 32..=64;
    let name = name.strip_suffix(".slice").unwrap_or(name);
    let (_, id) = name.rsplit_once("pod")?;
    let id = id.trim_start_matches('_').replace('_', "-");
    let is_id = id.bytes().all(|it| it.is_ascii_hexdigit() || it == b'-');
    (is_id && DIGITS.contains(&id.len())).then_some(id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ID: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
    const POD: &str = "5d9b3c7e-1f0a-4b6e-9c2d-0a1b2c3d4e5f";

    #[test]
    fn each_engines_paths_are_read() {
        let under_systemd = POD.replace('-', "_");
        let of = |path: &str| container_of(path);
        for path in [
            format!(
                "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod{under_systemd}.slice/cri-containerd-{ID}.scope"
            ),
            format!("/kubepods.slice/kubepods-pod{under_systemd}.slice/crio-{ID}.scope"),
            format!("/kubepods/besteffort/pod{POD}/{ID}"),
            format!("/kubepods/besteffort/pod{POD}/{ID}/init.scope"),
        ] {
            assert_eq!(of(&path), (ID.to_owned(), POD.to_owned()), "{path}");
        }
        let alone = (ID.to_owned(), String::new());
        assert_eq!(of(&format!("/system.slice/docker-{ID}.scope")), alone);
        assert_eq!(of(&format!("/docker/{ID}")), alone);
        let podman = format!("/machine.slice/machine-libpod_pod_{ID}.slice/libpod-{ID}.scope");
        assert_eq!(of(&podman), (ID.to_owned(), ID.to_owned()));
        for none in [
            "/",
            "",
            "/system.slice/redis.service",
            "/kubepods.slice",
            "/pods/podcast",
        ] {
            assert_eq!(of(none), Default::default(), "{none}");
        }
    }

    proptest! {
        #[test]
        fn no_path_makes_it_fail(path in ".*") {
            let (container, pod) = container_of(&path);
            prop_assert!(container.len() <= 64 && pod.len() <= 64);
        }
    }
}
