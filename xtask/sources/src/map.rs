//! The rooms of a crate and the arrows between them.

use std::collections::BTreeMap;
use std::path::Path as File;

use proc_macro2::{Delimiter, Group, TokenTree};

use crate::crate_tree::{CrateTree, Piece};
use crate::item::{is, outer_attribute};
use crate::path::{Path, plain, uses};

/// The name under which the crate's root appears among rooms.
pub const ROOT: &str = "(root)";

/// A path in one room that names another one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Arrow {
    pub from: String,
    pub to: String,
    /// Relative to the workspace.
    pub file: String,
    pub line: usize,
    /// The path as written.
    pub path: String,
}

impl std::fmt::Display for Arrow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Arrow {
            from,
            to,
            file,
            line,
            path,
        } = self;
        write!(f, "{from} -> {to}: {file}:{line} ({path})")
    }
}

/// The rooms of a crate with the number of their files, and the arrows, sorted and each once.
pub struct Map {
    pub rooms: BTreeMap<String, usize>,
    pub arrows: Vec<Arrow>,
}

impl Map {
    /// Reads the crate in `folder`, which is relative to the workspace's `root`.
    pub fn read(root: &File, folder: &File) -> Map {
        let tree = CrateTree::read(root, folder);
        let mut files: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        let mut arrows = Vec::new();
        for piece in &tree.pieces {
            if let Some(room) = tree.room_of(&piece.module) {
                files.entry(room).or_default().push(&piece.file);
            }
            let mut walk = Walk {
                tree: &tree,
                piece,
                arrows: &mut arrows,
            };
            walk.tokens(&piece.tokens);
        }
        arrows.sort();
        arrows.dedup();
        let count = |mut files: Vec<&str>| {
            files.sort_unstable();
            files.dedup();
            files.len()
        };
        let rooms = files.into_iter().map(|(room, files)| (room, count(files)));
        Map {
            rooms: rooms.collect(),
            arrows,
        }
    }
}

/// A walk through the tokens of one piece.
struct Walk<'a> {
    tree: &'a CrateTree,
    piece: &'a Piece,
    arrows: &'a mut Vec<Arrow>,
}

impl Walk<'_> {
    fn tokens(&mut self, tokens: &[TokenTree]) {
        let mut at = 0;
        while at < tokens.len() {
            at += self.step(tokens, at);
        }
    }

    /// Looks at the token there, and says how many it has dealt with.
    fn step(&mut self, tokens: &[TokenTree], at: usize) -> usize {
        let rest = &tokens[at..];
        if let Some(attribute) = outer_attribute(rest) {
            self.attribute(attribute);
            return 2;
        }
        match rest {
            [TokenTree::Ident(keyword), inner @ ..] if keyword == "use" => {
                let (leaves, length) = uses(inner);
                // `use<'a>` in a type imports nothing.
                if !inner.first().is_some_and(|token| is(token, '<')) {
                    for leaf in leaves {
                        // What the root re-exports it does not use.
                        if !self.piece.module.is_empty() {
                            self.path(&leaf.path);
                        }
                    }
                    return 1 + length;
                }
                1
            }
            // `pub(in crate::room)` names a room that the item is in already.
            [TokenTree::Ident(keyword), TokenTree::Group(group), ..]
                if keyword == "pub" && group.delimiter() == Delimiter::Parenthesis =>
            {
                2
            }
            [TokenTree::Group(group), ..] => {
                self.group(group);
                1
            }
            [TokenTree::Ident(_), ..] => {
                let Some((path, length)) = plain(rest) else {
                    return 1;
                };
                let inside = at > 0
                    && (is(&tokens[at - 1], '.')
                        || is(&tokens[at - 1], ':') && follows_path(tokens, at));
                if path.words.len() > 1 && !inside {
                    self.path(&path);
                }
                length
            }
            _ => 1,
        }
    }

    fn group(&mut self, group: &Group) {
        let inner: Vec<TokenTree> = group.stream().into_iter().collect();
        self.tokens(&inner);
    }

    /// Attributes name paths as such, and serde's also within strings: `with = "crate::room::module"`.
    fn attribute(&mut self, attribute: &Group) {
        let tokens: Vec<TokenTree> = attribute.stream().into_iter().collect();
        if matches!(tokens.first(), Some(TokenTree::Ident(name)) if name == "doc") {
            return;
        }
        self.strings(&tokens);
        self.tokens(&tokens);
    }

    fn strings(&mut self, tokens: &[TokenTree]) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => {
                    let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                    self.strings(&inner);
                }
                TokenTree::Literal(literal) => {
                    let text = literal.to_string();
                    let text = text.trim_matches('"');
                    if text.starts_with("crate::") || text.starts_with("super::") {
                        let words = text.split("::").map(str::to_owned).collect();
                        let line = literal.span().start().line;
                        self.path(&Path { words, line });
                    }
                }
                _ => {}
            }
        }
    }

    fn path(&mut self, path: &Path) {
        let module = &self.piece.module;
        let Some(absolute) = self.tree.absolute(module, &path.words) else {
            return;
        };
        let Some(target) = self.tree.target(&absolute) else {
            return;
        };
        let name = |room: Option<String>| room.unwrap_or_else(|| ROOT.to_owned());
        let (from, to) = (name(self.tree.room_of(module)), name(target));
        if from != to {
            self.arrows.push(Arrow {
                from,
                to,
                file: self.piece.file.clone(),
                line: path.line,
                path: path.words.join("::"),
            });
        }
    }
}

/// Whether `::` stands before the token there, after a word or `>`: then it is the rest of a path.
fn follows_path(tokens: &[TokenTree], at: usize) -> bool {
    at > 1 && is(&tokens[at - 2], ':')
}
