//! Loaded programs.

use std::io::Read;
use std::os::fd::AsFd;
use std::path::Path;

use anyhow::Context;
use aya::maps::{Array, HashMap, Map, MapData, PerCpuArray, PerCpuHashMap};
use aya::programs::uprobe::UProbeScope;
use aya::programs::{BtfTracePoint, Iter, UProbe};
use aya::{Btf, Ebpf, EbpfLoader, Pod};

use super::{Object, ProgramCost};
use locktoll_terminal::failure::Failure;

/// The numbers of entries of maps, by name, where they differ from those in the source.
pub type Sizes<'a> = &'a [(&'a str, u32)];

/// Programs in the kernel. They are removed when this value is dropped.
pub struct Loaded {
    pub(super) ebpf: Ebpf,
}

impl Loaded {
    /// Loads `object` with these sizes and constants (32 bits each), and attaches nothing yet.
    ///
    /// # Errors
    /// [`Failure::NotTraced`] if the kernel does not accept it.
    pub fn load(
        object: &Object,
        sizes: Sizes<'_>,
        constants: &[(&str, u32)],
    ) -> Result<Self, Failure> {
        Self::load_or_why(object, sizes, constants).map_err(refused)
    }

    /// Loads and attaches `object`, and removes it again.
    ///
    /// # Errors
    /// Why the kernel does not accept it, in one line.
    pub fn attempt(object: &Object) -> Result<(), String> {
        let loaded = Self::load_or_why(object, &[], &[]);
        let attached = loaded.and_then(|mut loaded| loaded.attach_or_why(object));
        attached.map_err(|error| why(&error))
    }

    fn load_or_why(
        object: &Object,
        sizes: Sizes<'_>,
        constants: &[(&str, u32)],
    ) -> anyhow::Result<Self> {
        let mut loader = EbpfLoader::new();
        // Maps that only the programs themselves use (task storage) are unknown to the crate, and it does not need to know them.
        loader.allow_unsupported_maps();
        for (map, entries) in sizes {
            loader.map_max_entries(map, *entries);
        }
        for (name, value) in constants {
            loader.override_global(name, value, true);
        }
        let mut ebpf = loader.load(object.bytes)?;
        let btf = Btf::from_sys_fs()?;
        for (name, tracepoint) in object.programs {
            program(&mut ebpf, name)?.load(tracepoint, &btf)?;
        }
        for name in object.over_threads {
            // Linux has these programs since 5.19. Without them, less is known.
            let _ = over_threads(&mut ebpf, name)?.load("task", &btf);
        }
        Ok(Self { ebpf })
    }

    /// Attaches all programs.
    ///
    /// # Errors
    /// [`Failure::NotTraced`] if the kernel refuses.
    pub fn attach(&mut self, object: &Object) -> Result<(), Failure> {
        self.attach_or_why(object).map_err(refused)
    }

    fn attach_or_why(&mut self, object: &Object) -> anyhow::Result<()> {
        for (name, _) in object.programs {
            program(&mut self.ebpf, name)?.attach()?;
        }
        Ok(())
    }

    /// Loads the program `name` and attaches it at `tracepoint`, in addition to the programs of its object.
    ///
    /// # Errors
    /// If the kernel refuses.
    pub fn attach_at(&mut self, name: &str, tracepoint: &str) -> anyhow::Result<()> {
        let program = program(&mut self.ebpf, name)?;
        if program.fd().is_err() {
            program.load(tracepoint, &Btf::from_sys_fs()?)?;
        }
        program.attach()?;
        Ok(())
    }

    /// Detaches the program `name` from its tracepoint, and removes it from the kernel.
    ///
    /// # Errors
    /// If it was not there.
    pub fn take_away(&mut self, name: &str) -> anyhow::Result<()> {
        Ok(program(&mut self.ebpf, name)?.unload()?)
    }

    /// Whether the kernel has accepted the program `name`, which goes through all threads.
    pub fn goes_through_threads(&mut self, name: &str) -> bool {
        over_threads(&mut self.ebpf, name).is_ok_and(|program| program.fd().is_ok())
    }

    /// Attaches the user-space program `name` to the beginning of `function` in `file`, in all processes that run this file.
    ///
    /// # Errors
    /// [`Failure::NotTraced`] if the kernel refuses.
    pub fn attach_to_function(
        &mut self,
        name: &str,
        file: &Path,
        function: &str,
    ) -> Result<(), Failure> {
        let attached = self.attach_to_function_or_why(name, file, function);
        attached.map_err(refused)
    }

    fn attach_to_function_or_why(
        &mut self,
        name: &str,
        file: &Path,
        function: &str,
    ) -> anyhow::Result<()> {
        let program = self.ebpf.program_mut(name);
        let program = program.with_context(|| format!("the object has no program {name}"))?;
        let probe: &mut UProbe = program.try_into()?;
        probe.load()?;
        probe.attach(function, file, UProbeScope::AllProcesses)?;
        Ok(())
    }

    /// Runs the program `name` over all threads, and returns what it writes; `None` if the kernel does not have such programs.
    ///
    /// # Errors
    /// If there is no such program, or it fails.
    pub fn go_through_threads(&mut self, name: &str) -> anyhow::Result<Option<Vec<u8>>> {
        let program = over_threads(&mut self.ebpf, name)?;
        if program.fd().is_err() {
            return Ok(None);
        }
        let link = program.attach()?;
        let mut written = Vec::new();
        program
            .take_link(link)?
            .into_file()?
            .read_to_end(&mut written)?;
        Ok(Some(written))
    }

    /// Returns the hash map with this name.
    pub fn hash<K: Pod, V: Pod>(&self, name: &str) -> anyhow::Result<HashMap<&MapData, K, V>> {
        Ok(HashMap::try_from(self.map(name)?)?)
    }

    /// Returns the array with this name.
    pub fn array<V: Pod>(&self, name: &str) -> anyhow::Result<Array<&MapData, V>> {
        Ok(Array::try_from(self.map(name)?)?)
    }

    /// Returns the hash map with this name, with a value for each processor.
    pub fn hash_per_cpu<K: Pod, V: Pod>(
        &self,
        name: &str,
    ) -> anyhow::Result<PerCpuHashMap<&MapData, K, V>> {
        Ok(PerCpuHashMap::try_from(self.map(name)?)?)
    }

    /// Returns the array with this name, with a value for each processor.
    pub fn array_per_cpu<V: Pod>(&self, name: &str) -> anyhow::Result<PerCpuArray<&MapData, V>> {
        Ok(PerCpuArray::try_from(self.map(name)?)?)
    }

    /// Returns the hash map with this name, for writing.
    pub fn hash_mut<K: Pod, V: Pod>(
        &mut self,
        name: &str,
    ) -> anyhow::Result<HashMap<&mut MapData, K, V>> {
        Ok(HashMap::try_from(self.map_mut(name)?)?)
    }

    /// Returns the array with this name, for writing.
    pub fn array_mut<V: Pod>(&mut self, name: &str) -> anyhow::Result<Array<&mut MapData, V>> {
        Ok(Array::try_from(self.map_mut(name)?)?)
    }

    /// Returns the cost of running the program `name` since it was loaded.
    ///
    /// # Errors
    /// If there is no such program, or the kernel does not report its cost.
    pub fn cost(&self, name: &str) -> anyhow::Result<ProgramCost> {
        let program: &BtfTracePoint = self
            .ebpf
            .program(name)
            .with_context(|| format!("the object has no program {name}"))?
            .try_into()?;
        ProgramCost::of(program.fd()?.as_fd())
    }

    /// Takes the map with this name, if it is there.
    pub fn take(&mut self, name: &str) -> Option<Map> {
        self.ebpf.take_map(name)
    }

    /// Returns the map with this name.
    pub fn map(&self, name: &str) -> anyhow::Result<&Map> {
        self.ebpf
            .map(name)
            .with_context(|| format!("the object has no map {name}"))
    }

    /// Returns the map with this name, for writing.
    fn map_mut(&mut self, name: &str) -> anyhow::Result<&mut Map> {
        self.ebpf
            .map_mut(name)
            .with_context(|| format!("the object has no map {name}"))
    }
}

fn program<'a>(ebpf: &'a mut Ebpf, name: &str) -> anyhow::Result<&'a mut BtfTracePoint> {
    let program = ebpf
        .program_mut(name)
        .with_context(|| format!("the object has no program {name}"))?;
    Ok(program.try_into()?)
}

fn over_threads<'a>(ebpf: &'a mut Ebpf, name: &str) -> anyhow::Result<&'a mut Iter> {
    let program = ebpf
        .program_mut(name)
        .with_context(|| format!("the object has no program {name}"))?;
    Ok(program.try_into()?)
}

/// Returns the error with its causes, in one line.
fn why(error: &anyhow::Error) -> String {
    let why = format!("{error:#}");
    why.lines().next().unwrap_or_default().trim_end().to_owned()
}

/// Returns the one line that says that the kernel does not accept our programs.
pub fn refused(error: anyhow::Error) -> Failure {
    Failure::NotTraced(why(&error))
}
