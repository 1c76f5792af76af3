//! The results of earlier runs, kept in a file for this machine and this version.

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context;
use locktoll_lab::machine::Machine;
use serde::{Deserialize, Serialize};

use super::description::Description;
use locktoll_results::reproduction::{Claim, ClaimVerdict};
use locktoll_terminal::escape::{shown, shown_text};
use locktoll_terminal::system::files::{Destination, NewFile};
use locktoll_terminal::system::folders;

/// The schema of the file.
const SCHEMA: &str = "locktoll.reproduce-state/1";

/// The largest file that is read; all claims together take less than a hundredth of this.
const MOST_BYTES: u64 = 64 << 20;

/// Finished claims, and the claims that an interrupted command still had to run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct State {
    schema: String,
    /// The version, processor, CPUs and kernel that the verdicts are for.
    of: String,
    /// The claims that the last command was asked for.
    asked: Vec<String>,
    /// The claims of the last command that are still to be run.
    open: Vec<String>,
    /// The finished claims by id.
    claims: BTreeMap<String, Saved>,
    #[serde(skip)]
    file: Option<PathBuf>,
}

/// A finished claim.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Saved {
    /// Fingerprint of the description that the claim was run with.
    fingerprint: u64,
    /// Seconds since 1970.
    pub finished_at: u64,
    /// The result.
    pub claim: Claim,
}

/// Describes version and machine in one line. Verdicts for other machines or versions are not mixed in, nor those for a stand-in
/// for this machine.
pub fn signature(version: &str, machine: &Machine) -> String {
    let known = |text: &Option<String>| text.clone().unwrap_or_else(|| "unknown".to_owned());
    // On systems other than Linux, this text includes the name of the system.
    let kernel = known(&machine.kernel);
    let system = match kernel.starts_with("Windows") {
        true => kernel,
        false => format!("Linux {kernel}"),
    };
    let stand_in = (machine.stand_in.as_ref()).map_or(String::new(), |what| format!(" ({what})"));
    format!(
        "locktoll {version} on {} ({}), CPUs {:?}, {system}{stand_in}",
        known(&machine.cpu_model),
        machine.architecture,
        machine.usable_cpus,
    )
}

/// Returns the default file for `signature` and the claims of `experiments`; `None` without a home directory.
pub fn default_file(signature: &str, experiments: Option<&Path>) -> Option<PathBuf> {
    use std::hash::{Hash, Hasher};
    let states = folders::states()?;
    let mut hasher = std::hash::DefaultHasher::new();
    signature.hash(&mut hasher);
    experiments
        .map(|folder| folder.canonicalize().ok())
        .hash(&mut hasher);
    let name = format!("reproduce-{:016x}.json", hasher.finish());
    Some(states.join("locktoll").join(name))
}

impl State {
    /// Returns a state without results, to be kept in `file`, if any.
    pub fn new(signature: &str, file: Option<PathBuf>) -> Self {
        Self {
            schema: SCHEMA.to_owned(),
            of: signature.to_owned(),
            asked: Vec::new(),
            open: Vec::new(),
            claims: BTreeMap::new(),
            file,
        }
    }

    /// Reads `file`; a file that does not exist counts as empty.
    ///
    /// # Errors
    /// One line: the file cannot be read, is not such a file, or belongs to another machine or version.
    pub fn read(signature: &str, file: PathBuf) -> Result<Self, String> {
        let shown = shown(file.as_os_str());
        let other = "give another file with --state, or start again with --fresh";
        let text = match text_of(&file, MOST_BYTES) {
            Ok(Some(text)) => text,
            Ok(None) => return Ok(Self::new(signature, Some(file))),
            Err(error) => return Err(format!("{shown} cannot be read ({error}); {other}")),
        };
        match serde_json::from_str::<Self>(&text) {
            Ok(state) if state.schema != SCHEMA => Err(format!(
                "{shown} is a {}, not a {SCHEMA}; {other}",
                shown_text(&state.schema)
            )),
            Ok(state) if state.of != signature => Err(format!(
                "{shown} holds the results of {}, but this is {signature}; {other}",
                shown_text(&state.of)
            )),
            Ok(state) => Ok(Self {
                file: Some(file),
                ..state
            }),
            Err(error) => Err(format!(
                "{shown} was not written by `reproduce` ({}); {other}",
                shown_text(&error.to_string())
            )),
        }
    }

    /// Returns the result of a claim, if it was run with this same description.
    pub fn found(&self, described: &Description) -> Option<&Saved> {
        let saved = self.claims.get(&described.id)?;
        (saved.fingerprint == described.fingerprint).then_some(saved)
    }

    /// Returns the claims that a command has to run if it asks for `asked`.
    ///
    /// The same command as an interrupted one continues where that one stopped. A command for all claims (`all`) runs those
    /// without a result, and those that noise left unjudged if it may add rounds (`adds_rounds`). A command that names claims
    /// runs them even if they have results.
    pub fn begin<'a>(
        &mut self,
        asked: &[&'a Description],
        all: bool,
        adds_rounds: bool,
    ) -> Vec<&'a Description> {
        let ids: Vec<String> = asked.iter().map(|described| described.id.clone()).collect();
        let goes_on = self.asked == ids && !self.open.is_empty();
        let open = |described: &&&Description| {
            let found = self.found(described);
            found.is_none()
                || goes_on && self.open.contains(&described.id)
                || adds_rounds && found.is_some_and(|saved| is_noisy(&saved.claim))
        };
        let run: Vec<&Description> = match all || goes_on {
            true => asked.iter().filter(open).copied().collect(),
            false => asked.to_vec(),
        };
        self.asked = ids;
        self.open = run.iter().map(|described| described.id.clone()).collect();
        run
    }

    /// Stores the result of a claim at once.
    ///
    /// # Errors
    /// If the file cannot be written; the result is kept in memory nevertheless.
    pub fn keep(&mut self, described: &Description, claim: Claim) -> anyhow::Result<()> {
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        let saved = Saved {
            fingerprint: described.fingerprint,
            finished_at: now.as_secs(),
            claim,
        };
        self.claims.insert(described.id.clone(), saved);
        self.open.retain(|id| *id != described.id);
        self.write()
    }

    /// Replaces the file as a whole, so that a reader never finds half a file, not even after a run that was killed.
    fn write(&self) -> anyhow::Result<()> {
        let Some(file) = &self.file else {
            return Ok(());
        };
        let shown = || format!("cannot write {}", file.display());
        let folder = file
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty())
            .unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder).with_context(shown)?;
        let place = Destination::find(file).with_context(shown)?;
        let mut new = NewFile::begin(&place, ".state-").with_context(shown)?;
        let mut writer = BufWriter::new(new.file());
        serde_json::to_writer(&mut writer, self).with_context(shown)?;
        writer.flush().with_context(shown)?;
        drop(writer);
        new.put().with_context(shown)
    }
}

/// Whether noise left the claim unjudged: something was measured for each of its checks.
fn is_noisy(claim: &Claim) -> bool {
    claim.verdict == ClaimVerdict::CannotBeJudgedHere
        && !claim.checks.is_empty()
        && claim.checks.iter().all(|check| check.measured.is_some())
}

/// Returns the contents of the file; `None` if the file or its folder does not exist. A longer file than `most` is an error.
fn text_of(file: &Path, most: u64) -> io::Result<Option<String>> {
    let opened = match Destination::find(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        place => place?.open_file()?,
    };
    let Some(opened) = opened else {
        return Ok(None);
    };
    let mut text = String::new();
    opened.take(most + 1).read_to_string(&mut text)?;
    match text.len() as u64 > most {
        true => Err(io::Error::other("it is larger than any that is written")),
        false => Ok(Some(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::made_up;
    use super::*;
    use locktoll_results::reproduction::ClaimVerdict;

    fn claim(id: &str) -> Claim {
        Claim {
            id: id.to_owned(),
            verdict: ClaimVerdict::Holds,
            duration_ns: 0,
            ..locktoll_made_up::made_up::reproduction().claims.remove(0)
        }
    }

    /// Returns three claims.
    fn three() -> Vec<Description> {
        let one = made_up::described("value = {}\nat_least = 1");
        ["Z1", "Z2", "Z3"]
            .map(|id| Description {
                id: id.to_owned(),
                ..one.clone()
            })
            .to_vec()
    }

    fn ids(run: &[&Description]) -> Vec<String> {
        run.iter().map(|described| described.id.clone()).collect()
    }

    #[test]
    fn the_same_command_goes_on_where_it_was_interrupted() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("deep/state.json");
        let claims = three();
        let some: Vec<&Description> = claims.iter().take(2).collect();
        let read = || State::read("here", file.clone()).unwrap();

        let mut state = read();
        assert_eq!(ids(&state.begin(&some, false, false)), ["Z1", "Z2"]);
        state.keep(some[0], claim("Z1")).unwrap();
        // An interrupted command; the same command again; and once more when all is done.
        let mut state = read();
        assert_eq!(ids(&state.begin(&some, false, false)), ["Z2"]);
        state.keep(some[1], claim("Z2")).unwrap();
        assert_eq!(ids(&read().begin(&some, false, false)), ["Z1", "Z2"]);
        // A command for all claims runs those that have no result yet.
        let all: Vec<&Description> = claims.iter().collect();
        assert_eq!(ids(&read().begin(&all, true, false)), ["Z3"]);
    }

    #[test]
    fn what_noise_left_unjudged_is_run_again_if_rounds_may_be_added() {
        let claims = three();
        let all: Vec<&Description> = claims.iter().collect();
        let mut check = locktoll_made_up::made_up::reproduction().claims[0].checks[0].clone();
        check.verdict = ClaimVerdict::CannotBeJudgedHere;
        let noisy = Claim {
            verdict: ClaimVerdict::CannotBeJudgedHere,
            checks: vec![check.clone()],
            ..claim("Z2")
        };
        check.measured = None;
        let impossible = Claim {
            checks: vec![check],
            ..noisy.clone()
        };
        let mut state = State::new("here", None);
        for (described, claim) in all.iter().zip([claim("Z1"), noisy, impossible]) {
            state.keep(described, claim).unwrap();
        }
        assert!(state.clone().begin(&all, true, false).is_empty());
        assert_eq!(ids(&state.begin(&all, true, true)), ["Z2"]);
    }

    #[test]
    fn a_changed_description_is_run_again() {
        let claims = three();
        let mut state = State::new("here", None);
        state.keep(&claims[0], claim("Z1")).unwrap();
        assert!(state.found(&claims[0]).is_some());
        let changed = Description {
            fingerprint: claims[0].fingerprint ^ 1,
            ..claims[0].clone()
        };
        assert!(state.found(&changed).is_none());
    }

    #[test]
    fn a_file_is_read_up_to_its_greatest_size() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("state.json");
        assert_eq!(text_of(&file, 3).unwrap(), None);
        std::fs::write(&file, "abc").unwrap();
        assert_eq!(text_of(&file, 3).unwrap().as_deref(), Some("abc"));
        assert_eq!(text_of(&file, 4).unwrap().as_deref(), Some("abc"));
        assert!(text_of(&file, 2).is_err());
    }

    #[test]
    fn version_processor_system_and_stand_in_make_the_signature() {
        let mut machine = locktoll_made_up::made_up::contended().machine;
        machine.cpu_model = Some("CPU".to_owned());
        machine.architecture = "x86_64".to_owned();
        machine.usable_cpus = vec![0, 2];
        machine.kernel = Some("6.1".to_owned());
        machine.stand_in = None;
        let linux = "locktoll 1.2 on CPU (x86_64), CPUs [0, 2], Linux 6.1";
        assert_eq!(signature("1.2", &machine), linux);
        machine.stand_in = Some("qemu".to_owned());
        assert_eq!(signature("1.2", &machine), format!("{linux} (qemu)"));
        machine.kernel = Some("Windows 11".to_owned());
        assert!(signature("1.2", &machine).contains("], Windows 11 (qemu)"));
    }

    #[test]
    fn a_claim_that_is_named_is_run_again_and_one_of_all_is_not() {
        let claims = three();
        let all: Vec<&Description> = claims.iter().collect();
        let mut state = State::new("here", None);
        state.keep(all[0], claim("Z1")).unwrap();
        assert_eq!(ids(&state.clone().begin(&all, true, false)), ["Z2", "Z3"]);
        assert_eq!(ids(&state.begin(&all, false, false)), ["Z1", "Z2", "Z3"]);
        // What the interrupted command named is run again even though it has a result.
        assert_eq!(ids(&state.begin(&all, false, false)), ["Z1", "Z2", "Z3"]);
        state.keep(all[1], claim("Z2")).unwrap();
        assert_eq!(ids(&state.begin(&all, true, false)), ["Z1", "Z3"]);
    }

    #[test]
    fn a_file_of_another_schema_is_told_so() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("state.json");
        let mut state = State::new("here", Some(file.clone()));
        state.schema = "other/1".to_owned();
        state.keep(&three()[0], claim("Z1")).unwrap();
        let wrong = State::read("here", file).unwrap_err();
        assert!(wrong.contains("is a other/1, not a"), "{wrong}");
    }

    #[test]
    fn another_machine_is_not_mixed_in() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("state.json");
        let mut state = State::read("here", file.clone()).unwrap();
        state.keep(&three()[0], claim("Z1")).unwrap();
        let wrong = State::read("there", file.clone()).unwrap_err();
        assert!(
            wrong.contains("holds the results of here, but this is there"),
            "{wrong}"
        );
        std::fs::write(&file, "{}").unwrap();
        let wrong = State::read("here", file).unwrap_err();
        assert!(
            wrong.contains("not written by `reproduce`") && !wrong.contains('\n'),
            "{wrong}"
        );
    }
}
