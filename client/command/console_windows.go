package command

import (
	"os"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/sys/windows"

	"assay/client/session"
)

// consoleVariable is set by assay.com, which waits for this process and prints nothing itself.
const consoleVariable = "ASSAY_CONSOLE"

const attachParentProcess = ^uint32(0)

var (
	kernel32              = windows.NewLazySystemDLL("kernel32.dll")
	attachConsole         = kernel32.NewProc("AttachConsole")
	setConsoleCtrlHandler = kernel32.NewProc("SetConsoleCtrlHandler")

	attached atomic.Bool
)

// UseConsole lets subcommands print on the console that they are called from: Windows gives a program with a window none of its own. A start that opens the
// window leaves the console alone, unless assay.com waits for it: else Ctrl+C there would end the window.
func UseConsole(args []string) {
	waitedFor := os.Getenv(consoleVariable) != ""
	_ = os.Unsetenv(consoleVariable) // not for programs that this one starts
	if !waitedFor && !prints(args) {
		return
	}
	if done, _, _ := attachConsole.Call(uintptr(attachParentProcess)); done == 0 {
		return // it was not called from a console, or has one
	}
	attached.Store(true)
	for _, stream := range []struct {
		file         **os.File
		number       uint32
		device, name string
	}{
		{&os.Stdin, windows.STD_INPUT_HANDLE, "CONIN$", "/dev/stdin"},
		{&os.Stdout, windows.STD_OUTPUT_HANDLE, "CONOUT$", "/dev/stdout"},
		{&os.Stderr, windows.STD_ERROR_HANDLE, "CONOUT$", "/dev/stderr"},
	} {
		handle, err := windows.GetStdHandle(stream.number)
		if err != nil || !usable(handle) {
			if handle, err = openDevice(stream.device); err != nil {
				continue
			}
			_ = windows.SetStdHandle(stream.number, handle)
		}
		*stream.file = os.NewFile(uintptr(handle), stream.name) // anew, because it is looked up there whether it is a console's
	}
}

// prints reports whether a call ends without opening the window: it is one of a subcommand, or asks for help or the version.
func prints(args []string) bool {
	for _, flag := range []string{"--help", "-h", "--version"} {
		if slices.Contains(args, flag) {
			return true
		}
	}
	root := newRoot(new(session.Options), nil)
	found, _, err := root.Find(args)
	return err != nil || found != root
}

// usable reports whether a standard stream leads anywhere: to a file, a pipe, or a console.
func usable(handle windows.Handle) bool {
	if handle == 0 || handle == windows.InvalidHandle {
		return false
	}
	kind, err := windows.GetFileType(handle)
	return err == nil && kind != windows.FILE_TYPE_UNKNOWN
}

func openDevice(name string) (windows.Handle, error) {
	path, err := windows.UTF16PtrFromString(name)
	if err != nil {
		return 0, err
	}
	return windows.CreateFile(path, windows.GENERIC_READ|windows.GENERIC_WRITE, windows.FILE_SHARE_READ|windows.FILE_SHARE_WRITE, nil, windows.OPEN_EXISTING, 0, 0)
}

// notifyConsole sends the console's Ctrl+C, Ctrl+Break and its end to signals: a process that attaches to a console afterwards may lose the handler that
// the runtime has set at the start.
func notifyConsole(signals chan<- os.Signal) {
	if !attached.Load() {
		return
	}
	handler := windows.NewCallback(func(kind uint32) uintptr {
		select {
		case signals <- os.Interrupt:
		default:
		}
		if kind != windows.CTRL_C_EVENT && kind != windows.CTRL_BREAK_EVENT {
			<-time.After(endPatience) // Windows ends the process as soon as this returns
		}
		return 1
	})
	_, _, _ = setConsoleCtrlHandler.Call(handler, 1)
}
