//! The control group that a container's id or name means: a pure function of the groups' paths.
//!
//! | engine | path, by systemd | path, by the engine itself |
//! |---|---|---|
//! | Docker | `system.slice/docker-ID.scope` | `docker/ID` |
//! | podman | `machine.slice/libpod-ID.scope` | `libpod_parent/libpod-ID` |
//! | containerd in Kubernetes | `kubepods.slice/.../cri-containerd-ID.scope` | `kubepods/.../ID` |
//! | CRI-O | `kubepods.slice/.../crio-ID.scope` | `kubepods/.../crio-ID` |
//! | systemd | `system.slice/NAME.service`, `machine.slice/machine-NAME.scope` | |
//! | LXC | | `lxc.payload.NAME` |

use std::path::{Path, PathBuf};

/// Digits of an id: 256 bits.
const ID_DIGITS: usize = 64;

/// Digits by which engines show an id.
pub const SHORT_ID: usize = 12;

/// How many candidates a refusal lists.
const LISTED: usize = 8;

/// A name that an engine gave to an id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The name.
    pub name: String,
    /// The id.
    pub id: String,
}

/// Why no group was found. The candidates are those that may have been meant, at most a few.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unfound {
    /// None has this id or name.
    Unknown {
        /// Containers, then units.
        there_are: Vec<String>,
        /// How many there are besides.
        more: usize,
    },
    /// Several have.
    Ambiguous {
        /// The groups, as paths.
        candidates: Vec<String>,
        /// How many there are besides.
        more: usize,
    },
}

/// Finds the one group that `asked` means: by its full name or id, or else by the beginning of its id.
pub fn find<'a>(asked: &str, groups: &'a [PathBuf], named: &[Named]) -> Result<&'a Path, Unfound> {
    let asked = asked.trim_matches('/');
    let ids: Vec<&str> = named
        .iter()
        .filter(|it| it.name == asked)
        .map(|it| it.id.as_str())
        .collect();
    let fully = |group: &Path| {
        let name = last_of(group);
        let id = id_of(name);
        id.is_some_and(|id| id == asked || ids.contains(&id)) || has_name(name, asked)
    };
    let by_beginning = |group: &Path| has_id(group, asked);
    for is_meant in [&fully as &dyn Fn(&Path) -> bool, &by_beginning] {
        match &outermost(groups, is_meant)[..] {
            [] => {}
            [only] => return Ok(only),
            several => {
                let paths = several.iter().map(|it| it.display().to_string());
                let (candidates, more) = few(paths.collect());
                return Err(Unfound::Ambiguous { candidates, more });
            }
        }
    }
    let (there_are, more) = few(all_names(groups, named));
    Err(Unfound::Unknown { there_are, more })
}

/// Whether the id of the container whose group this is begins with `asked`.
pub fn has_id(group: &Path, asked: &str) -> bool {
    let id = id_of(last_of(group));
    !asked.is_empty() && id.is_some_and(|id| id.starts_with(asked))
}

/// Returns the groups that are meant, without those inside another one: an engine may make groups of its own name in a container's.
fn outermost<'a>(groups: &'a [PathBuf], is_meant: &dyn Fn(&Path) -> bool) -> Vec<&'a Path> {
    let meant: Vec<&Path> = groups
        .iter()
        .map(PathBuf::as_path)
        .filter(|it| is_meant(it))
        .collect();
    let is_inside = |inner: &Path| {
        let mut above = inner.ancestors().skip(1);
        above.any(|above| meant.contains(&above))
    };
    let mut outer: Vec<&Path> = meant.iter().copied().filter(|it| !is_inside(it)).collect();
    outer.dedup();
    outer
}

/// Returns the last part of a group's path; nothing if it is not text.
fn last_of(group: &Path) -> &str {
    let name = group.file_name().and_then(|name| name.to_str());
    name.unwrap_or_default()
}

/// Returns the id of the container whose group has this name.
fn id_of(name: &str) -> Option<&str> {
    let name = name.strip_suffix(".scope").unwrap_or(name);
    let (engine, id) = name.rsplit_once('-').unwrap_or(("", name));
    let is_id = id.len() == ID_DIGITS && id.bytes().all(|it| it.is_ascii_hexdigit());
    // The process that looks after a container has a group of its own.
    (is_id && !engine.ends_with("conmon")).then_some(id)
}

/// Whether a systemd unit, a machine or a container of LXC whose group has this name is called `asked`.
fn has_name(name: &str, asked: &str) -> bool {
    if asked.is_empty() {
        return false;
    }
    if name == asked || unit_of(name) == Some(asked) {
        return true;
    }
    let machine = unit_of(name).and_then(|it| it.strip_prefix("machine-"));
    machine.is_some_and(|it| it.replace("\\x2d", "-") == asked)
        || name.strip_prefix("lxc.payload.") == Some(asked)
}

/// Returns the name of a unit without its type.
fn unit_of(name: &str) -> Option<&str> {
    [".service", ".scope", ".slice"]
        .iter()
        .find_map(|kind| name.strip_suffix(kind))
}

/// Returns what a user may ask for: containers first, since units are many.
fn all_names(groups: &[PathBuf], named: &[Named]) -> Vec<String> {
    let names = || groups.iter().map(|it| last_of(it));
    let containers = names().filter_map(id_of).map(|id| {
        let short = id.get(..SHORT_ID).unwrap_or(id);
        match named.iter().find(|it| it.id == id) {
            Some(named) => format!("{short} ({})", named.name),
            None => short.to_owned(),
        }
    });
    let units = names().filter(|it| it.ends_with(".service"));
    let mut all: Vec<String> = Vec::new();
    for name in containers.chain(units.map(str::to_owned)) {
        if !all.contains(&name) {
            all.push(name);
        }
    }
    all
}

/// Returns the first few, and how many more there are.
fn few(mut all: Vec<String>) -> (Vec<String>, usize) {
    let more = all.len().saturating_sub(LISTED);
    all.truncate(LISTED);
    (all, more)
}

#[cfg(test)]
#[path = "container_tests.rs"]
mod tests;
