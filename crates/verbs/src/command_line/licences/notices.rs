//! The notices of the Rust packages in the program. `notices/packages.txt` has one line per package, an empty line, and then each
//! text below a line with the packages that it belongs to.

use std::io::Read;

use locktoll_terminal::failure::Failure;

/// The file, compressed by the build script.
const CARRIED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/notices.z"));

/// The beginning of the line above each text.
const ABOVE: &str = "==== ";

/// A package in the program.
#[derive(Debug, PartialEq, Eq)]
pub struct Package<'a> {
    /// Its name and version, `memchr 2.8.3`.
    pub name: &'a str,
    /// The SPDX expression of its licence.
    pub licence: &'a str,
    /// Where its source is.
    pub source: &'a str,
}

/// A text, with the packages that it belongs to.
#[derive(Debug, PartialEq, Eq)]
pub struct Notice<'a> {
    /// The name of the licence, and the packages.
    pub title: &'a str,
    /// Names and versions of the packages.
    pub packages: Vec<&'a str>,
    /// The text.
    pub text: &'a str,
}

/// Returns the whole file.
///
/// # Errors
/// The carried bytes are damaged.
pub fn unpacked() -> Result<String, Failure> {
    let mut text = String::new();
    flate2::read::ZlibDecoder::new(CARRIED)
        .read_to_string(&mut text)
        .map_err(|error| {
            Failure::Run(anyhow::anyhow!("the carried notices are damaged: {error}"))
        })?;
    Ok(text)
}

/// Returns the packages of the file.
pub fn packages(file: &str) -> Vec<Package<'_>> {
    let lines = file.lines().filter(|line| !line.starts_with('#'));
    let lines = lines.take_while(|line| !line.is_empty());
    let packages = lines.filter_map(|line| {
        let mut fields = line.split(" | ");
        let (name, licence) = (fields.next()?, fields.next()?);
        let source = fields.next().unwrap_or_default();
        Some(Package {
            name,
            licence,
            source,
        })
    });
    packages.collect()
}

/// Returns the texts of the file.
pub fn notices(file: &str) -> Vec<Notice<'_>> {
    let above = format!("\n{ABOVE}");
    let parts = file.split(above.as_str()).skip(1);
    let notices = parts.filter_map(|part| {
        let (title, text) = part.split_once('\n')?;
        let packages = title.split_once(": ")?.1.split(", ").collect();
        Some(Notice {
            title,
            packages,
            text: text.trim_matches('\n'),
        })
    });
    notices.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "\
# Made by a tool.
a 1.0.0 | MIT OR Apache-2.0 | https://crates.io/crates/a/1.0.0
b 2.1.0 | MIT | https://crates.io/crates/b/2.1.0

==== MIT License: a 1.0.0, b 2.1.0
Copyright A

Permission

==== Zlib License: b 2.1.0
Copyright B
";

    #[test]
    fn a_file_has_packages_and_texts() {
        let packages = packages(FILE);
        assert_eq!(packages.len(), 2);
        assert_eq!(
            packages[1],
            Package {
                name: "b 2.1.0",
                licence: "MIT",
                source: "https://crates.io/crates/b/2.1.0"
            }
        );
        let notices = notices(FILE);
        assert_eq!(notices[0].packages, ["a 1.0.0", "b 2.1.0"]);
        assert_eq!(notices[0].text, "Copyright A\n\nPermission");
        assert_eq!(notices[1].text, "Copyright B");
    }

    #[test]
    fn each_carried_package_has_a_text_and_each_text_a_package() {
        let file = unpacked().unwrap();
        let (packages, notices) = (packages(&file), notices(&file));
        assert!(packages.len() > 100, "{}", packages.len());
        for package in &packages {
            let texts = notices
                .iter()
                .filter(|it| it.packages.contains(&package.name));
            let longest = texts.map(|it| it.text.len()).max();
            assert!(longest > Some(300), "{}: {longest:?}", package.name);
        }
        for notice in &notices {
            for name in &notice.packages {
                assert!(packages.iter().any(|it| it.name == *name), "{name}");
            }
        }
    }

    #[test]
    fn inferno_has_the_text_of_its_licence_and_the_place_of_its_source() {
        let file = unpacked().unwrap();
        let packages = packages(&file);
        let inferno = packages.iter().find(|it| it.name.starts_with("inferno "));
        let inferno = inferno.unwrap();
        assert_eq!(inferno.licence, "CDDL-1.0");
        assert!(
            inferno
                .source
                .starts_with("https://crates.io/crates/inferno/")
        );
        let notices = notices(&file);
        let text = notices
            .iter()
            .find(|it| it.packages.contains(&inferno.name));
        assert!(
            text.unwrap()
                .text
                .contains("COMMON DEVELOPMENT AND DISTRIBUTION LICENSE")
        );
    }
}
