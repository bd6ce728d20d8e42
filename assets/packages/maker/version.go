package main

import (
	"github.com/spf13/cobra"

	"assay/client/release"
)

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "print the version that the packages are of, such as 0.1.0", Args: cobra.NoArgs,
		Run: func(cmd *cobra.Command, _ []string) { cmd.Println(release.Version()) },
	}
}
