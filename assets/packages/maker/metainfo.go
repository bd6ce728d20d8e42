package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assay/client/bounded"
	"assay/client/release"
)

// releasesMark is what the releases replace in the template of the metainfo.
const releasesMark = "  <releases/>\n"

func newMetainfo() *cobra.Command {
	return &cobra.Command{
		Use: "metainfo TEMPLATE CHANGELOG.md", Short: "print AppStream's metainfo, with the releases of CHANGELOG.md", Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			template, err := bounded.ReadFile(args[0], largestSource)
			if err != nil {
				return fmt.Errorf("metainfo: %w", err)
			}
			built, err := sourceDate()
			if err != nil {
				return err
			}
			all, err := readChanges(args[1], release.Version(), built)
			if err != nil {
				return err
			}
			before, after, ok := strings.Cut(string(template), releasesMark)
			if !ok {
				return errors.New("metainfo: the template has no place for the releases: " + strings.TrimSpace(releasesMark))
			}
			_, err = cmd.OutOrStdout().Write([]byte(before + releases(all) + after))
			return err
		},
	}
}

// releases are what stores show as new. Commands among the words are marked as such.
func releases(all []changes) string {
	var out strings.Builder
	out.WriteString("  <releases>\n")
	for _, c := range all {
		fmt.Fprintf(&out, "    <release version=%q date=%q type=\"stable\">\n      <description>\n        <ul>\n", c.version, c.date.Format(time.DateOnly))
		for _, entry := range c.entries {
			out.WriteString("          <li>" + marked(entry) + "</li>\n")
		}
		out.WriteString("        </ul>\n      </description>\n    </release>\n")
	}
	out.WriteString("  </releases>\n")
	return out.String()
}

// marked is an entry with its marks of Markdown as those of AppStream.
func marked(entry string) string {
	var out bytes.Buffer
	for i, part := range strings.Split(entry, "`") {
		name := "code"
		if i%2 == 0 {
			name = ""
			part = strings.ReplaceAll(part, "**", "")
		}
		text := new(bytes.Buffer)
		_ = xml.EscapeText(text, []byte(part)) // a buffer takes all that is written
		if name != "" {
			fmt.Fprintf(&out, "<%s>%s</%s>", name, text, name)
		} else {
			out.Write(text.Bytes())
		}
	}
	return out.String()
}
