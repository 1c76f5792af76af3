//! What is asked of the kernel: `struct perf_event_attr`, up to version 5 (linux/perf_event.h).

/// `struct perf_event_attr`. Fields that locktoll does not set are zero.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Attributes {
    pub kind: u32,
    pub size: u32,
    pub config: u64,
    /// Nanoseconds for the clock, or times per second with [`flag::FREQUENCY`].
    pub period: u64,
    pub sample_type: u64,
    pub read_format: u64,
    pub flags: u64,
    pub wakeup_watermark: u32,
    pub breakpoint_type: u32,
    pub breakpoint_address: u64,
    pub breakpoint_bytes: u64,
    pub branch_sample_type: u64,
    pub sample_regs_user: u64,
    pub sample_stack_user: u32,
    pub clock: i32,
    pub sample_regs_intr: u64,
    pub aux_watermark: u32,
    pub sample_max_stack: u16,
    pub reserved: u16,
}

const _: () = assert!(size_of::<Attributes>() == 112);

/// `PERF_TYPE_SOFTWARE`.
pub(super) const SOFTWARE: u32 = 1;
/// `PERF_TYPE_BREAKPOINT`.
pub(super) const BREAKPOINT: u32 = 5;
/// `PERF_COUNT_SW_CPU_CLOCK`.
pub(super) const CPU_CLOCK: u64 = 0;
/// `HW_BREAKPOINT_W`.
pub(super) const ON_WRITE: u32 = 2;

/// Bits of `sample_type`: what each sample contains.
pub(super) mod sample {
    pub const IP: u64 = 1;
    pub const TID: u64 = 1 << 1;
    pub const TIME: u64 = 1 << 2;
    pub const REGS_USER: u64 = 1 << 12;
    pub const STACK_USER: u64 = 1 << 13;
}

/// Bits of `flags`.
pub(super) mod flag {
    pub const DISABLED: u64 = 1;
    /// Threads and processes that the watched thread starts are watched too.
    pub const INHERIT: u64 = 1 << 1;
    pub const EXCLUDE_KERNEL: u64 = 1 << 5;
    pub const EXCLUDE_HYPERVISOR: u64 = 1 << 6;
    pub const EXCLUDE_IDLE: u64 = 1 << 7;
    /// Records of code that is mapped, with [`MMAP2`] in the longer form.
    pub const MMAP: u64 = 1 << 8;
    /// Records of new names, from which a new program is known.
    pub const COMM: u64 = 1 << 9;
    pub const ENABLE_ON_EXEC: u64 = 1 << 12;
    /// Records of threads that begin and end.
    pub const TASK: u64 = 1 << 13;
    /// `wakeup_watermark` counts bytes.
    pub const WATERMARK: u64 = 1 << 14;
    /// Records that are not samples end with process, thread and time.
    pub const SAMPLE_ID_ALL: u64 = 1 << 18;
    pub const MMAP2: u64 = 1 << 23;
    pub const COMM_EXEC: u64 = 1 << 24;
    /// The clock of the records is `clock`.
    pub const USE_CLOCK: u64 = 1 << 25;
}

impl Attributes {
    /// Returns attributes without an event.
    pub fn new(kind: u32, config: u64) -> Self {
        Self {
            kind,
            size: size_of::<Self>() as u32,
            config,
            ..Self::default()
        }
    }
}
