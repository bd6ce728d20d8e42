package command

import (
	"cmp"
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assay/client"
	"assay/client/i18n"
	"assay/client/ipc"
	"assay/client/keys"
	"assay/client/release"
	"assay/client/report"
	"assay/client/report/bundle"
	"assay/client/session"
	"assay/client/store"
	"assay/client/wait"
)

func newExport(f *session.Options) *cobra.Command {
	var job exportJob
	var without []string
	cmd := &cobra.Command{
		Use:   "export ID…|--case CASE --out FILE",
		Short: "Write results to a file, for other programs or a spreadsheet",
		Long: "Writes results that are kept on this computer to a file: what the service said about each, which models said what, when, and about which file, by\n" +
			"its SHA-256. The ending of the file's name chooses the format: .html or .pdf (a report to read and print), .xlsx,\n" +
			".csv, .ndjson (one line for each result) or .json. A name without an ending, or with .assay, becomes the folder of an evidence bundle, and .zip the same\n" +
			"in one file: reports, answers, artifacts, the entries of the custody log with their proofs, and with --media the files themselves, sealed with the\n" +
			"desk's signing key (assay key signing), so that anyone can check it with assay verify, or without Assay as its VERIFY.txt says.\n" +
			"An ID is the requestId that scan --json and list print. With --case it writes the results of a case, in the order in which they were added;\n" +
			"an .html, .pdf or .json then has the case's title, notes and checks, too. Nothing is asked of the service, and nothing leaves\n" +
			"this computer, except for the hash that --stamp sends.",
		RunE: func(cmd *cobra.Command, ids []string) error {
			switch {
			case len(ids) == 0 && job.Case == "":
				return &session.Misuse{Sentence: "export takes the IDs of results, as scan --json and list print them, or a case with --case."}
			case len(ids) > 0 && job.Case != "":
				return &session.Misuse{Sentence: "Give the IDs of results, or a case with --case, not both."}
			}
			if job.Path == "" {
				return &session.Misuse{Sentence: "Give the file to write with --out."}
			}
			if err := job.checkName(); err != nil {
				return err
			}
			for _, part := range without {
				job.Without = append(job.Without, report.Part(part))
			}
			if err := checkChoices(job.Options); err != nil {
				return err
			}
			path, err := filepath.Abs(job.Path)
			if err != nil {
				return err
			}
			job.IDs, job.Path, job.Made, job.Version = ids, path, time.Now(), release.Full()
			s, err := f.Service()
			if err != nil {
				return err
			}
			reminder := time.AfterFunc(remindTick, func() { say(cmd.ErrOrStderr(), i18n.T("Writing the results.")) })
			done, err := runExport(cmd.Context(), s, job, cmd.ErrOrStderr())
			reminder.Stop()
			if err != nil {
				return err
			}
			for _, lack := range slices.Concat(done.Lacks, done.StampProblems) {
				say(cmd.ErrOrStderr(), lack)
			}
			if done.LeftOut > 0 {
				say(cmd.ErrOrStderr(), i18n.N(done.LeftOut, "%s item of the case has no answer and is not in the file.", "%s items of the case have no answer and are not in the file."))
			}
			return done.print(cmd.OutOrStdout(), path, len(ids))
		},
	}
	cmd.Flags().StringVar(&job.Path, "out", "", "the file to write; its ending chooses the format")
	cmd.Flags().StringVar(&job.Case, "case", "", "the case whose results are written: its ID or title, as assay case list prints them")
	cmd.Flags().StringVar((*string)(&job.Media), "media", "", "which pictures an .html or a .pdf has: none, or received, sent or both for all (default: those that were not marked as sensitive); a bundle then has the files themselves, as received, as sent or both (default: their hashes)")
	cmd.Flags().StringVar((*string)(&job.Names), "names", "", "the names of files and links: real or neutral (default: neutral for sensitive files)")
	cmd.Flags().StringSliceVar(&without, "without", nil, "what to leave out: "+listed(report.Parts))
	cmd.Flags().StringVar(&job.Language, "lang", "", "the language: "+strings.Join(languages(), ", ")+" (default: yours)")
	cmd.Flags().BoolVar(&job.Replace, "replace", false, "replace a file or a bundle that already exists")
	cmd.Flags().BoolVar(&job.Stamp, "stamp", false, "ask the time stamp authorities in the settings to stamp the bundle: they get its hash and nothing else")
	cmd.Flags().BoolVar(&job.Unsealed, "unsealed", false, "write the bundle without a seal: anyone can then change it without a trace")
	cmd.Flags().BoolVar(&job.ByteOrderMark, "bom", false, "begin a .csv with a byte order mark, for spreadsheets that ask for one")
	return cmd
}

// checkChoices refuses a choice that there is not.
func checkChoices(o report.Options) error {
	switch {
	case o.Media != "" && !slices.Contains(report.Medias, o.Media):
		return &session.Misuse{Sentence: "--media must be one of: " + listed(report.Medias) + "."}
	case o.Names != "" && !slices.Contains(report.AllNames, o.Names):
		return &session.Misuse{Sentence: "--names must be one of: " + listed(report.AllNames) + "."}
	case o.Language != "" && !slices.Contains(languages(), o.Language):
		return &session.Misuse{Sentence: "--lang must be one of: " + strings.Join(languages(), ", ") + "."}
	case slices.ContainsFunc(o.Without, func(p report.Part) bool { return !slices.Contains(report.Parts, p) }):
		return &session.Misuse{Sentence: "--without takes one or more of: " + listed(report.Parts) + "."}
	}
	return nil
}

// listed are the choices of a flag.
func listed[T ~string](all []T) string {
	names := make([]string, len(all))
	for i, name := range all {
		names[i] = string(name)
	}
	return strings.Join(names, ", ")
}

// languages are the codes of all languages.
func languages() (codes []string) {
	for _, name := range i18n.All() {
		codes = append(codes, name.Code)
	}
	return codes
}

// exportJob is what `assay export` wants.
type exportJob struct {
	IDs  []string `json:"ids"`
	Case string   `json:"case,omitempty"` // in place of IDs: the ID or title of a case
	Path string   `json:"path"`           // absolute
	report.Options
	// Of a bundle.
	Stamp    bool `json:"stamp,omitempty"`    // with time stamps
	Unsealed bool `json:"unsealed,omitempty"` // without a seal
}

// exported says that it was done, or why not.
type exported struct {
	Problem string `json:"problem,omitempty"` // a sentence
	Written int    `json:"written,omitempty"` // results
	LeftOut int    `json:"leftOut,omitempty"` // items of the case that have no answer
	// Of a bundle, as in bundle.Written.
	Lacks         []string       `json:"lacks,omitempty"`
	Fingerprint   string         `json:"fingerprint,omitempty"`
	Stamps        []bundle.Stamp `json:"stamps,omitempty"`
	StampProblems []string       `json:"stampProblems,omitempty"`
}

// checkName refuses a file whose name does not say what it becomes, and choices that it can't have.
func (j exportJob) checkName() error {
	if bundle.IsName(j.Path) {
		return nil
	}
	if err := report.CheckName(j.Path); err != nil {
		return &session.Misuse{Sentence: i18n.Sentence(err) + " " + i18n.T("A .zip, or a name without an ending, becomes an evidence bundle.")}
	}
	if j.Stamp || j.Unsealed {
		return &session.Misuse{Sentence: "--stamp and --unsealed are for a bundle: name a .zip, or a folder without an ending."}
	}
	return nil
}

// print says what was written. given is how many IDs the call had. The error is errSomeFailed where a time stamp is missing.
func (e exported) print(w io.Writer, path string, given int) error {
	lines := []string{i18n.N(cmp.Or(e.Written, given), "%s result written to %[2]s", "%s results written to %[2]s", path)}
	if e.Fingerprint != "" {
		lines = append(lines, i18n.F("sealed with the key %s", e.Fingerprint))
	}
	for _, s := range e.Stamps {
		line := i18n.F("time stamp of %s: %s", s.Authority, i18n.Moment(s.At.Local()))
		if !s.Trusted {
			line += ". " + i18n.T("This computer's system does not know who certified that authority.")
		}
		lines = append(lines, line)
	}
	err := printLines(w, lines)
	if err == nil && len(e.StampProblems) > 0 {
		err = errSomeFailed
	}
	return err
}

// write writes the report of a job from a service's records.
func (j exportJob) write(ctx context.Context, records *store.Store, from exportService) (done exported, err error) {
	if j.Case == "" {
		return j.writeResults(ctx, records, from, "")
	}
	c, err := findCase(ctx, records, j.Case)
	if err != nil {
		return done, err
	}
	if j.IDs, err = records.CaseItems(ctx, c.ID); err != nil {
		return done, err
	}
	if j.Options.Case, err = report.ReadCase(ctx, records, c); err != nil {
		return done, err
	}
	return j.writeResults(ctx, records, from, c.Title)
}

// writeResults writes the results of the IDs; those of a case, which has a title, that have no answer are left out.
func (j exportJob) writeResults(ctx context.Context, records *store.Store, from exportService, title string) (exported, error) {
	selected := report.Selected{Records: records, Service: from.Service, IDs: report.IDs(j.IDs...), Case: title, Table: report.IsTable(j.Path)}
	if !bundle.IsName(j.Path) {
		err := report.Write(ctx, j.Path, j.Options, selected.Results(ctx))
		return exported{Written: selected.Read, LeftOut: selected.LeftOut}, err
	}
	o, err := from.bundle(ctx, records, j.Options, j.Unsealed, j.Stamp)
	if keys.IsProblem(err, keys.Absent) {
		err = &report.Error{Text: i18n.Sentence(signingMisuse(err)) + " " + i18n.T("Or write the bundle without a seal, with --unsealed."), Err: err}
	}
	if err != nil {
		return exported{}, err
	}
	written, err := bundle.Write(ctx, j.Path, &selected, o)
	return exported{
		Written: written.Results, LeftOut: selected.LeftOut, Lacks: written.Lacks, Fingerprint: written.Fingerprint, Stamps: written.Stamps, StampProblems: written.StampProblems,
	}, err
}

// exportService is where the results come from, and what a bundle of them is sealed with.
type exportService struct {
	report.Service
	bundle func(ctx context.Context, records *store.Store, o report.Options, unsealed, stamp bool) (bundle.Options, error)
}

// exporting is what exports from a service; c may be nil for the sandbox.
func exporting(s *session.Service, c *client.Client) exportService {
	return exportService{reportService(c, s.Sandbox), s.Bundle}
}

// reportService is where the results come from; c may be nil for the sandbox.
func reportService(c *client.Client, sandbox bool) report.Service {
	if sandbox {
		return report.Service{Sandbox: true}
	}
	return report.Service{Address: c.Address()}
}

// export does the job of another process's.
func (o *operations) export(ctx context.Context, job exportJob, answer func(exported) error) error {
	q, able := o.queue.(sessionQueue)
	if !able || len(job.IDs) == 0 && job.Case == "" || !filepath.IsAbs(job.Path) {
		return ipc.OtherVersion()
	}
	done, err := job.write(ctx, q.session.Store, exporting(q.session.Service(), q.session.Client))
	if err != nil {
		done = exported{Problem: i18n.Sentence(err)}
	}
	return answer(done)
}

// runExport writes the file by itself where it can hold the folder, and else through the process that does.
func runExport(ctx context.Context, s *session.Service, job exportJob, said io.Writer) (done exported, err error) {
	err = opExport.Run(ctx, ipc.Work[exportJob, exported]{
		Dir: s.Folder,
		Job: func() (exportJob, error) { return job, nil },
		Each: func(e exported) error {
			if e.Problem != "" {
				return errors.New(e.Problem)
			}
			done = e
			return nil
		},
		Here: func(ctx context.Context, h *ipc.Holder) error {
			return withRecords(ctx, s, h, said, func(ctx context.Context, records *store.Store) error {
				done, err = job.write(ctx, records, exporting(s, s.Client))
				return err
			})
		},
		Wait: wait.For,
	})
	return done, err
}
