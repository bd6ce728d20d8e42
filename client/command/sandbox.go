package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"assay/client/ipc"
	"assay/client/sandbox"
	"assay/client/session"
)

// sandboxHelp is the long help of `assay sandbox`.
const sandboxHelp = `Serves the detection service's interface on this computer, with classic forensics behind it.
Prints its address and the key it accepts, then serves until it is stopped.

Faults make calls go wrong, for trying out clients; give as many as you like. They count calls, so that the
same calls in the same order always meet the same faults:

` + sandbox.FaultGrammar + `

For example, the second poll is told to come back in a second, and the first upload is reset half-way:
  assay sandbox --fault 'result:503@2,retry-after=1' --fault 'put:reset@1,after=100000'`

// sandboxFlags are the flags of `assay sandbox` alone.
type sandboxFlags struct {
	addr       string
	dir        string
	latency    time.Duration
	offset     time.Duration
	secondUser bool
	faults     []string
}

func newSandbox(f *session.Options) *cobra.Command {
	var own sandboxFlags
	cmd := &cobra.Command{
		Use:   "sandbox",
		Short: "Serve the built-in service for any client until stopped",
		Long:  sandboxHelp,
		Args:  noArguments("sandbox"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			o, err := own.options(f)
			if err != nil {
				return err
			}
			return serveSandbox(cmd.Context(), own.addr, o, cmd.OutOrStdout())
		},
	}
	p := cmd.Flags()
	p.StringVar(&own.addr, "addr", "127.0.0.1:0", "loopback address and port to listen on; port 0 picks a free one")
	p.StringVar(&own.dir, "dir", "", "folder for its records (default: under Assay's own)")
	p.DurationVar(&own.latency, "latency", session.SandboxLatency, "least time from one model's end to the next")
	p.DurationVar(&own.offset, "clock-offset", 0, "how far its clock is ahead, such as 16m, or behind, such as -1h")
	p.BoolVar(&own.secondUser, "second-user", false, "let in a second user of another organisation, and print that key too")
	p.StringArrayVar(&own.faults, "fault", nil, "make calls go wrong, as explained above; may be given again")
	return cmd
}

// options reads the flags.
func (own sandboxFlags) options(f *session.Options) (sandbox.Options, error) {
	o := sandbox.Options{Dir: own.dir, Latency: own.latency, SecondUser: own.secondUser}
	if own.latency < 0 {
		return o, &session.Misuse{Sentence: "--latency can't be negative."}
	}
	for _, text := range own.faults {
		fault, err := sandbox.ParseFault(text)
		if err != nil {
			return o, &session.Misuse{Sentence: fmt.Sprintf("--fault: %v See assay sandbox --help.", err)}
		}
		o.Faults = append(o.Faults, fault)
	}
	if own.offset != 0 {
		o.Now = func() time.Time { return time.Now().Add(own.offset) }
	}
	var err error
	if o.Log, err = f.NewLog(nil); err != nil {
		return o, err
	}
	if o.Dir == "" {
		home, err := f.HomeFolder()
		if err != nil {
			return o, err
		}
		warnings, err := session.CheckHome(home)
		if err != nil {
			return o, err
		}
		for _, warning := range warnings {
			f.Say(warning())
		}
		o.Dir = filepath.Join(home, "sandbox", "served")
	}
	return o, nil
}

// serveSandbox prints its URL and keys, and serves until ctx ends.
func serveSandbox(ctx context.Context, addr string, o sandbox.Options, stdout io.Writer) (err error) {
	holder, err := ipc.Take(ctx, o.Dir)
	if errors.Is(err, ipc.ErrHeld) {
		return &session.Misuse{Sentence: "Another sandbox already uses this folder. Give a different one with --dir."}
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, holder.Close()) }()
	server, err := session.StartSandbox(ctx, addr, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	said := []string{"url: " + server.URL, "key: " + server.Box.Key()}
	if o.SecondUser {
		said = append(said, "second key: "+server.Box.SecondKey())
	}
	if err := printLines(stdout, said); err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}
