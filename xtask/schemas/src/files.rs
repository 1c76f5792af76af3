//! The stored schemas in `docs/schemas`.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde_json::Value;

use crate::breaks::breaks;
use crate::generated::Generated;

/// The state of a stored schema.
#[derive(Debug, PartialEq, Eq)]
pub enum State {
    /// It is what the types say.
    Current,
    /// There is none yet, or the types only added to it.
    Grown,
    /// The types took something away: each line says what.
    Broken(Vec<String>),
}

/// The folder of the schemas.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schemas")
}

/// Compares a schema with the stored one.
///
/// # Errors
/// If the stored file cannot be read, or is not JSON.
pub fn state(folder: &Path, generated: &Generated) -> anyhow::Result<State> {
    let path = folder.join(generated.file());
    if !path.exists() {
        return Ok(State::Grown);
    }
    let text = std::fs::read_to_string(&path)
        .with_context(|| format!("cannot read {}", path.display()))?;
    if text == text_of(&generated.schema) {
        return Ok(State::Current);
    }
    let stored: Value =
        serde_json::from_str(&text).with_context(|| format!("{} is not JSON", path.display()))?;
    let lost = breaks(&stored, &generated.schema);
    Ok(match lost.is_empty() {
        true => State::Grown,
        false => State::Broken(lost.iter().map(ToString::to_string).collect()),
    })
}

/// Writes the schemas that have grown, and returns the names of their files.
///
/// # Errors
/// If a schema lost something while its number stayed; then nothing is written.
pub fn keep(folder: &Path, all: &[Generated]) -> anyhow::Result<Vec<String>> {
    let mut grown = Vec::new();
    for generated in all {
        match state(folder, generated)? {
            State::Current => {}
            State::Grown => grown.push(generated),
            State::Broken(lost) => bail!("{}", refusal(generated, &lost)),
        }
    }
    std::fs::create_dir_all(folder)?;
    for generated in &grown {
        let path = folder.join(generated.file());
        std::fs::write(&path, text_of(&generated.schema))
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(grown.iter().map(|it| it.file()).collect())
}

/// Says what was lost, and what to do.
pub fn refusal(generated: &Generated, lost: &[String]) -> String {
    let Generated { name, number, .. } = generated;
    format!(
        "locktoll.{name}/{number} lost something that programs may read:\n  {}\nKeep it, or raise the number to {} in \
         xtask/schemas/src/generated.rs and where the result is written",
        lost.join("\n  "),
        number + 1
    )
}

/// The contents of a file.
pub fn text_of(schema: &Value) -> String {
    format!("{schema:#}\n")
}
