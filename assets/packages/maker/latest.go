package main

import (
	"encoding/json"
	"fmt"
	"net/url"

	"github.com/spf13/cobra"

	"assay/client/release"
	"assay/client/updates"
)

// newLatest makes what Assays ask for once a week. It must lie where they are linked to ask (see release.Updates), be answered there without a redirect
// to another host, and name a page of that host: they believe nothing else.
func newLatest() *cobra.Command {
	return &cobra.Command{
		Use: "latest ADDRESS PAGE", Short: "print latest.json for this version: ADDRESS is the URL where it will lie, PAGE the URL of what is new, on the same host",
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			where, err := url.Parse(args[0])
			if err != nil {
				return err
			}
			content, err := json.Marshal(updates.Latest{Version: release.Version(), Page: args[1]})
			if err != nil {
				return err
			}
			if _, err := updates.Parse(content, where); err != nil {
				return fmt.Errorf("no Assay would believe it: %w", err)
			}
			_, err = cmd.OutOrStdout().Write(append(content, '\n'))
			return err
		},
	}
}
