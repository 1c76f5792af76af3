//! The files of code.

use std::collections::BTreeMap;
use std::path::Path;

use locktoll_results::profile::Module;

/// Returns every mapped file by its path, from paths and GNU build ids. If different files had one name (because a new version
/// was installed meanwhile), no build id is right for both, and none is given.
pub fn modules<'f>(files: impl Iterator<Item = (&'f Path, &'f [u8])>) -> Vec<Module> {
    let mut ids: BTreeMap<String, Option<String>> = BTreeMap::new();
    for (path, build_id) in files {
        let id = hexadecimal(build_id);
        ids.entry(path.to_string_lossy().into_owned())
            .and_modify(|known| {
                if *known != id {
                    *known = None;
                }
            })
            .or_insert(id);
    }
    ids.into_iter()
        .map(|(path, build_id)| Module { path, build_id })
        .collect()
}

fn hexadecimal(bytes: &[u8]) -> Option<String> {
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    (!digits.is_empty()).then_some(digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn build_ids_are_written_as_tools_write_them() {
        assert_eq!(hexadecimal(&[0x0f, 0xa0]).as_deref(), Some("0fa0"));
        assert_eq!(hexadecimal(&[]), None);
    }
}
