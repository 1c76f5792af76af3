/* The one function of bcryptprimitives.dll that Rust's standard library imports, for Wine 8, which has no such library.
 * For tests under Wine alone: on Windows the system brings its own. It fills a buffer with random bytes, by the function
 * that Wine does have (SystemFunction036, also named RtlGenRandom). */
#include <windows.h>

BOOLEAN WINAPI SystemFunction036(PVOID buffer, ULONG bytes);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE buffer, SIZE_T bytes)
{
    while (bytes > 0) {
        ULONG part = bytes > 0x10000 ? 0x10000 : (ULONG)bytes;
        if (!SystemFunction036(buffer, part))
            return FALSE;
        buffer += part;
        bytes -= part;
    }
    return TRUE;
}
