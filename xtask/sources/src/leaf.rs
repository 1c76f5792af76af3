//! Files without files below them, and where a function's body can be changed there.

use std::collections::BTreeMap;
use std::path::Path;

use proc_macro2::{Delimiter, TokenTree};

use crate::crate_tree::{CrateTree, Piece};
use crate::item::is;
use crate::rust::code_lines;

/// A file of a crate that has no module below it.
#[derive(Clone, Debug)]
pub struct Leaf {
    /// Relative to the workspace, with forward slashes.
    pub file: String,
    pub room: String,
    /// Lines with code.
    pub code: usize,
    /// Line and column, from 1 and 0, right behind the brace that opens the body of a function which runs when it is called,
    /// not at compile time.
    pub body: (usize, usize),
}

/// The leaves of the crate in `folder` that have such a function.
pub fn leaves(root: &Path, folder: &Path) -> Vec<Leaf> {
    let tree = CrateTree::read(root, folder);
    let mut pieces: BTreeMap<&str, Vec<&Piece>> = BTreeMap::new();
    for piece in &tree.pieces {
        pieces.entry(&piece.file).or_default().push(piece);
    }
    let mut leaves = Vec::new();
    for file in &tree.files {
        let [piece] = pieces[file.file.as_str()][..] else {
            continue;
        };
        let below =
            |name: &Vec<String>| name.len() > piece.module.len() && name.starts_with(&piece.module);
        if tree.modules.keys().any(below) || file.text.contains("naked") {
            continue;
        }
        if let (Some(room), Some(body)) = (tree.room_of(&piece.module), body(&file.tokens)) {
            leaves.push(Leaf {
                file: file.file.clone(),
                room,
                code: code_lines(&file.text, &file.tokens),
                body,
            });
        }
    }
    leaves
}

/// Lines with code that are compiled when the unit with this root file is.
pub fn unit_code(root: &Path, file: &Path) -> usize {
    let tree = CrateTree::read_root(root, file);
    let files = tree.files.iter();
    files.map(|file| code_lines(&file.text, &file.tokens)).sum()
}

fn body(tokens: &[TokenTree]) -> Option<(usize, usize)> {
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Ident(keyword) if keyword == "fn" && !is_const(&tokens[..at]) => {
                let ends = |token: &&TokenTree| is(token, ';') || is_braces(token);
                if let Some(TokenTree::Group(body)) = tokens[at..].iter().find(ends) {
                    let open = body.span_open().start();
                    return Some((open.line, open.column + 1));
                }
            }
            // Macros are left alone: their bodies are not what they look like.
            TokenTree::Group(group) if !(at > 0 && follows_macro(&tokens[..at])) => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                if let Some(found) = body(&inner) {
                    return Some(found);
                }
            }
            _ => {}
        }
    }
    None
}

fn is_braces(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}

/// Whether `const` is among the words right before `fn`.
fn is_const(before: &[TokenTree]) -> bool {
    let words = before.iter().rev().map_while(|token| match token {
        TokenTree::Ident(word) => Some(word.to_string()),
        TokenTree::Literal(_) => Some(String::new()),
        _ => None,
    });
    words.into_iter().any(|word| word == "const")
}

/// Whether these tokens end with `name!` or `macro_rules! name`.
fn follows_macro(before: &[TokenTree]) -> bool {
    match before {
        [.., last] if is(last, '!') => true,
        [.., mark, TokenTree::Ident(_)] => is(mark, '!'),
        _ => false,
    }
}
