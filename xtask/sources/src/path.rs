//! The paths that tokens name: of `use`, of types and expressions, and inside macros.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};

use crate::item::is;

/// A path as written, with the line of its first word.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    pub words: Vec<String>,
    pub line: usize,
}

/// A leaf of a `use`: what it names, and under which name it goes from there on. A glob has no name.
pub struct Use {
    pub path: Path,
    pub name: Option<String>,
}

/// A word without the `r#` that makes a name of a keyword.
pub fn word(ident: &Ident) -> String {
    let word = ident.to_string();
    word.strip_prefix("r#").map(str::to_owned).unwrap_or(word)
}

pub fn line(ident: &Ident) -> usize {
    ident.span().start().line
}

/// The path that begins with the first token, and how many tokens it takes. A single word is a path too.
pub fn plain(tokens: &[TokenTree]) -> Option<(Path, usize)> {
    let TokenTree::Ident(first) = tokens.first()? else {
        return None;
    };
    let mut words = vec![word(first)];
    let mut at = 1;
    while let [a, b, TokenTree::Ident(next), ..] = &tokens[at..]
        && is(a, ':')
        && is(b, ':')
    {
        words.push(word(next));
        at += 3;
    }
    let line = line(first);
    Some((Path { words, line }, at))
}

/// The leaves of the `use` whose tree begins with the first token, and how many tokens there are before its semicolon.
pub fn uses(tokens: &[TokenTree]) -> (Vec<Use>, usize) {
    let end = tokens.iter().position(|token| is(token, ';'));
    let end = end.unwrap_or(tokens.len());
    let mut leaves = Vec::new();
    tree(&tokens[..end], &[], &mut leaves);
    (leaves, end)
}

fn tree(tokens: &[TokenTree], before: &[String], leaves: &mut Vec<Use>) {
    let mut words = before.to_vec();
    let mut first = None;
    let mut at = 0;
    while at < tokens.len() {
        match &tokens[at] {
            TokenTree::Ident(ident) if ident == "as" => {
                let name = match tokens.get(at + 1) {
                    Some(TokenTree::Ident(name)) => Some(word(name)),
                    _ => None,
                };
                return leaves.push(leaf(words, first, name));
            }
            TokenTree::Ident(ident) => {
                first.get_or_insert(line(ident));
                words.push(word(ident));
            }
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                for part in parts(group.stream()) {
                    tree(&part, &words, leaves);
                }
                return;
            }
            token if is(token, '*') => {
                let line = token.span().start().line;
                return leaves.push(leaf(words, first.or(Some(line)), None));
            }
            _ => {}
        }
        at += 1;
    }
    if first.is_some() {
        let name = words.iter().rev().find(|word| *word != "self").cloned();
        leaves.push(leaf(words, first, name));
    }
}

fn leaf(mut words: Vec<String>, line: Option<usize>, name: Option<String>) -> Use {
    // `a::{self}` is `a`.
    if words.len() > 1 && words.last().is_some_and(|word| word == "self") {
        words.pop();
    }
    let line = line.unwrap_or(0);
    let path = Path { words, line };
    Use { path, name }
}

fn parts(stream: TokenStream) -> Vec<Vec<TokenTree>> {
    let mut parts = vec![Vec::new()];
    for token in stream {
        if is(&token, ',') {
            parts.push(Vec::new());
        } else {
            parts.last_mut().expect("never empty").push(token);
        }
    }
    parts
}
