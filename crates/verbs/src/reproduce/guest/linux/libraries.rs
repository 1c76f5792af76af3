//! The files that a dynamic program needs to start: its loader and its libraries, as the loader itself finds them.

use std::path::Path;
use std::process::{Command, Stdio};

use object::elf::FileHeader64;
use object::endian::Endianness;
use object::read::elf::{FileHeader, ProgramHeader};

/// Returns the absolute paths of the loader and the libraries of `program`, whose contents are `bytes`; none for a static program.
///
/// # Errors
/// If the file is not an ELF program, or the loader does not find a library.
pub fn libraries(program: &Path, bytes: &[u8]) -> Result<Vec<String>, String> {
    let name = program.display();
    let Some(loader) = loader(bytes).map_err(|why| format!("{name}: {why}"))? else {
        return Ok(Vec::new());
    };
    // As ld.so(8) describes; what the user preloads does not belong into the guest.
    let listed = Command::new(&loader)
        .arg("--list")
        .arg(program)
        .env_remove("LD_PRELOAD")
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .map_err(|error| format!("{loader} cannot be started: {error}"))?;
    if !listed.status.success() {
        return Err(format!("{loader} does not list the libraries of {name}"));
    }
    let mut paths = paths(&String::from_utf8_lossy(&listed.stdout))
        .map_err(|library| format!("the library {library} of {name} is not found"))?;
    paths.retain(|path| *path != loader);
    paths.push(loader);
    Ok(paths)
}

/// Returns the path in `PT_INTERP`.
fn loader(bytes: &[u8]) -> Result<Option<String>, object::Error> {
    let header = FileHeader64::<Endianness>::parse(bytes)?;
    let endian = header.endian()?;
    for segment in header.program_headers(endian, bytes)? {
        if let Some(path) = segment.interpreter(endian, bytes)? {
            return Ok(Some(String::from_utf8_lossy(path).into_owned()));
        }
    }
    Ok(None)
}

/// Returns the absolute paths in the loader's list, or the name of a library that it has not found.
fn paths(listed: &str) -> Result<Vec<String>, String> {
    let mut paths = Vec::new();
    for line in listed.lines() {
        // `libc.so.6 => /lib/libc.so.6 (0x...)`, `/lib64/ld.so (0x...)`, `linux-vdso.so.1 (0x...)`, `libx.so => not found`.
        let (name, place) = line.trim().split_once(" => ").unwrap_or(("", line.trim()));
        let place = place.rsplit_once(" (0x").map_or(place, |(place, _)| place);
        match place {
            "not found" => return Err(name.to_owned()),
            place if place.starts_with('/') => paths.push(place.to_owned()),
            _ => {}
        }
    }
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loaders_list_is_read() {
        let listed = "\tlinux-vdso.so.1 (0x00007ffd)\n\tlibc.so.6 => /lib/x/libc.so.6 (0x00007f)\n\t/lib64/ld.so (0x00007f)\n";
        let expected = ["/lib/x/libc.so.6", "/lib64/ld.so"].map(str::to_owned);
        assert_eq!(paths(listed), Ok(expected.to_vec()));
        let missing = "\tliba.so => /a (b)/liba.so (0x1)\n\tlibb.so => not found\n";
        assert_eq!(paths(missing), Err("libb.so".to_owned()));
        assert_eq!(paths("\tstatically linked\n"), Ok(Vec::new()));
    }

    // Where another processor is emulated, its loader is not started by its name alone.
    #[cfg(target_arch = "x86_64")]
    #[test]
    fn this_program_needs_a_loader_and_a_c_library_that_exist() {
        let own = std::env::current_exe().unwrap();
        let found = libraries(&own, &std::fs::read(&own).unwrap()).unwrap();
        assert!(
            found.iter().any(|path| path.contains("libc.so")),
            "{found:?}"
        );
        assert!(
            found.iter().all(|path| Path::new(path).is_file()),
            "{found:?}"
        );
        let loader = found.last().unwrap();
        assert!(loader.contains("ld-linux"), "{loader}");
        let times = found.iter().filter(|path| *path == loader).count();
        assert_eq!(times, 1);
        assert!(libraries(&own, b"#!/bin/sh").is_err());
    }
}
