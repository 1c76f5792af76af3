//! A job that the children belong to. It ends them when its last handle is closed, which happens when this process ends, however
//! it ends. Only a child that is just being started does not belong to it yet.
//!
//! 1. The handle is that of a job which this process made, and is kept as long as the process lives.

use std::io;
use std::os::windows::io::AsRawHandle;
use std::process::Child;
use std::ptr::null;
use std::sync::OnceLock;

use windows_sys::Win32::Foundation::{CloseHandle, HANDLE};
use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobObjectExtendedLimitInformation,
    SetInformationJobObject,
};

/// The handle as a number, so that threads can share it; by invariant 1 it stays valid.
static JOB: OnceLock<Result<usize, i32>> = OnceLock::new();

/// Makes a child end when we do.
///
/// # Errors
/// Errors of the system, if there is no such job, or if the child may not belong to it.
pub fn tie(child: &Child) -> io::Result<()> {
    let job = *JOB.get_or_init(|| {
        make()
            .map(|job| job as usize)
            .map_err(|error| error.raw_os_error().unwrap_or(0))
    });
    let job = job.map_err(io::Error::from_raw_os_error)?;
    // SAFETY: invariant 1; the child's handle is open as long as `child` lives.
    match unsafe { AssignProcessToJobObject(job as HANDLE, child.as_raw_handle()) } {
        0 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

fn make() -> io::Result<HANDLE> {
    // SAFETY: no attributes and no name, both of which may be null.
    let job = unsafe { CreateJobObjectW(null(), null()) };
    if job.is_null() {
        return Err(io::Error::last_os_error());
    }
    let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    // SAFETY: a structure of the named class, with its own size; the handle is valid by invariant 1.
    let set = unsafe {
        SetInformationJobObject(
            job,
            JobObjectExtendedLimitInformation,
            (&raw const limits).cast(),
            size_of_val(&limits) as u32,
        )
    };
    if set == 0 {
        let error = io::Error::last_os_error();
        // SAFETY: the handle was made above and passed to nobody.
        unsafe { CloseHandle(job) };
        return Err(error);
    }
    Ok(job)
}
