//! Which group an id or a name means.

use super::*;

const A: &str = "4f1d2c3b4a5968778695a4b3c2d1e0f00123456789abcdef0123456789abcdef";
const B: &str = "4f1d2c3b4a59ffff8695a4b3c2d1e0f00123456789abcdef0123456789abcdef";

fn paths(all: &[String]) -> Vec<PathBuf> {
    all.iter().map(PathBuf::from).collect()
}

/// A machine that has one container of each engine, and two units.
fn machine() -> Vec<PathBuf> {
    let id = |digit: char| digit.to_string().repeat(ID_DIGITS);
    paths(&[
        format!("system.slice/docker-{}.scope", id('1')),
        format!("docker/{}", id('2')),
        format!("machine.slice/libpod-{}.scope", id('3')),
        format!("machine.slice/libpod-{}.scope/container", id('3')),
        format!("machine.slice/libpod-conmon-{}.scope", id('3')),
        format!(
            "kubepods.slice/kubepods-pod12.slice/cri-containerd-{}.scope",
            id('4')
        ),
        format!("kubepods/besteffort/pod12/{}", id('5')),
        format!("kubepods.slice/kubepods-pod13.slice/crio-{}.scope", id('6')),
        format!(
            "kubepods.slice/kubepods-pod13.slice/crio-conmon-{}.scope",
            id('6')
        ),
        "system.slice/redis.service".to_owned(),
        "system.slice/redis-sentinel.service".to_owned(),
        "machine.slice/machine-build\\x2dbox.scope".to_owned(),
        "lxc.payload.cache".to_owned(),
    ])
}

#[test]
fn the_containers_of_every_engine_are_found_by_id_and_by_its_beginning() {
    let groups = machine();
    for (digit, place) in ('1'..='6').zip([0, 1, 2, 5, 6, 7]) {
        let id = digit.to_string().repeat(ID_DIGITS);
        for asked in [&id, &id[..SHORT_ID], &id[..1]] {
            assert_eq!(find(asked, &groups, &[]), Ok(&*groups[place]), "{asked}");
        }
    }
}

#[test]
fn units_machines_and_named_containers_are_found_by_name() {
    let groups = machine();
    let named = [Named {
        name: "web".to_owned(),
        id: "2".repeat(ID_DIGITS),
    }];
    for (asked, place) in [
        ("redis.service", 9),
        ("redis", 9),
        ("build-box", 11),
        ("cache", 12),
        ("web", 1),
    ] {
        assert_eq!(find(asked, &groups, &named), Ok(&*groups[place]), "{asked}");
    }
    // The name of a container that has no group, since it does not run.
    let stopped = [Named {
        name: "old".to_owned(),
        id: "9".repeat(ID_DIGITS),
    }];
    assert!(matches!(
        find("old", &groups, &stopped),
        Err(Unfound::Unknown { .. })
    ));
}

#[test]
fn a_beginning_of_two_ids_is_refused_with_both() {
    let groups = paths(&[format!("docker/{A}"), format!("docker/{B}")]);
    let Err(Unfound::Ambiguous { candidates, more }) = find(&A[..SHORT_ID], &groups, &[]) else {
        panic!("twelve digits of both");
    };
    assert_eq!((candidates.len(), more), (2, 0));
    assert!(candidates[0].contains(A) && candidates[1].contains(B));
    assert_eq!(find(&A[..13], &groups, &[]), Ok(&*groups[0]));
    assert_eq!(find(B, &groups, &[]), Ok(&*groups[1]));
}

#[test]
fn a_unit_of_two_users_is_ambiguous_and_a_group_inside_its_own_is_not() {
    let of = |user: u32| format!("user.slice/user-{user}.slice/app.slice/db.service");
    let two = paths(&[of(1), of(2)]);
    assert!(matches!(
        find("db", &two, &[]),
        Err(Unfound::Ambiguous { .. })
    ));
    let nested = paths(&[
        "a/db.service".to_owned(),
        "a/db.service/x/db.service".to_owned(),
    ]);
    assert_eq!(find("db", &nested, &[]), Ok(&*nested[0]));
}

#[test]
fn a_refusal_lists_containers_before_units_and_not_too_many() {
    let mut groups: Vec<PathBuf> = (0..20)
        .map(|it| PathBuf::from(format!("system.slice/s{it}.service")))
        .collect();
    groups.push(PathBuf::from(format!("docker/{A}")));
    let named = [Named {
        name: "web".to_owned(),
        id: A.to_owned(),
    }];
    let Err(Unfound::Unknown { there_are, more }) = find("wep", &groups, &named) else {
        panic!("there is no such group");
    };
    assert_eq!(there_are[0], format!("{} (web)", &A[..SHORT_ID]));
    assert_eq!((there_are.len(), more), (LISTED, 21 - LISTED));
}

#[test]
fn an_empty_name_means_nothing() {
    let groups = machine();
    for asked in ["", "/"] {
        let found = find(asked, &groups, &[]);
        assert!(matches!(found, Err(Unfound::Unknown { .. })));
    }
}

proptest::proptest! {
    /// The group that is found has what was asked for, and no other has it without being inside it.
    #[test]
    fn what_is_found_is_the_only_one(
        ids in proptest::collection::vec("[0-3]{2}", 0..12),
        shapes in proptest::collection::vec(0..4_usize, 12),
        asked in "[0-3]{0,3}",
    ) {
        let full = |id: &str| format!("{id}{}", "e".repeat(ID_DIGITS - id.len()));
        let groups: Vec<PathBuf> = ids.iter().zip(&shapes).map(|(id, shape)| {
            let id = full(id);
            PathBuf::from(match shape {
                0 => format!("system.slice/docker-{id}.scope"),
                1 => format!("docker/{id}"),
                2 => format!("kubepods.slice/pod/cri-containerd-{id}.scope"),
                _ => format!("machine.slice/libpod-{id}.scope"),
            })
        }).collect();
        let has = |group: &PathBuf| {
            id_of(last_of(group)).is_some_and(|id| !asked.is_empty() && id.starts_with(&asked))
        };
        let mut meant: Vec<&PathBuf> = groups.iter().filter(|it| has(it)).collect();
        meant.sort();
        meant.dedup();
        match find(&asked, &groups, &[]) {
            Ok(found) => proptest::prop_assert_eq!(meant, [found]),
            Err(Unfound::Ambiguous { .. }) => proptest::prop_assert!(meant.len() > 1),
            Err(Unfound::Unknown { .. }) => proptest::prop_assert!(meant.is_empty()),
        }
    }

    /// Whatever the paths and the words are, nothing fails, and what is found is one of the groups.
    #[test]
    fn any_paths_and_words(groups in proptest::collection::vec(".{0,80}", 0..8), asked in ".{0,70}") {
        let groups = paths(&groups);
        if let Ok(found) = find(&asked, &groups, &[]) {
            proptest::prop_assert!(groups.iter().any(|it| it == found));
        }
    }
}
