//! The names that container engines give to ids, where they keep them.
//!
//! A group's path has only the id. Each engine's files are a hint: if one cannot be read, its containers are found by their ids.

use std::fs;
use std::io::Read;
use std::path::Path;

use serde::Deserialize;

use super::container::Named;
use locktoll_terminal::system::files::open_regular;

/// Docker: a folder for each container, with its description.
const DOCKER: &str = "var/lib/docker/containers";
/// podman: one list.
const PODMAN: &str = "var/lib/containers/storage/overlay-containers/containers.json";
/// Kubernetes: a link for each container, `POD_NAMESPACE_CONTAINER-ID.log`.
const KUBERNETES: &str = "var/log/containers";

/// More than any description of a container has.
const MOST_BYTES: u64 = 4 << 20;
const MOST_CONTAINERS: usize = 10_000;

/// Returns all names below `root` that may be read.
pub fn names_below(root: &Path) -> Vec<Named> {
    let mut all = docker(&root.join(DOCKER));
    all.extend(podman(&text(&root.join(PODMAN)).unwrap_or_default()));
    let links = file_names(&root.join(KUBERNETES));
    all.extend(links.iter().flat_map(|name| kubernetes(name)));
    all
}

fn docker(folder: &Path) -> Vec<Named> {
    #[derive(Deserialize)]
    struct Description {
        #[serde(rename = "Name")]
        name: String,
    }
    let ids = file_names(folder).into_iter();
    let named = ids.filter_map(|id| {
        let description = text(&folder.join(&id).join("config.v2.json"))?;
        let description: Description = serde_json::from_str(&description).ok()?;
        Some(Named {
            name: description.name.trim_start_matches('/').to_owned(),
            id,
        })
    });
    named.collect()
}

fn podman(list: &str) -> Vec<Named> {
    #[derive(Deserialize)]
    struct Container {
        id: String,
        #[serde(default)]
        names: Vec<String>,
    }
    let containers: Vec<Container> = serde_json::from_str(list).unwrap_or_default();
    let named = containers.into_iter().flat_map(|it| {
        let id = it.id;
        it.names.into_iter().map(move |name| Named {
            name,
            id: id.clone(),
        })
    });
    named.collect()
}

/// Returns the names by which a container of a pod may be meant: the container's, the pod's, and both.
fn kubernetes(link: &str) -> Vec<Named> {
    let parts = link.strip_suffix(".log").and_then(|it| it.rsplit_once('-'));
    let Some((path, id)) = parts else {
        return Vec::new();
    };
    let [pod, _namespace, container] = path.splitn(3, '_').collect::<Vec<_>>()[..] else {
        return Vec::new();
    };
    let names = [
        container.to_owned(),
        format!("{pod}/{container}"),
        pod.to_owned(),
    ];
    names
        .map(|name| Named {
            name,
            id: id.to_owned(),
        })
        .into()
}

fn file_names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.filter_map(|it| it.file_name().into_string().ok());
    names.take(MOST_CONTAINERS).collect()
}

fn text(path: &Path) -> Option<String> {
    let mut text = String::new();
    let file = open_regular(path).ok()?;
    file.take(MOST_BYTES).read_to_string(&mut text).ok()?;
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str, id: &str) -> Named {
        Named {
            name: name.to_owned(),
            id: id.to_owned(),
        }
    }

    #[test]
    fn every_engines_names_are_read_where_it_keeps_them() {
        let root = tempfile::tempdir().unwrap();
        let docker = root.path().join(DOCKER);
        fs::create_dir_all(docker.join("aa")).unwrap();
        fs::create_dir_all(docker.join("broken")).unwrap();
        fs::write(
            docker.join("aa/config.v2.json"),
            r#"{"ID":"aa","Name":"/web"}"#,
        )
        .unwrap();
        fs::write(docker.join("broken/config.v2.json"), "{").unwrap();
        let podman = root.path().join(PODMAN);
        fs::create_dir_all(podman.parent().unwrap()).unwrap();
        fs::write(
            podman,
            r#"[{"id":"bb","names":["db","database"]},{"id":"cc"}]"#,
        )
        .unwrap();
        let links = root.path().join(KUBERNETES);
        fs::create_dir_all(&links).unwrap();
        fs::write(links.join("api-7d_default_nginx-dd.log"), "").unwrap();
        fs::write(links.join("notes.txt"), "").unwrap();
        let wanted = [
            named("web", "aa"),
            named("db", "bb"),
            named("database", "bb"),
            named("nginx", "dd"),
            named("api-7d/nginx", "dd"),
            named("api-7d", "dd"),
        ];
        assert_eq!(names_below(root.path()), wanted);
    }

    proptest::proptest! {
        #[test]
        fn no_file_makes_it_fail(list in ".{0,200}", link in ".{0,80}") {
            podman(&list);
            kubernetes(&link);
        }
    }
}
