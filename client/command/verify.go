package command

import (
	"context"
	"encoding/json"
	"io"
	"time"

	"github.com/spf13/cobra"

	"assay/client/custody"
	"assay/client/i18n"
	"assay/client/ipc"
	"assay/client/session"
	"assay/client/store"
)

func newVerify(f *session.Options) *cobra.Command {
	var log, asJSON bool
	cmd := &cobra.Command{
		Use:   "verify --log",
		Short: "Check that the custody log is as it was written",
		Long: "Checks the whole custody log of the service: each entry by its hash, that it follows the one before, and that it has its place in the log's tree.\n" +
			"It needs no network, changes nothing, and works while Assay's window is open.\n" +
			"Exit status: 0 the log is intact, 1 it was changed (the lines say where), or could not be checked.",
		Args: noArguments("verify"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !log {
				return &session.Misuse{Sentence: "Say what to check: assay verify --log checks the custody log."}
			}
			s, err := f.Service()
			if err != nil {
				return err
			}
			reminder := time.AfterFunc(remindTick, func() { say(cmd.ErrOrStderr(), i18n.T("The custody log is being checked.")) })
			report, err := verifyLog(cmd.Context(), s, cmd.ErrOrStderr())
			reminder.Stop()
			if err != nil {
				return err
			}
			return printVerified(interruptible(cmd.Context(), cmd.OutOrStdout()), report, asJSON)
		},
	}
	cmd.Flags().BoolVar(&log, "log", false, "check the custody log")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object: whether it is intact, and what was found")
	return cmd
}

// custodyChecker checks the custody log of a process that holds the folder.
type custodyChecker interface {
	CheckCustody(ctx context.Context) (custody.Report, error)
}

// CheckCustody implements custodyChecker.
func (q sessionQueue) CheckCustody(ctx context.Context) (custody.Report, error) {
	return q.session.Store.CheckCustody(ctx)
}

// verify does the job of another process's.
func (o *operations) verify(ctx context.Context, _ struct{}, answer func(custody.Report) error) error {
	checker, able := o.queue.(custodyChecker)
	if !able {
		return ipc.OtherVersion()
	}
	report, err := checker.CheckCustody(ctx)
	if err != nil {
		return err
	}
	return answer(report)
}

// verifyLog checks the custody log by itself where it can hold the folder, and else through the process that does.
func verifyLog(ctx context.Context, s *session.Service, said io.Writer) (report custody.Report, err error) {
	checked := false
	err = opVerify.Run(ctx, ipc.Work[struct{}, custody.Report]{
		Dir:  s.Folder,
		Job:  func() (none struct{}, err error) { return none, nil },
		Each: func(there custody.Report) error { report, checked = there, true; return nil },
		Here: func(ctx context.Context, h *ipc.Holder) error {
			return session.Hold(ctx, h, s.Log, func(working context.Context, _ *session.Endpoint) error { // who comes waits until this process ends
				defer s.Close()
				report, err = checkRecords(working, s, said)
				checked = err == nil
				return err
			})
		},
	})
	if err == nil && !checked {
		err = ipc.OtherVersion()
	}
	return report, err
}

// checkRecords checks the custody log in the service's records. Where these are damaged, there is none to check.
func checkRecords(ctx context.Context, s *session.Service, said io.Writer) (custody.Report, error) {
	records, err := store.Open(ctx, s.Folder, store.Options{Log: s.Log})
	if err != nil {
		return custody.Report{}, err
	}
	defer func() {
		if err := records.Close(); err != nil {
			s.Log.Error("close the records", "error", err)
		}
	}()
	if name := records.SetAside(); name != "" {
		saySetAside(said, name)
		return custody.Report{}, errSomeFailed
	}
	return records.CheckCustody(ctx)
}

// verified is what verify --json prints.
type verified struct {
	Intact bool `json:"intact"`
	custody.Report
}

// printVerified says what the check has found. The error is errSomeFailed where the log was changed.
func printVerified(w io.Writer, r custody.Report, asJSON bool) error {
	changed := r.Err() != nil
	var err error
	if asJSON {
		var data []byte
		if data, err = json.Marshal(verified{Intact: !changed, Report: r}); err == nil {
			err = printJSONLine(w, data)
		}
	} else {
		err = printLines(w, reportLines(r))
	}
	if err == nil && changed {
		err = errSomeFailed
	}
	return err
}

// reportLines are what a person reads of a report.
func reportLines(r custody.Report) []string {
	entries := i18n.N(int(r.Entries), "It has %s entry.", "It has %s entries.")
	if r.Err() == nil {
		return []string{i18n.T("The custody log is intact: every entry is as it was written, none was taken out, and none was put in.") + " " + entries}
	}
	lines := []string{i18n.T("The custody log was changed after it was written.") + " " + entries}
	for _, f := range r.Findings {
		lines = append(lines, findingLine(f))
	}
	if r.More > 0 {
		lines = append(lines, i18n.N(int(r.More), "%s more place was changed.", "%s more places were changed."))
	}
	return lines
}

func findingLine(f custody.Finding) string {
	entry := i18n.Count(int(f.Entry))
	switch f.Change {
	case custody.EntryChanged:
		return i18n.F("Entry %s is not as it was written, or does not follow the one before.", entry)
	case custody.EntryRemoved:
		return i18n.F("Entry %s was taken out.", entry)
	case custody.EntryForeign:
		return i18n.F("Entry %s was exchanged, or put in later.", entry)
	case custody.TreeChanged:
		return i18n.F("The hashes that were kept with entry %s are others now.", entry)
	}
	return string(f.Change)
}
