//! The files of code that a recording speaks of.

use std::collections::BTreeMap;

use locktoll_recording::reader::Part;

use super::Module;

/// Every file that was mapped, by its path. Where processes had different files by one name (a new version was
/// installed meanwhile), no build id is right for both, and none is given.
pub fn modules(parts: &[&Part]) -> Vec<Module> {
    let mut ids: BTreeMap<String, Option<String>> = BTreeMap::new();
    for module in parts.iter().flat_map(|part| &part.modules) {
        let path = module.path.to_string_lossy().into_owned();
        let id = hexadecimal(&module.build_id);
        ids.entry(path)
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
