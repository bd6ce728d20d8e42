package main

import (
	"io"

	"github.com/spf13/cobra"
)

// shells are those that complete words, and what writes the script with which each asks Assay.
var shells = map[string]func(root *cobra.Command, to io.Writer) error{
	"bash": func(root *cobra.Command, to io.Writer) error { return root.GenBashCompletionV2(to, true) },
	"zsh":  func(root *cobra.Command, to io.Writer) error { return root.GenZshCompletion(to) },
	"fish": func(root *cobra.Command, to io.Writer) error { return root.GenFishCompletion(to, true) },
}

func newCompletion() *cobra.Command {
	return &cobra.Command{
		Use: "completion bash|zsh|fish", Short: "print the script with which a shell completes assay's words",
		Args: cobra.MatchAll(cobra.ExactArgs(1), cobra.OnlyValidArgs), ValidArgs: []string{"bash", "zsh", "fish"},
		RunE: func(cmd *cobra.Command, args []string) error {
			return shells[args[0]](commandTree(true), cmd.OutOrStdout())
		},
	}
}
