package command

import (
	"context"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assay/client"
	"assay/client/i18n"
	"assay/client/session"
	"assay/client/store"
	"assay/client/submission"
	"assay/client/verdict"
	"assay/client/wait"
)

// watchHelp is the long help of `assay watch`.
const watchHelp = `Watches folders until it is stopped, and prints a line for each file that was answered or can't be: each complete
file once, never half of one. What it was doing goes on at the next start.

%s
Files that are already in a folder when you first watch it are left out, unless you use --all.
While Assay's window is open, the work is done there.
Exit status: 0 stopped, 1 it could not go on, 2 called wrongly.`

// The help on the gate, of a build with a window and of one without: there, nobody could say whether a file may be sent.
const (
	gateByWindow = "By default the files wait for your decision in Assay's window: --gate send sends them, --gate never sends nothing."
	gateByFlag   = "--gate send sends the files, --gate never sends nothing. This build has no window in which files could wait for your decision."
)

// watchFlags are those of `assay watch` alone.
type watchFlags struct {
	gate         string
	all          bool
	noSubfolders bool
	only, skip   []string
	types        []string
	quiet        time.Duration
	inCase       string
	json         bool
}

func newWatch(f *session.Options, window bool) *cobra.Command {
	var own watchFlags
	help, gate := gateByWindow, string(submission.GateAsk)
	if !window {
		help, gate = gateByFlag, ""
	}
	cmd := &cobra.Command{
		Use:   "watch DIR…",
		Short: "Watch folders and print what the service says of each new file",
		Long:  fmt.Sprintf(watchHelp, help),
		Args:  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			job, err := own.job(args)
			if err != nil {
				return err
			}
			s, err := f.Service()
			if err != nil {
				return err
			}
			if s.Sandbox && !own.json {
				_ = printLine(cmd.ErrOrStderr(), i18n.T(verdict.SandboxNote))
			}
			if own.inCase != "" {
				if job.Case, err = caseID(cmd.Context(), s, own.inCase, cmd.ErrOrStderr()); err != nil {
					return err
				}
			}
			sayOverruled(cmd.ErrOrStderr(), s.Base, job.Gate, submission.Submission{Source: submission.Watched})
			return watchFolders(cmd.Context(), s, job, cmd.OutOrStdout(), cmd.ErrOrStderr(), own.json)
		},
	}
	p := cmd.Flags()
	p.StringVar(&own.gate, "gate", gate, "what to do with the files: ask (they wait for your decision), send or never")
	p.BoolVar(&own.all, "all", false, "also take the files that are already there when a folder is first watched")
	p.BoolVar(&own.noSubfolders, "no-subfolders", false, "leave out subfolders")
	p.StringArrayVar(&own.only, "only", nil, "take only files whose names match, such as 'IMG_*'; may be given again")
	p.StringArrayVar(&own.skip, "skip", nil, "leave out files and folders whose names match; may be given again")
	p.StringArrayVar(&own.types, "type", nil, "take only files of a type: picture, clip, recording or text; may be given again")
	p.DurationVar(&own.quiet, "quiet", 0, "how long a file must stay unchanged before it counts as complete, where the system does not say so (default 2s, on network folders 10s)")
	p.StringVar(&own.inCase, "case", "", "add the files to this case: its ID or title, as assay case list prints them")
	p.BoolVar(&own.json, "json", false, "print one JSON object per line")
	return cmd
}

// Bounds of --quiet.
const (
	quietLeast = 200 * time.Millisecond
	quietMost  = time.Hour
)

// gates are the values of --gate; mediaTypes are by the words for them.
var (
	gates      = []submission.Gate{submission.GateAsk, submission.GateSend, submission.GateNever}
	mediaTypes = map[string]client.MediaType{"picture": client.Image, "clip": client.Video, "recording": client.Audio, "text": client.Text}
)

// job reads the arguments and flags.
func (own *watchFlags) job(args []string) (watchJob, error) {
	job := watchJob{Only: own.only, Skip: own.skip, Subfolders: !own.noSubfolders, Quiet: own.quiet, All: own.all}
	if len(args) == 0 {
		return job, &session.Misuse{Sentence: "Name at least one folder to watch."}
	}
	for _, given := range args {
		if strings.TrimSpace(given) == "" { // least of all the folder that we were started in
			return job, &session.Misuse{Sentence: "A folder to watch has no name."}
		}
		full, err := filepath.Abs(given)
		if err != nil {
			return job, &session.Misuse{Sentence: "The current folder is gone: give full paths."}
		}
		if !slices.Contains(job.Given, full) {
			job.Given = append(job.Given, full)
		}
	}
	if own.gate == "" {
		return job, &session.Misuse{Sentence: "This Assay has no window in which files could wait for your decision. Use --gate send or --gate never."}
	}
	if job.Gate = submission.Gate(own.gate); !slices.Contains(gates, job.Gate) {
		return job, &session.Misuse{Sentence: "--gate must be ask, send or never."}
	}
	for _, name := range own.types {
		kind, ok := mediaTypes[name]
		if !ok {
			return job, &session.Misuse{Sentence: "--type must be picture, clip, recording or text."}
		}
		job.Types = append(job.Types, kind)
	}
	if own.quiet != 0 && (own.quiet < quietLeast || own.quiet > quietMost) {
		return job, &session.Misuse{Sentence: "--quiet must be from 200ms to 1h."}
	}
	if err := checkPatterns("only", own.only); err != nil {
		return job, err
	}
	return job, checkPatterns("skip", own.skip)
}

// checkPatterns says what is wrong with patterns of names.
func checkPatterns(flag string, patterns []string) error {
	for _, pattern := range patterns {
		if _, err := path.Match(pattern, ""); err != nil || pattern == "" || strings.ContainsRune(pattern, '/') {
			return &session.Misuse{Sentence: fmt.Sprintf("--%s takes the name of a file, in which * stands for any letters and ? for one, and no folder before it.", flag)}
		}
	}
	return nil
}

// watchFolders does a job, by itself or through the process that holds the folder, until ctx ends.
func watchFolders(ctx context.Context, s *session.Service, job watchJob, out, said io.Writer, asJSON bool) error {
	printer := newWatchPrinter(out, said, asJSON)
	start := watchStart{
		dir:  s.Folder,
		wait: wait.For,
		before: func(ctx context.Context) (map[string]submission.State, error) {
			states, aside, err := watchedBefore(ctx, s)
			saySetAside(said, aside)
			return states, err
		},
		local: newLocal(s, said, (*session.Session).Resume),
		emit:  printer.take,
		job:   job,
	}
	return start.run(ctx)
}

// watchedBefore says how the submissions of watched folders stand that have ended or are held, as the last run left them: the
// session lets the others go on as soon as it is open. setAside is the name of damaged records, as of Session.SetAside.
func watchedBefore(ctx context.Context, s *session.Service) (states map[string]submission.State, setAside string, err error) {
	records, err := store.Open(ctx, s.Folder, store.Options{Log: s.Log})
	if err != nil {
		return nil, "", err
	}
	defer func() {
		if err := records.Close(); err != nil {
			s.Log.Error("close the records", "error", err)
		}
	}()
	all, err := records.Inbox(ctx)
	if err != nil {
		return nil, records.SetAside(), err
	}
	states = map[string]submission.State{}
	for _, sub := range all {
		if sub.Source == submission.Watched && hasEnd(sub.State) {
			states[sub.ID] = sub.State
		}
	}
	return states, records.SetAside(), nil
}
