//! The modules of a crate as its `mod` lines say, from `lib.rs` and `main.rs` down.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use crate::item::{is, outer_attribute, product};
use crate::path::{Use, uses, word};

/// A module by the words of its path; the crate's root has none.
pub type Name = Vec<String>;

/// What is known of one module before any path is followed.
#[derive(Default)]
pub struct Module {
    /// Items that it declares.
    pub declared: BTreeSet<String>,
    /// Its imports and re-exports.
    pub uses: Vec<Use>,
}

/// A piece of a file that belongs to one module, without what only tests see.
pub struct Piece {
    pub module: Name,
    /// Relative to the workspace, with forward slashes.
    pub file: String,
    pub tokens: Vec<TokenTree>,
}

/// A file of which at least a part is compiled without tests.
pub struct ProductFile {
    /// Relative to the workspace, with forward slashes.
    pub file: String,
    pub text: String,
    pub tokens: Vec<TokenTree>,
}

/// The modules of a crate. Files that only tests reach are not among them.
#[derive(Default)]
pub struct CrateTree {
    pub modules: BTreeMap<Name, Module>,
    pub pieces: Vec<Piece>,
    pub files: Vec<ProductFile>,
    /// Macros with `#[macro_export]`, which belong to the root wherever they are written.
    pub exported_macros: BTreeMap<String, Name>,
}

impl CrateTree {
    /// Reads the crate in `folder`, which is relative to the workspace's `root`.
    pub fn read(root: &Path, folder: &Path) -> CrateTree {
        let mut tree = CrateTree::default();
        for file in ["src/lib.rs", "src/main.rs"] {
            tree.root(root, &root.join(folder).join(file));
        }
        tree
    }

    /// Reads the unit with this root file, in the same way.
    pub fn read_root(root: &Path, file: &Path) -> CrateTree {
        let mut tree = CrateTree::default();
        tree.root(root, file);
        tree
    }

    fn root(&mut self, root: &Path, file: &Path) {
        if file.is_file() {
            self.file(root, file, Vec::new());
        }
    }

    fn file(&mut self, root: &Path, file: &Path, module: Name) {
        let text = std::fs::read_to_string(file)
            .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let stream = TokenStream::from_str(&text)
            .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let tokens = product(stream);
        let shown = file.strip_prefix(root).unwrap_or(file);
        let shown = shown.display().to_string().replace('\\', "/");
        self.files.push(ProductFile {
            file: shown.clone(),
            text,
            tokens: tokens.clone(),
        });
        let at = Place {
            root,
            file,
            shown,
            folder: folder_of_children(file),
        };
        self.module(&at, module, tokens);
    }

    fn module(&mut self, at: &Place, module: Name, tokens: Vec<TokenTree>) {
        self.modules.entry(module.clone()).or_default();
        let kept = self.contents(at, &module, tokens, true);
        self.pieces.push(Piece {
            module,
            file: at.shown.clone(),
            tokens: kept,
        });
    }

    /// Notes what a module declares, takes its inner modules out, and returns the rest.
    fn contents(
        &mut self,
        at: &Place,
        module: &Name,
        tokens: Vec<TokenTree>,
        items: bool,
    ) -> Vec<TokenTree> {
        let mut kept = Vec::new();
        let mut path_attribute = None;
        let mut exported = false;
        let mut index = 0;
        while index < tokens.len() {
            let rest = &tokens[index..];
            if let Some(attribute) = outer_attribute(rest) {
                path_attribute = path_attribute.or(value_of_path(attribute));
                exported |= is_macro_export(attribute);
                kept.extend_from_slice(&rest[..2]);
                index += 2;
                continue;
            }
            match rest {
                [TokenTree::Ident(keyword), TokenTree::Ident(name), end, ..]
                    if keyword == "mod" && (is(end, ';') || is_braces(end)) =>
                {
                    let mut child = module.clone();
                    child.push(word(name));
                    self.declare(module, word(name));
                    self.child(at, child, end, path_attribute.take());
                    index += 3;
                    continue;
                }
                [TokenTree::Ident(keyword), inner @ ..] if items && keyword == "use" => {
                    let leaves = uses(inner).0;
                    self.modules
                        .entry(module.clone())
                        .or_default()
                        .uses
                        .extend(leaves);
                }
                [TokenTree::Ident(keyword), mark, TokenTree::Ident(name), ..]
                    if keyword == "macro_rules" && is(mark, '!') && exported =>
                {
                    self.exported_macros.insert(word(name), module.clone());
                }
                [TokenTree::Ident(keyword), TokenTree::Ident(name), ..]
                    if items && declares(&keyword.to_string()) =>
                {
                    self.declare(module, word(name));
                }
                _ => {}
            }
            let ends = is(&rest[0], ';') || is_braces(&rest[0]);
            kept.push(match &rest[0] {
                TokenTree::Group(group) => {
                    let inner = group.stream().into_iter().collect();
                    let inner = self.contents(at, module, inner, false);
                    let mut new = Group::new(group.delimiter(), inner.into_iter().collect());
                    new.set_span(group.span());
                    TokenTree::Group(new)
                }
                token => token.clone(),
            });
            if ends {
                (path_attribute, exported) = (None, false);
            }
            index += 1;
        }
        kept
    }

    fn declare(&mut self, module: &Name, item: String) {
        let module = self.modules.entry(module.clone()).or_default();
        module.declared.insert(item);
    }

    fn child(&mut self, at: &Place, child: Name, end: &TokenTree, path: Option<String>) {
        let name = child.last().expect("a child has a name").clone();
        if let TokenTree::Group(group) = end {
            let inside = Place {
                folder: at.folder.join(name),
                ..at.clone()
            };
            self.module(&inside, child, group.stream().into_iter().collect());
            return;
        }
        let beside_file = at.file.parent().expect("a file has a folder");
        let candidates = match path {
            Some(path) => vec![beside_file.join(path)],
            None => vec![
                at.folder.join(format!("{name}.rs")),
                at.folder.join(name).join("mod.rs"),
            ],
        };
        if let Some(file) = candidates.iter().find(|file| file.is_file()) {
            self.file(at.root, file, child);
        }
    }
}

/// Where a piece of a file is.
#[derive(Clone)]
struct Place<'a> {
    root: &'a Path,
    file: &'a Path,
    shown: String,
    /// Where files of its inner modules are looked for.
    folder: PathBuf,
}

fn folder_of_children(file: &Path) -> PathBuf {
    let stem = file.file_stem().unwrap_or_default();
    let folder = file.parent().expect("a file has a folder");
    if ["lib", "main", "mod", "build"]
        .iter()
        .any(|door| *door == stem)
    {
        folder.to_owned()
    } else {
        folder.join(stem)
    }
}

fn is_braces(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}

fn declares(keyword: &str) -> bool {
    [
        "fn", "struct", "enum", "union", "trait", "type", "const", "static",
    ]
    .contains(&keyword)
}

fn is_macro_export(attribute: &Group) -> bool {
    let first = attribute.stream().into_iter().next();
    matches!(first, Some(TokenTree::Ident(name)) if name == "macro_export")
}

/// `FILE` of `#[path = "FILE"]`.
fn value_of_path(attribute: &Group) -> Option<String> {
    let tokens: Vec<TokenTree> = attribute.stream().into_iter().collect();
    match &tokens[..] {
        [TokenTree::Ident(name), equals, TokenTree::Literal(value)]
            if name == "path" && is(equals, '=') =>
        {
            Some(value.to_string().trim_matches('"').to_owned())
        }
        _ => None,
    }
}
