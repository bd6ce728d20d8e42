// Package command holds the subcommands of the binary and the flags that all share. It imports the packages of client and never gui: main gives it
// the function that opens the window.
package command

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/jeandeaual/go-locale"
	"github.com/spf13/cobra"

	"assay/client/config"
	"assay/client/i18n"
	"assay/client/ipc"
	"assay/client/release"
	"assay/client/session"
	"assay/client/store"
)

// Exit codes of the binary.
const (
	ExitAnswered = 0 // all were answered
	ExitFailed   = 1 // some were not
	ExitMisuse   = 2 // a wrong call, or it can't run here
)

// errSomeFailed ends a command whose lines say already what failed.
var errSomeFailed = errors.New("some items were not answered")

// Window opens the app's window with these files submitted, and returns when it is closed. In the first run, in which h has no session, there are no
// files.
type Window func(ctx context.Context, h *session.Host, files []string) error

// ThisComputer returns the options of a start with the settings of this computer's system and IT.
func ThisComputer() session.Options {
	program, _ := os.Executable() // where it is not known, no folder is beside it
	return session.Options{Machine: session.Machine{Program: program, Managed: config.ManagedPath(), Locales: locale.GetLocales, Crashes: true, StandardLog: true, Updates: release.Updates()}}
}

// Main executes a command line, without the program's name, and returns the exit code. Where window is nil, this build has none: what would open
// it is misuse.
func Main(ctx context.Context, o session.Options, args []string, stdin io.Reader, stdout, stderr io.Writer, window Window) int {
	stderr = locked(stderr)
	o.Stderr, o.Say = stderr, func(sentence string) { say(stderr, sentence) }
	root := newRoot(&o, window)
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	o.Machine.End()
	switch {
	case err == nil:
		return ExitAnswered
	case errors.Is(err, errSomeFailed):
		return ExitFailed
	case ctx.Err() != nil:
		say(stderr, i18n.T("stopped"))
		return ExitFailed
	}
	if said := i18n.MessageOf(err, i18n.Message{}); !said.IsZero() { // errors of the client, the keychain and the store say something to the person
		say(stderr, said.String())
		return ExitFailed
	}
	say(stderr, err.Error())
	var misuse *session.Misuse
	if errors.As(err, &misuse) {
		return ExitMisuse
	}
	return ExitFailed
}

// Tree is the commands with their flags, for what describes them: the manual, the shells' completion. window says which build is meant.
func Tree(window bool) *cobra.Command {
	var opens Window
	if window {
		opens = func(context.Context, *session.Host, []string) error { return nil }
	}
	return newRoot(new(session.Options), opens)
}

func newRoot(f *session.Options, window Window) *cobra.Command {
	var answers bool
	root := &cobra.Command{
		Use:   "assay [FILE|URL…]",
		Short: "Check whether pictures, clips, recordings and texts were made or altered by a machine",
		Long: "Assay submits files and links to a media deepfake-detection service and shows what it said.\n" +
			"Without a subcommand it opens its window and submits the files and links.",
		Version:       release.Version(),
		Args:          cobra.ArbitraryArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, files []string) error {
			printTo := io.Writer(nil)
			if answers {
				printTo = cmd.OutOrStdout()
			}
			return openWindow(cmd.Context(), f, absolute(files), window, printTo)
		},
	}
	version := release.This().String()
	if window == nil {
		version += ", without a window"
		root.Use, root.Long = "assay COMMAND", "Assay submits files and links to a media deepfake-detection service and shows what it said.\n"+
			"This build has no window. Give a command."
		root.RunE = func(*cobra.Command, []string) error {
			return &session.Misuse{Sentence: i18n.T("This Assay has no window. Use \"assay scan FILE…\" instead; \"assay --help\" lists the rest.")}
		}
	} else {
		root.Flags().BoolVar(&answers, "print", false, "print a line on standard output for each item that is answered or refused")
		root.Flags().BoolVar(&f.Hidden, "hidden", false, "start in the tray, if there is one and the settings show Assay in it")
	}
	root.SetVersionTemplate(version + "\n")
	p := root.PersistentFlags()
	p.BoolVar(&f.Sandbox, "sandbox", false, "use the service built into Assay: no key, nothing leaves this computer")
	p.StringVar(&f.Server, "server", os.Getenv("ASSAY_SERVER"), "the service's address (or ASSAY_SERVER); its key comes from assay key set, from ASSAY_API_KEY, or from the file named in ASSAY_API_KEY_FILE")
	p.StringVar(&f.CAFile, "ca-file", os.Getenv("ASSAY_CA_FILE"), "certificates to trust besides the system's, a PEM file (or ASSAY_CA_FILE)")
	p.StringVar(&f.Proxy, "proxy", "", "proxy for every call, such as http://proxy.example:3128 (default: the settings' or the environment's)")
	p.StringVar(&f.Home, "home", "", "the folder for everything that Assay keeps (default: the system's own; assay-home beside the program, if there is a file named portable)")
	p.StringVar(&f.LogLevel, "log-level", "warn", "what is logged on standard error: debug, info, warn or error")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return &session.Misuse{Sentence: err.Error()} })
	root.AddCommand(newScan(f), newWatch(f, window != nil), newList(f, time.After), newShow(f), newFeedback(f), newCase(f), newDesk(f), newRecheck(f), newExport(f), newVerify(f), newSigner(f), newKey(f), newSandbox(f), newEntries(f), newQuit(f))
	root.CompletionOptions.HiddenDefaultCmd = true
	return root
}

// openWindow opens the window. If one is open already, that one accepts the files and links, and printTo, unless nil, gets a line for each item that
// ends.
func openWindow(ctx context.Context, o *session.Options, given []string, window Window, printTo io.Writer) error {
	p := session.HostParams{Operations: func(s *session.Session) map[string]ipc.Handle {
		return newOperations(sessionQueue{s.Queue, s}, true).handlers()
	}}
	ctx, end := context.WithCancel(ctx)
	defer end()
	var left atomic.Pointer[session.LeaveJob]
	p.Leave = func(job session.LeaveJob) { left.Store(&job); end() }
	if printTo != nil {
		p.Opened = func(s *session.Session) (closing func()) { return printAnswers(s, printTo) }
	}
	h, err := session.NewHost(ctx, o, p)
	if err != nil {
		return err
	}
	defer h.Close()
	there, err := h.Begin(ctx, given)
	if errors.Is(err, store.ErrNewer) {
		h.Refused = i18n.Sentence(err)
		return errors.Join(err, window(ctx, h, nil))
	}
	if err != nil {
		return err
	}
	if there != nil {
		o.Say(there.Sentence())
		return nil
	}
	if h.Session() == nil {
		given = nil // the host has accepted them
	}
	err = window(ctx, h, given)
	if job := left.Load(); job != nil && err == nil {
		o.Say(leftSentence(*job))
	}
	return err
}

// absolute makes paths absolute. Links stay as they are, and so do blank arguments, which would become the current folder.
func absolute(given []string) []string {
	out := make([]string, len(given))
	for i, path := range given {
		out[i] = path
		if strings.Contains(path, "://") || strings.TrimSpace(path) == "" {
			continue
		}
		if full, err := filepath.Abs(path); err == nil {
			out[i] = full
		}
	}
	return out
}

// endPatience is how long the program may take to end once it was asked to. Without a display the window may hang for ever, and hold the folder;
// whenever it ends, what is done is on disk.
const endPatience = 20 * time.Second

// EndBySignal returns a context that ends with the first signal to stop. The second signal calls exit, which ends the process, whatever hangs.
func EndBySignal(ctx context.Context, exit func()) (_ context.Context, stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	notifyConsole(signals)
	go func() {
		select {
		case <-signals:
		case <-ctx.Done():
			return
		}
		cancel()
		select {
		case <-signals:
		case <-time.After(endPatience):
		}
		exit()
	}()
	return ctx, func() {
		signal.Stop(signals)
		cancel()
	}
}
