package command

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay/client/session"
)

// entryNames are the entries in the desktop, as `assay entries add` takes them.
var entryNames = []struct {
	name string
	set  func(e session.Entries, on bool) error
}{
	{"autostart", session.Entries.Autostart},
	{"open-with", func(e session.Entries, on bool) error { return e.OpenWith(on) }},
	{"send-to", func(e session.Entries, on bool) error { return e.SendTo(on) }},
}

// newEntries is hidden: uninstallers call it, and IT's scripts; everybody else has the switches in Settings.
func newEntries(f *session.Options) *cobra.Command {
	cmd := &cobra.Command{
		Use:    "entries add|remove",
		Short:  "Make or remove Assay's entries in this person's desktop",
		Hidden: true,
		RunE: func(*cobra.Command, []string) error {
			return &session.Misuse{Sentence: "Say what to do with the entries in the desktop: assay entries add or remove."}
		},
	}
	add := &cobra.Command{
		Use:   "add autostart|open-with|send-to…",
		Short: "Make entries, as the switches in Settings do",
		RunE:  func(_ *cobra.Command, names []string) error { return addEntries(f, names) },
	}
	remove := &cobra.Command{
		Use:   "remove",
		Short: "Remove all entries that start this copy of Assay; entries of another copy stay",
		Args:  noArguments("entries remove"),
		RunE: func(*cobra.Command, []string) error {
			entries, err := f.Entries()
			if err != nil {
				return err
			}
			return entries.Remove()
		},
	}
	cmd.AddCommand(add, remove)
	return cmd
}

func addEntries(f *session.Options, names []string) error {
	entries, err := f.Entries()
	if err != nil {
		return err
	}
	var known []string
	for _, entry := range entryNames {
		known = append(known, entry.name)
	}
	if len(names) == 0 || slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(known, name) }) {
		return &session.Misuse{Sentence: "assay entries add takes the names of entries: " + strings.Join(known, ", ") + "."}
	}
	for _, entry := range entryNames {
		if slices.Contains(names, entry.name) {
			if err := entry.set(entries, true); err != nil {
				return err
			}
		}
	}
	return nil
}
