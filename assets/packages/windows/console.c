/*
 * assay.com: how assay is called from a console. cmd and PowerShell find it before assay.exe, wait for it, and get its exit code; for a program with a window,
 * such as assay.exe, they do neither. It starts the assay.exe beside it with the same arguments and streams, waits, and passes its exit code on.
 */
#include <windows.h>

#define LONGEST 32768 /* characters of a path, and of a command line */

static WCHAR program[LONGEST], line[2 * LONGEST];

/* Ctrl+C and Ctrl+Break reach assay.exe as well, which ends in order; this program waits for that. */
static BOOL WINAPI waits(DWORD kind)
{
	return kind == CTRL_C_EVENT || kind == CTRL_BREAK_EVENT;
}

/* What follows the first word of the command line, which may be in quotes. */
static const WCHAR *arguments(const WCHAR *at)
{
	BOOL quoted = FALSE;
	for (; *at && (quoted || (*at != L' ' && *at != L'\t')); at++)
		if (*at == L'"')
			quoted = !quoted;
	return at;
}

static DWORD fail(void)
{
	static const char said[] = "assay.exe is missing beside assay.com, or can't be started.\r\n";
	DWORD written;
	WriteFile(GetStdHandle(STD_ERROR_HANDLE), said, sizeof said - 1, &written, NULL);
	return 2;
}

static DWORD run(void)
{
	STARTUPINFOW start = {.cb = sizeof start, .dwFlags = STARTF_USESTDHANDLES};
	PROCESS_INFORMATION process;
	DWORD code, length = GetModuleFileNameW(NULL, program, LONGEST);

	if (length < 4 || length >= LONGEST)
		return fail();
	lstrcpyW(program + length - 3, L"exe");
	lstrcpyW(line, L"\"");
	lstrcatW(line, program);
	lstrcatW(line, L"\"");
	lstrcatW(line, arguments(GetCommandLineW()));
	start.hStdInput = GetStdHandle(STD_INPUT_HANDLE);
	start.hStdOutput = GetStdHandle(STD_OUTPUT_HANDLE);
	start.hStdError = GetStdHandle(STD_ERROR_HANDLE);
	SetEnvironmentVariableW(L"ASSAY_CONSOLE", L"1");
	SetConsoleCtrlHandler(waits, TRUE);
	if (!CreateProcessW(program, line, NULL, NULL, TRUE, 0, NULL, NULL, &start, &process))
		return fail();
	WaitForSingleObject(process.hProcess, INFINITE);
	return GetExitCodeProcess(process.hProcess, &code) ? code : 1;
}

void start(void)
{
	ExitProcess(run());
}
