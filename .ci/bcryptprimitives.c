/* The one function of Windows' bcryptprimitives.dll that Go needs, for versions of wine that lack it: random bytes from the system's source. */
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID, ULONG); /* advapi32's RtlGenRandom */

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size)
{
	return SystemFunction036(data, (ULONG)size);
}
