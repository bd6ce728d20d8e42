package command

import (
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"

	"github.com/spf13/cobra"
)

func noProxy(*http.Request) (*url.URL, error) { return nil, nil }

func newSandbox(f *flags) *cobra.Command {
	var addr, dir string
	cmd := &cobra.Command{
		Use:   "sandbox",
		Short: "Serve the built-in service for any client until stopped",
		Long:  "Serves the detection service's interface on this computer, with classic forensics behind it.\nPrints its address and the key it accepts, then serves until it is stopped.",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return &Misuse{Sentence: "sandbox takes no arguments, only --addr and --dir."}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			log, err := newLog(f.logLevel, cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			if dir == "" {
				parent, err := sandboxFolder(*f)
				if err != nil {
					return err
				}
				dir = filepath.Join(parent, "served")
			}
			server, err := startSandbox(cmd.Context(), addr, dir, log)
			if err != nil {
				return err
			}
			defer server.close()
			if _, err := fmt.Fprintf(cmd.OutOrStdout(), "url: %s\nkey: %s\n", server.url, server.key()); err != nil {
				return err
			}
			<-cmd.Context().Done()
			return nil
		},
	}
	cmd.Flags().StringVar(&addr, "addr", "127.0.0.1:0", "loopback address and port to listen on; port 0 picks a free one")
	cmd.Flags().StringVar(&dir, "dir", "", "folder for its records (default: under Assay's own)")
	return cmd
}
