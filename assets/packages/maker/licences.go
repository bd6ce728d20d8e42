package main

import (
	"debug/buildinfo"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"assay/assets"
	"assay/client/bounded"
)

// linkedOnWindows are the terms of what the linker takes into binaries of Windows, as the window shows them there.
var linkedOnWindows = filepath.Join("assets", "mingw-w64.txt")

func newLicences() *cobra.Command {
	return &cobra.Command{
		Use: "licences BINARY", Args: cobra.ExactArgs(1),
		Short: "print the licences of all that is in a binary",
		RunE: func(cmd *cobra.Command, args []string) error {
			info, err := buildinfo.ReadFile(args[0])
			if err != nil {
				return err
			}
			all := assets.LicencesOf(info)
			if setting(info, "GOOS") == "windows" && setting(info, "CGO_ENABLED") == "1" {
				text, err := bounded.ReadFile(linkedOnWindows, largestSource)
				if err != nil {
					return err
				}
				all = append(all, assets.Licence{Name: "MinGW-w64", Text: string(text)})
			}
			cmd.Print("Assay is under the Apache License 2.0, see LICENSE. What follows are the licences of what is in it.\n")
			for _, l := range all {
				title := strings.TrimSpace(l.Name + " " + l.Version)
				cmd.Print("\n\n" + title + "\n" + strings.Repeat("=", len(title)) + "\n\n" + strings.Trim(l.Text, "\n") + "\n")
			}
			return nil
		},
	}
}
