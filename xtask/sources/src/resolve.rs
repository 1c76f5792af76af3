//! From a path as written to the room that it leads to.

use crate::crate_tree::{CrateTree, Name};

/// The folder whose modules are rooms of their own.
const VERBS: &str = "verbs";

/// Re-exports are followed this far; longer chains are circles.
const DEPTH: usize = 16;

impl CrateTree {
    /// Whether the crate keeps its verbs in a folder of rooms.
    fn has_verbs(&self) -> bool {
        self.modules
            .keys()
            .any(|name| name.len() > 1 && name[0] == VERBS)
    }

    /// The room that a module belongs to: none for the root.
    pub fn room_of(&self, module: &[String]) -> Option<String> {
        let [first, rest @ ..] = module else {
            return None;
        };
        match rest {
            [second, ..] if first == VERBS && self.has_verbs() => Some(format!("{first}/{second}")),
            _ => Some(first.clone()),
        }
    }

    /// A path from the crate's root, for one written in `module`: none if it leads out of the crate or means a name
    /// that is in scope.
    pub fn absolute(&self, module: &[String], words: &[String]) -> Option<Name> {
        let mut base = module.to_vec();
        let mut words = words;
        match words.first()?.as_str() {
            "crate" => {
                base.clear();
                words = &words[1..];
            }
            "self" | "super" => {
                while let [first, rest @ ..] = words {
                    match first.as_str() {
                        "self" => {}
                        "super" => drop(base.pop()),
                        _ => break,
                    }
                    words = rest;
                }
            }
            first => {
                base.push(first.to_owned());
                if !self.modules.contains_key(&base) {
                    return None;
                }
                words = &words[1..];
            }
        }
        base.extend_from_slice(words);
        Some(base)
    }

    /// The room that a path from the root leads to, behind the re-exports of the root and of `verbs`: `Some(None)` for an
    /// item of the root itself, none if a re-export leads out of the crate.
    pub fn target(&self, path: &[String]) -> Option<Option<String>> {
        self.target_within(path, DEPTH)
    }

    fn target_within(&self, path: &[String], depth: usize) -> Option<Option<String>> {
        if depth == 0 {
            return None;
        }
        let door = match path {
            [first, ..] if !self.modules.contains_key(&path[..1]) => {
                if let Some(module) = self.exported_macros.get(first) {
                    return Some(self.room_of(module));
                }
                0
            }
            [first, _, ..] if first == VERBS && !self.modules.contains_key(&path[..2]) => 1,
            _ => return Some(self.room_of(self.module_of(path))),
        };
        let (door, rest) = path.split_at(door);
        let name = &rest[0];
        let Some(module) = self.modules.get(door) else {
            return Some(None);
        };
        for item in &module.uses {
            if item.name.as_ref() == Some(name) {
                let mut target = self.absolute(door, &item.path.words)?;
                target.extend_from_slice(&rest[1..]);
                return self.target_within(&target, depth - 1);
            }
        }
        for glob in module.uses.iter().filter(|item| item.name.is_none()) {
            if let Some(target) = self.absolute(door, &glob.path.words)
                && self.offers(&target, name, depth - 1)
            {
                return self.target_within(&target, depth - 1);
            }
        }
        Some(self.room_of(door))
    }

    /// Whether a module has an item of this name, its own or taken from elsewhere.
    fn offers(&self, module: &[String], name: &String, depth: usize) -> bool {
        let Some(known) = self.modules.get(module) else {
            return false;
        };
        known.declared.contains(name)
            || known.uses.iter().any(|item| match &item.name {
                Some(taken) => taken == name,
                None => {
                    depth > 0
                        && self
                            .absolute(module, &item.path.words)
                            .is_some_and(|inner| self.offers(&inner, name, depth - 1))
                }
            })
    }

    /// The longest beginning of a path that is a module.
    fn module_of<'a>(&self, path: &'a [String]) -> &'a [String] {
        let length = (0..=path.len())
            .rev()
            .find(|&length| self.modules.contains_key(&path[..length]));
        &path[..length.unwrap_or(0)]
    }
}
