//! Adds up the parts of processes that have ended while the recording goes on, so that its folder stays bounded.
//!
//! 1. Parts of processes that have ended are moved into the folder `ended-N`. A crash here loses nothing: readers look there too.
//! 2. The parts in it are added up, and the sums are written into a new folder, which gets the name `ended-N+1` in one step. Readers
//!    take the folder with the highest number, so they see either the parts or the sums.
//! 3. `ended-N` is removed.
//!
//! A process may have inherited locks from processes that have ended, and its part then refers to theirs. Those are kept as they are
//! as long as it runs. The exception is a process that takes its first lock seconds after its parent has ended: until then, nobody
//! knows of it. Inherited locks are then known by the place where it takes them.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use locktoll_recording::layout::Origin;
use locktoll_recording::reader::{RawPart, ReadError, Sums, ancestors};
use locktoll_terminal::system::files::open_regular;

use super::images::images;
use super::part_files::{PartFile, ended_folder, ended_name, files_in};
use super::steady::Steady;
use super::writers::Writers;

/// A part by its process id and sequence number.
type Number = (u32, u32);

/// The greatest number of ancestors from which a process inherits locks. The preload library remembers no more.
const ANCESTORS: usize = 8;

/// The folder in which sums are written before they get their name.
const UNFINISHED: &str = "unfinished";

/// The parts of processes that have ended, in a folder of parts.
pub struct EndedParts {
    folder: PathBuf,
    /// The number of entries that are there for processes that run.
    left: usize,
    /// The parts whose processes had ended at the last look. A process may end right after it has forked another one, whose part is not
    /// there yet. So parts are added up at the look after that.
    over: BTreeSet<Number>,
}

impl EndedParts {
    /// Begins with a folder of parts.
    pub fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            left: 0,
            over: BTreeSet::new(),
        }
    }

    /// Adds up the parts of processes that have ended, if at least `least` parts have come since the last time and nobody reads the
    /// folder. Returns how many there were.
    ///
    /// # Errors
    /// If files cannot be read or written. All parts are then still there.
    pub fn add_up(&mut self, least: usize) -> Result<usize, ReadError> {
        if fs::read_dir(&self.folder)?.count() < self.left + least {
            return Ok(0);
        }
        let Some(_alone) = Steady::alone(&self.folder) else {
            return Ok(0);
        };
        let files = files_in(&self.folder)?;
        // After the files: a process that is not there has written everything.
        let writers = Writers::look();
        let over = files.iter().filter(|it| writers.has_ended(it));
        let over: BTreeSet<Number> = over.map(number_of).collect();
        let known = std::mem::replace(&mut self.over, over);
        let ended = ended(&files, &self.over & &known)?;
        let (ended, staying): (Vec<_>, Vec<_>) = files
            .into_iter()
            .partition(|it| ended.contains(&number_of(it)));
        if ended.is_empty() {
            return Ok(0);
        }
        // Those whose processes have ended since come next.
        self.left = fs::read_dir(&self.folder)?.count() - self.over.len().max(ended.len());
        let (number, folder) = match ended_folder(&self.folder)? {
            Some(there) => there,
            None => {
                let folder = self.folder.join(ended_name(1));
                make_folder(&folder)?;
                self.left += 1;
                (1, folder)
            }
        };
        for file in &ended {
            if let Some(name) = file.path.file_name() {
                fs::rename(&file.path, folder.join(name))?;
            }
        }
        self.put_together(number, &folder, &staying)?;
        Ok(ended.len())
    }

    /// Replaces the parts in a folder of processes that have ended by their sums.
    fn put_together(
        &self,
        number: u64,
        folder: &Path,
        staying: &[PartFile],
    ) -> Result<(), ReadError> {
        let mut parts = Vec::new();
        for file in files_in(folder)? {
            parts.extend(read(&file.path)?);
        }
        let (sums, ended): (Vec<_>, Vec<_>) = parts
            .into_iter()
            .partition(|it| it.process().added_up.is_some());
        let origins = origins(staying, &ended)?;
        let others: Vec<&RawPart> = origins.iter().chain(&ended).collect();
        let mut sums = Sums::of(sums);
        let images = images(&ended, staying, read)?;
        for (part, image) in ended.iter().zip(images) {
            sums.add(part, &others, image);
        }
        let unfinished = self.folder.join(UNFINISHED);
        // From a crash.
        let _ = fs::remove_dir_all(&unfinished);
        make_folder(&unfinished)?;
        for (number, sum) in sums.parts()?.iter().enumerate() {
            fs::write(unfinished.join(format!("sum-{number}.part")), sum.bytes())?;
        }
        fs::rename(&unfinished, self.folder.join(ended_name(number + 1)))?;
        fs::remove_dir_all(folder)?;
        Ok(())
    }
}

fn make_folder(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().mode(0o700).create(path)
}

fn number_of(file: &PartFile) -> Number {
    (file.process.pid, file.process.sequence)
}

fn read(path: &Path) -> Result<Option<RawPart>, ReadError> {
    Ok(RawPart::read_all(&open_regular(path)?)?.into_iter().next())
}

/// Returns the parts among those whose processes are `over` that can be added up: they are not of the program itself, and no other part
/// needs them.
fn ended(files: &[PartFile], over: BTreeSet<Number>) -> Result<BTreeSet<Number>, ReadError> {
    let first = files
        .iter()
        .min_by_key(|it| (it.process.start_monotonic_ns, it.process.pid));
    let program = first.map(|it| it.process.pid);
    let is_program = |it: &PartFile| Some(it.process.pid) == program;
    let mut ended: BTreeSet<Number> = files
        .iter()
        .filter(|it| !is_program(it) && over.contains(&number_of(it)))
        .map(number_of)
        .collect();
    let mut staying: Vec<&PartFile> = files
        .iter()
        .filter(|it| !ended.contains(&number_of(it)))
        .collect();
    // A part that stays may need another one to stay.
    while let Some(file) = staying.pop() {
        let mut needed = ancestors(&open_regular(&file.path)?)?;
        needed.extend(forked_from(file, files));
        for number in needed {
            if ended.remove(&number) {
                staying.extend(files.iter().filter(|it| number_of(it) == number));
            }
        }
    }
    Ok(ended)
}

/// Returns the parts of processes from which this one may inherit locks that it has not used yet.
fn forked_from<'f>(
    file: &'f PartFile,
    files: &'f [PartFile],
) -> impl Iterator<Item = Number> + use<'f> {
    let parent = |of: &&'f PartFile| {
        let forked = of.process.origin == Some(Origin::Fork);
        let mut all = files.iter();
        all.find(|it| forked && it.process.pid == of.process.parent_pid)
    };
    let line = std::iter::successors(parent(&file), move |it| parent(it));
    let numbers = line.take(ANCESTORS).flat_map(move |ancestor| {
        let same = files
            .iter()
            .filter(|it| it.process.pid == ancestor.process.pid);
        same.map(number_of)
    });
    numbers.filter(move |it| *it != number_of(file))
}

/// Reads the parts among those that stay from which the processes of these inherited locks.
fn origins(staying: &[PartFile], ended: &[RawPart]) -> Result<Vec<RawPart>, ReadError> {
    let mut wanted = BTreeSet::new();
    for part in ended {
        wanted.extend(ancestors(&part.bytes()[..])?);
    }
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    while let Some(number) = wanted.pop_first() {
        let file = staying.iter().find(|it| number_of(it) == number);
        if let Some(file) = file.filter(|_| seen.insert(number)) {
            wanted.extend(ancestors(&open_regular(&file.path)?)?);
            found.extend(read(&file.path)?);
        }
    }
    Ok(found)
}

#[cfg(test)]
#[path = "ended_parts_tests.rs"]
mod tests;
