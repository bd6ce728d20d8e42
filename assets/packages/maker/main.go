// The maker makes what Assay's packages need when they are built: go run ./assets/packages/maker COMMAND. Scripts of .ci and of the packages' folders
// call it, from the repository's folder. Nothing of it is in Assay.
//
// It has a file for each command. What it writes depends on its arguments and on the files that it reads alone, so that two builds are the same.
package main

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/spf13/cobra"
)

// commands are all that the maker can do, by name.
var commands = []func() *cobra.Command{
	newVersion,
	newChangelog,
	newCompletion,
	newCopyright,
	newICNS,
	newICO,
	newIcons,
	newLatest,
	newMan,
	newMetainfo,
	newMSI,
	newArchive,
	newNotes,
	newSBOM,
	newSums,
	newSize,
}

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		_, _ = os.Stderr.WriteString("maker: " + err.Error() + "\n")
		os.Exit(1) //nolint:forbidigo // this is main
	}
}

// run executes a command line, without the program's name.
func run(args []string, stdout io.Writer) error {
	root := &cobra.Command{
		Use: "maker", Short: "Makes what Assay's packages need",
		SilenceErrors: true, SilenceUsage: true,
		RunE: func(*cobra.Command, []string) error { return errors.New("name a command: see maker --help") },
	}
	root.CompletionOptions.DisableDefaultCmd = true
	for _, command := range commands {
		root.AddCommand(command())
	}
	root.SetArgs(args)
	root.SetOut(stdout)
	return root.ExecuteContext(context.Background())
}
