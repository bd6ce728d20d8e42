// Package command holds the subcommands of the binary, for desks without a window, and the flags that all share.
// It imports the packages of client and never gui: main hands it the way to open the window.
package command

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/jeandeaual/go-locale"
	"github.com/spf13/cobra"

	"assay/client/config"
	"assay/client/i18n"
	"assay/client/keys"
	"assay/client/logs"
)

// Exit codes of the binary.
const (
	ExitAnswered = 0 // everything was answered
	ExitFailed   = 1 // something was not
	ExitMisuse   = 2 // it was called wrongly, or can't run here
)

// errSomeFailed ends a command whose lines already say what failed.
var errSomeFailed = errors.New("some items were not answered")

// Misuse is an error of how the program was called, or of what it was called on.
type Misuse struct{ Sentence string }

func (m *Misuse) Error() string { return m.Sentence }

// Window opens the app's window with these files submitted and returns when it is closed. In the first run, in which h has no
// session, there are none.
type Window func(ctx context.Context, h *Host, files []string) error

// flags are those that all commands share.
type flags struct {
	sandbox  bool
	server   string
	caFile   string
	proxy    string
	home     string
	logLevel string
	hidden   bool

	around      Around
	keyBackend  keys.Backend  // nil: this computer's keychain
	keyPatience time.Duration // of a window with it; 0: the usual
}

// Main is Run on this computer as its system and its IT have set it up.
func Main(ctx context.Context, args []string, window Window) int {
	around := Around{Managed: config.ManagedPath(), Locales: locale.GetLocales, Crashes: true, StandardLog: true}
	return run(ctx, flags{around: around}, args, os.Stdin, os.Stdout, os.Stderr, window)
}

// Run executes the command line, without the program's name, and returns the exit code.
func Run(ctx context.Context, args []string, stdout, stderr io.Writer, window Window) int {
	return run(ctx, flags{}, args, os.Stdin, stdout, stderr, window)
}

// run is Run with another input and other surroundings.
func run(ctx context.Context, f flags, args []string, stdin io.Reader, stdout, stderr io.Writer, window Window) int {
	stderr = locked(stderr)
	root := newRoot(&f, window)
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	f.around.end()
	switch {
	case err == nil:
		return ExitAnswered
	case errors.Is(err, errSomeFailed):
		return ExitFailed
	case ctx.Err() != nil:
		say(stderr, i18n.T("stopped"))
		return ExitFailed
	}
	var said interface{ Sentence() string } // of the client's, the keychain's, the store's errors
	if errors.As(err, &said) {
		say(stderr, said.Sentence())
		return ExitFailed
	}
	say(stderr, err.Error())
	var misuse *Misuse
	if errors.As(err, &misuse) {
		return ExitMisuse
	}
	return ExitFailed
}

func newRoot(f *flags, window Window) *cobra.Command {
	var answers bool
	root := &cobra.Command{
		Use:   "assay [FILE|URL…]",
		Short: "Have pictures, clips, recordings and texts checked for having been made or altered by a machine",
		Long: "Assay submits files and links to a media deepfake-detection service and shows what it said.\n" +
			"Without a subcommand its window opens, with the files and links submitted.",
		Args:          cobra.ArbitraryArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, files []string) error {
			printTo := io.Writer(nil)
			if answers {
				printTo = cmd.OutOrStdout()
			}
			return f.openWindow(cmd.Context(), absolute(files), window, printTo, cmd.ErrOrStderr())
		},
	}
	root.Flags().BoolVar(&answers, "print", false, "print a line on standard output for each item that is answered or refused")
	root.Flags().BoolVar(&f.hidden, "hidden", false, "begin in the tray, where there is one and the settings have Assay in it")
	p := root.PersistentFlags()
	p.BoolVar(&f.sandbox, "sandbox", false, "use the service built into Assay: no key, nothing leaves this computer")
	p.StringVar(&f.server, "server", os.Getenv("ASSAY_SERVER"), "the service's address (or ASSAY_SERVER); its key is the one that assay key set kept, or ASSAY_API_KEY")
	p.StringVar(&f.caFile, "ca-file", os.Getenv("ASSAY_CA_FILE"), "certificates to trust besides the system's, a PEM file (or ASSAY_CA_FILE)")
	p.StringVar(&f.proxy, "proxy", "", "proxy for every call, such as http://proxy.example:3128 (default: the settings' or the environment's)")
	p.StringVar(&f.home, "home", "", "the folder for everything that Assay keeps (default: the system's own)")
	p.StringVar(&f.logLevel, "log-level", "warn", "what is logged on standard error: debug, info, warn or error")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return &Misuse{Sentence: err.Error()} })
	root.AddCommand(newScan(f), newWatch(f), newList(f), newShow(f), newFeedback(f), newKey(f), newSandbox(f))
	root.CompletionOptions.HiddenDefaultCmd = true
	return root
}

// absolute makes paths independent of the folder the program was started in; links stay as they are, and so does what names nothing: it
// must not come to mean that folder.
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

func newLog(level string, w io.Writer, secrets *logs.Secrets) (*slog.Logger, error) {
	var l slog.Level
	if err := l.UnmarshalText([]byte(level)); err != nil {
		return nil, &Misuse{Sentence: "--log-level is debug, info, warn or error."}
	}
	return logs.New(w, l, secrets), nil
}

// homeFolder is where Assay keeps things: the one given, else the system's folder for it.
func homeFolder(given string) (string, error) {
	if given != "" {
		full, err := filepath.Abs(given)
		if err != nil {
			return "", &Misuse{Sentence: "The folder given with --home can't be used."}
		}
		return full, nil
	}
	base, err := os.UserConfigDir()
	if err != nil {
		return "", &Misuse{Sentence: "This system names no folder for Assay's files: give one with --home."}
	}
	return filepath.Join(base, "assay"), nil
}
