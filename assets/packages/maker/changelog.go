package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assay/client/release"
)

// maintainer is who answers for the packages.
const maintainer = "Assay <packages@assay.news>"

func newChangelog() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "changelog CHANGELOG.md PACKAGE", Short: "print what is new, as Debian's packages have it", Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			built, err := sourceDate()
			if err != nil {
				return err
			}
			all, err := readChanges(args[0], release.Version(), built)
			if err != nil {
				return err
			}
			if asJSON {
				return writeChanges(cmd.OutOrStdout(), all)
			}
			return writeChangelog(cmd.OutOrStdout(), args[1], all)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print it as nfpm reads it, for the header of an .rpm")
	return c
}

// writeChanges writes the list of versions that nfpm takes, each with the package's own number behind it.
func writeChanges(to io.Writer, all []changes) error {
	type note struct {
		Note string `json:"note"`
	}
	type version struct {
		Semver   string    `json:"semver"`
		Date     time.Time `json:"date"`
		Packager string    `json:"packager"`
		Changes  []note    `json:"changes"`
	}
	var versions []version
	for _, c := range all {
		v := version{Semver: c.version + "-1", Date: c.date, Packager: maintainer}
		for _, entry := range c.entries {
			v.Changes = append(v.Changes, note{plainWords(entry)})
		}
		versions = append(versions, v)
	}
	return json.NewEncoder(to).Encode(versions)
}

// changelogWidth is how wide lines may be.
const changelogWidth = 78

func writeChangelog(to io.Writer, name string, all []changes) error {
	var out strings.Builder
	for _, c := range all {
		fmt.Fprintf(&out, "%s (%s) stable; urgency=medium\n\n", name, c.version)
		for _, entry := range c.entries {
			begin := "  * "
			for _, line := range filled(plainWords(entry), changelogWidth-len(begin)) {
				out.WriteString(begin + line + "\n")
				begin = "    "
			}
		}
		fmt.Fprintf(&out, "\n -- %s  %s\n\n", maintainer, c.date.Format(time.RFC1123Z))
	}
	_, err := io.WriteString(to, strings.TrimSuffix(out.String(), "\n"))
	return err
}

// filled breaks a text into lines of at most this many bytes, between words; a longer word has a line of its own.
func filled(text string, width int) (all []string) {
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && len(line)+1+len(word) > width {
			all, line = append(all, line), ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	return append(all, line)
}
