package command

import (
	"context"
	"errors"
	"io"
	"iter"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"assay/client"
	"assay/client/i18n"
	"assay/client/ipc"
	"assay/client/report"
	"assay/client/session"
	"assay/client/store"
	"assay/client/wait"
)

func newExport(f *session.Options) *cobra.Command {
	var job exportJob
	cmd := &cobra.Command{
		Use:   "export ID… --out FILE",
		Short: "Write results to a file, for other programs or a spreadsheet",
		Long: "Writes results that are kept on this computer to a file: what the service said of each, which models said what, when, and of which file, by\n" +
			"its SHA-256. The ending of the file's name says what it becomes: .html (a report to read and print), .xlsx, .csv,\n" +
			".ndjson (a line a result) or .json.\n" +
			"An ID is the requestId that scan --json and list print. Nothing is asked of the service, and nothing leaves this computer.",
		Args: func(_ *cobra.Command, ids []string) error {
			if len(ids) == 0 {
				return &session.Misuse{Sentence: "export takes the IDs of results, as scan --json and list print them."}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, ids []string) error {
			if job.Path == "" {
				return &session.Misuse{Sentence: "--out names the file to write."}
			}
			if err := report.CheckName(job.Path); err != nil {
				return &session.Misuse{Sentence: i18n.Sentence(err)}
			}
			switch job.Media {
			case "", report.MediaNone, report.MediaReceived:
			default:
				return &session.Misuse{Sentence: "--media is none or received."}
			}
			path, err := filepath.Abs(job.Path)
			if err != nil {
				return err
			}
			job.IDs, job.Path, job.Made = ids, path, time.Now()
			s, err := f.Service()
			if err != nil {
				return err
			}
			if err := runExport(cmd.Context(), s, job, cmd.ErrOrStderr()); err != nil {
				return err
			}
			return printLine(cmd.OutOrStdout(), i18n.N(len(ids), "%s result written to %[2]s", "%s results written to %[2]s", path))
		},
	}
	cmd.Flags().StringVar(&job.Path, "out", "", "the file to write: its ending says what it becomes")
	cmd.Flags().StringVar((*string)(&job.Media), "media", "", "which pictures an .html has: none, or received for all (default: those that were not held to be sensitive)")
	cmd.Flags().BoolVar(&job.Replace, "replace", false, "write over a file that is there already")
	cmd.Flags().BoolVar(&job.ByteOrderMark, "bom", false, "begin a .csv with a byte order mark, for spreadsheets that ask for one")
	return cmd
}

// exportJob is what `assay export` wants.
type exportJob struct {
	IDs  []string `json:"ids"`
	Path string   `json:"path"` // absolute
	report.Options
}

// exported says that it was done, or why not.
type exported struct {
	Problem string `json:"problem,omitempty"` // a sentence
}

// write writes the report of a job from a service's records.
func (j exportJob) write(ctx context.Context, records *store.Store, from report.Service) error {
	return report.Write(ctx, j.Path, j.Options, resultsOf(ctx, records, from, j.IDs))
}

// resultsOf reads the results of some IDs, each once, one at a time.
func resultsOf(ctx context.Context, records *store.Store, service report.Service, ids []string) iter.Seq2[*report.Result, error] {
	return func(yield func(*report.Result, error) bool) {
		seen := map[string]bool{}
		for _, id := range ids {
			r, err := report.Read(ctx, records, service, id)
			if err == nil {
				if seen[r.ID] {
					continue
				}
				seen[r.ID] = true
			}
			if !yield(r, err) || err != nil {
				return
			}
		}
	}
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
	if !able || len(job.IDs) == 0 || !filepath.IsAbs(job.Path) {
		return ipc.OtherVersion()
	}
	if err := job.write(ctx, q.session.Store, reportService(q.session.Client, q.session.Sandbox)); err != nil {
		return answer(exported{Problem: i18n.Sentence(err)})
	}
	return answer(exported{})
}

// runExport writes the file by itself where it can hold the folder, and else through the process that does.
func runExport(ctx context.Context, s *session.Service, job exportJob, said io.Writer) error {
	return opExport.Run(ctx, ipc.Work[exportJob, exported]{
		Dir: s.Folder,
		Job: func() (exportJob, error) { return job, nil },
		Each: func(e exported) error {
			if e.Problem != "" {
				return errors.New(e.Problem)
			}
			return nil
		},
		Here: func(ctx context.Context, h *ipc.Holder) error {
			return session.Hold(ctx, h, s.Log, func(working context.Context, _ *session.Endpoint) error { // who comes waits until this process ends, which is soon
				records, err := store.Open(working, s.Folder, store.Options{Log: s.Log})
				if err != nil {
					return err
				}
				defer func() {
					if err := records.Close(); err != nil {
						s.Log.Error("close the records", "error", err)
					}
				}()
				saySetAside(said, records.SetAside())
				return job.write(working, records, reportService(s.Client, s.Sandbox))
			})
		},
		Wait: wait.For,
	})
}
