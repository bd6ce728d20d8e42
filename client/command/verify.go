package command

import (
	"context"
	"encoding/json"
	"io"
	"strings"
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
		Use:   "verify FILE|FOLDER|--log",
		Short: "Check that an evidence bundle, or the custody log, is as it was made",
		Long: "Checks an evidence bundle, a .zip or a folder: every file by its hash, that no file is missing or was added, the seal and whose key made it, the\n" +
			"time stamp, and the proofs of the custody log. It needs no network, no service and no key, and writes nothing. A signer is known\n" +
			"once assay signer add, or Assay's window, has saved their key.\n" +
			"With --log it checks the whole custody log of the service: each entry by its hash, that it follows the one before, that it is in its place in the log's tree,\n" +
			"and that this is the tree that was signed, time and again, with a key in this computer's keychain (or in ASSAY_LOG_KEY).\n" +
			"It needs no network, changes nothing, and works while Assay's window is open.\n" +
			"Exit status: 0 intact (the lines say whether the signer is known), 1 it was changed (the lines say where), or could not be checked, 2 it is not a bundle.",
		RunE: func(cmd *cobra.Command, paths []string) error {
			switch {
			case log && len(paths) == 0:
			case !log && len(paths) == 1:
				return verifyBundle(cmd, f, paths[0], asJSON)
			default:
				return &session.Misuse{Sentence: "Say what to check: assay verify FILE or FOLDER checks an evidence bundle, assay verify --log the custody log."}
			}
			s, err := f.Service()
			if err != nil {
				return err
			}
			reminder := time.AfterFunc(remindTick, func() { say(cmd.ErrOrStderr(), i18n.T("Checking the custody log.")) })
			report, err := verifyLog(cmd.Context(), s, cmd.ErrOrStderr())
			reminder.Stop()
			if err != nil {
				return err
			}
			v := verifiedLog{Intact: report.Err() == nil, LogCheck: report}
			return v.print(interruptible(cmd.Context(), cmd.OutOrStdout()), asJSON)
		},
	}
	cmd.Flags().BoolVar(&log, "log", false, "check the custody log")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object: whether it is intact, and what was found")
	return cmd
}

// custodyChecker checks the custody log of a process that holds the folder.
type custodyChecker interface {
	CheckCustody(ctx context.Context) (session.LogCheck, error)
}

// CheckCustody implements custodyChecker.
func (q sessionQueue) CheckCustody(ctx context.Context) (session.LogCheck, error) {
	return q.session.CheckCustody(ctx)
}

// verify does the job of another process's.
func (o *operations) verify(ctx context.Context, _ struct{}, answer func(session.LogCheck) error) error {
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
func verifyLog(ctx context.Context, s *session.Service, said io.Writer) (report session.LogCheck, err error) {
	checked := false
	err = opVerify.Run(ctx, ipc.Work[struct{}, session.LogCheck]{
		Dir:  s.Folder,
		Job:  func() (none struct{}, err error) { return none, nil },
		Each: func(there session.LogCheck) error { report, checked = there, true; return nil },
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
func checkRecords(ctx context.Context, s *session.Service, said io.Writer) (session.LogCheck, error) {
	records, err := store.OpenForReading(ctx, s.Folder, store.Options{Log: s.Log})
	if err != nil {
		return session.LogCheck{}, err
	}
	defer func() {
		if err := records.Close(); err != nil {
			s.Log.Error("close the records", "error", err)
		}
	}()
	if name := records.SetAside(); name != "" {
		saySetAside(said, name)
		return session.LogCheck{}, errSomeFailed
	}
	sayNewer(said, records.ReadOnly())
	return s.CheckCustody(ctx, records)
}

// verifiedLog is what verify --log --json prints.
type verifiedLog struct {
	Intact bool `json:"intact"`
	session.LogCheck
}

// print says what the check has found. The error is errSomeFailed where the log was changed.
func (v *verifiedLog) print(w io.Writer, asJSON bool) error {
	var err error
	if asJSON {
		var data []byte
		if data, err = json.Marshal(v); err == nil {
			err = printJSONLine(w, data)
		}
	} else {
		err = printLines(w, v.lines())
	}
	if err == nil && !v.Intact {
		err = errSomeFailed
	}
	return err
}

// lines are what a person reads of the report.
func (v *verifiedLog) lines() (lines []string) {
	entries := i18n.N(int(v.Entries), "It has %s entry.", "It has %s entries.")
	if v.Intact {
		lines = append(lines, i18n.T("The custody log is intact: every entry is as it was written, none was removed, and none was added later.")+" "+entries)
	} else {
		lines = append(lines, i18n.T("The custody log was changed after it was written.")+" "+entries)
	}
	for _, f := range v.Findings {
		lines = append(lines, findingLine(f))
	}
	if v.More > 0 {
		lines = append(lines, i18n.N(int(v.More), "%s more place was changed.", "%s more places were changed."))
	}
	if v.Before > 0 {
		lines = append(lines, i18n.F("Entry %s had already changed when the log's tree was built. The tree was built from the entries as they were then.", i18n.Count(int(v.Before))))
	}
	if line := v.signedLine(); line != "" {
		lines = append(lines, line)
	}
	return lines
}

// signedLine says how much of the log is signed, and with whose key.
func (v *verifiedLog) signedLine() string {
	if v.Signed == nil {
		if v.Entries == 0 {
			return ""
		}
		line := i18n.T("Nothing in it is signed, so Assay can't see whether its last entries were removed together with their hashes.")
		return strings.TrimSpace(line + " " + v.NoKey)
	}
	number, at := int(v.Signed.Entries), i18n.Moment(v.Signed.At.Local())
	switch v.Signer {
	case session.SignerOwn:
		return i18n.N(number, "The first entry was signed on %[2]s with this computer's key.", "The first %[1]s entries were signed on %[2]s with this computer's key.", at)
	case session.SignerOther:
		return i18n.N(number, "The first entry was signed on %[2]s with another key than this computer's.", "The first %[1]s entries were signed on %[2]s with another key than this computer's.", at)
	}
	line := i18n.N(number, "The first entry was signed on %[2]s. Assay can't tell whether it was with this computer's key.", "The first %[1]s entries were signed on %[2]s. Assay can't tell whether it was with this computer's key.", at)
	return line + " " + v.NoKey
}

func findingLine(f custody.Finding) string {
	entry := i18n.Count(int(f.Entry))
	switch f.Change {
	case custody.EntryChanged:
		return i18n.F("Entry %s is not as it was written, or does not follow the one before.", entry)
	case custody.EntryRemoved:
		return i18n.F("Entry %s was removed.", entry)
	case custody.EntryForeign:
		return i18n.F("Entry %s was replaced, or added later.", entry)
	case custody.TreeChanged:
		return i18n.F("The hashes kept with entry %s have changed.", entry)
	case custody.CheckpointChanged:
		return i18n.N(int(f.Entry), "What was signed when the log had %s entry was changed later.", "What was signed when the log had %s entries was changed later.")
	case custody.LogRewritten:
		return i18n.N(int(f.Entry), "The log is not the one that was signed when it had %s entry: it was written again, or cut.", "The log is not the one that was signed when it had %s entries: it was written again, or cut.")
	}
	return string(f.Change)
}
