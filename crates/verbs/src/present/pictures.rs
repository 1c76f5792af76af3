//! The pictures of a page: files in a folder next to it.

use std::path::{Path, PathBuf};

use locktoll_shown::{Document, Part};
use locktoll_terminal::escape::shown;
use locktoll_terminal::failure::Failure;
use locktoll_terminal::output;
use locktoll_terminal::quantity::counted;

use super::target::write_whole;

/// Returns the name of the folder: that of the page without its ending.
pub fn folder(page: &Path) -> String {
    let stem = page.file_stem().unwrap_or_default().to_string_lossy();
    match page.extension() {
        Some(_) => stem.into_owned(),
        // The page itself has the other name.
        None => format!("{stem}-pictures"),
    }
}

/// Checks that a folder can have this name.
///
/// # Errors
/// [`Failure::Usage`] if something else has it.
pub fn check(page: &Path) -> Result<(), Failure> {
    let folder = place(page);
    match folder.exists() && !folder.is_dir() {
        true => Err(Failure::Usage(format!(
            "{} is not a folder, but the pictures of {} go into a folder of that name; give another file with -o",
            shown(folder.as_os_str()),
            shown(page.as_os_str())
        ))),
        false => Ok(()),
    }
}

/// Writes the pictures, and says where they are.
///
/// # Errors
/// [`Failure::Run`] if one cannot be written.
pub fn put(page: &Path, pictures: Vec<Document>) -> Result<(), Failure> {
    if pictures.is_empty() {
        return Ok(());
    }
    let folder = place(page);
    let cannot = |path: &Path, error: std::io::Error| {
        let name = shown(path.as_os_str());
        Failure::Run(anyhow::Error::from(error).context(format!("cannot write {name}")))
    };
    std::fs::create_dir_all(&folder).map_err(|error| cannot(&folder, error))?;
    let count = counted(pictures.len() as u64, "picture", "pictures");
    for document in pictures {
        if let Some(Part::Picture(name)) = &document.part {
            let file = folder.join(name);
            write_whole(&file, &document.content).map_err(|error| cannot(&file, error))?;
        }
    }
    output::say(&format!(
        "locktoll: {}: {count}, shown by {}",
        shown(folder.as_os_str()),
        shown(page.as_os_str())
    ));
    Ok(())
}

fn place(page: &Path) -> PathBuf {
    page.with_file_name(folder(page))
}

#[cfg(test)]
mod tests {
    use super::*;
    use locktoll_shown::Content;

    #[test]
    fn the_folder_is_named_as_the_page() {
        for (page, expected) in [
            ("docs/claims.md", "docs/claims"),
            ("claims", "claims-pictures"),
            ("a.b/v1.2.md", "a.b/v1.2"),
            (".md", ".md-pictures"),
        ] {
            assert_eq!(place(Path::new(page)), Path::new(expected));
        }
    }

    #[test]
    fn pictures_lie_in_the_folder_unless_a_file_has_its_name() {
        let root = tempfile::tempdir().unwrap();
        let page = root.path().join("claims.md");
        assert!(check(&page).is_ok());
        let picture = || Document {
            part: Some(Part::Picture("A5.svg".to_owned())),
            content: Content::Plain("<svg/>".to_owned()),
        };
        put(&page, vec![picture()]).unwrap();
        put(&page, vec![picture()]).unwrap();
        let written = std::fs::read_to_string(root.path().join("claims/A5.svg"));
        assert_eq!(written.unwrap(), "<svg/>");
        assert!(check(&page).is_ok());
        let other = root.path().join("x.md");
        std::fs::write(root.path().join("x"), "").unwrap();
        let refused = check(&other).unwrap_err();
        assert!(matches!(&refused, Failure::Usage(said) if said.contains("go into a folder")));
        assert!(put(&other, vec![picture()]).is_err());
    }
}
