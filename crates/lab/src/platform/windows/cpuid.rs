//! The processor's description of itself (Intel SDM vol. 2, CPUID; AMD64 APM vol. 3, appendix E).

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use core::arch::x86_64::__cpuid;

    /// The first leaf of the brand string, and the last.
    const BRAND: [u32; 2] = [0x8000_0002, 0x8000_0004];

    /// Returns the brand string.
    pub(in super::super) fn cpu_model() -> Option<String> {
        if __cpuid(0x8000_0000).eax < BRAND[1] {
            return None;
        }
        let bytes: Vec<u8> = (BRAND[0]..=BRAND[1])
            .map(__cpuid)
            .flat_map(|leaf| [leaf.eax, leaf.ebx, leaf.ecx, leaf.edx])
            .flat_map(u32::to_le_bytes)
            .collect();
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim_matches(['\0', ' ']);
        (!text.is_empty()).then(|| text.to_owned())
    }

    /// Reports whether a hypervisor runs this system, by the hypervisor bit. The exception is a Hyper-V system that may create
    /// partitions: that is Windows on the bare machine with Hyper-V on (Hyper-V TLFS, "Feature and Interface Discovery").
    pub(in super::super) fn virtual_machine() -> Option<bool> {
        const HYPERVISOR: u32 = 1 << 31;
        const CREATE_PARTITIONS: u32 = 1;
        if __cpuid(1).ecx & HYPERVISOR == 0 {
            return Some(false);
        }
        let vendor = __cpuid(0x4000_0000);
        let hyper_v = [vendor.ebx, vendor.ecx, vendor.edx]
            .map(u32::to_le_bytes)
            .concat()
            == *b"Microsoft Hv";
        let root = hyper_v
            && vendor.eax >= 0x4000_0003
            && __cpuid(0x4000_0003).ebx & CREATE_PARTITIONS != 0;
        Some(!root)
    }
}

/// There is no such instruction, so nothing is known.
#[cfg(not(target_arch = "x86_64"))]
mod other {
    pub(in super::super) fn cpu_model() -> Option<String> {
        None
    }

    pub(in super::super) fn virtual_machine() -> Option<bool> {
        None
    }
}

#[cfg(not(target_arch = "x86_64"))]
pub(super) use other::{cpu_model, virtual_machine};
#[cfg(target_arch = "x86_64")]
pub(super) use x86_64::{cpu_model, virtual_machine};
