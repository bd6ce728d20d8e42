package main

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"assay/client/command"
	"assay/client/release"
)

func newMan() *cobra.Command {
	var headless bool
	c := &cobra.Command{
		Use: "man", Short: "print the manual page assay(1), dated by SOURCE_DATE_EPOCH", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			built, err := sourceDate()
			if err != nil {
				return err
			}
			return writeManual(cmd.OutOrStdout(), commandTree(!headless), built)
		},
	}
	headlessFlag(c, &headless)
	return c
}

// headlessFlag has a command describe the build without a window.
func headlessFlag(c *cobra.Command, headless *bool) {
	c.Flags().BoolVar(headless, "headless", false, "of the build without a window")
}

// commandTree is Assay's, whatever the environment of the build: flags show its variables as their defaults.
func commandTree(window bool) *cobra.Command {
	for _, name := range []string{"ASSAY_SERVER", "ASSAY_CA_FILE"} {
		_ = os.Unsetenv(name)
	}
	return command.Tree(window)
}

// sourceDate is the date of everything in a package.
func sourceDate() (time.Time, error) {
	seconds, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("SOURCE_DATE_EPOCH must be set, in seconds: %w", err)
	}
	return time.Unix(seconds, 0).UTC(), nil
}

// manualEnd is what no command's help says: the environment and the files.
const manualEnd = `.SH EXIT STATUS
.TP
.B 0
All was done, and every item answered.
.TP
.B 1
Something failed, or an item was not answered.
.TP
.B 2
Called wrongly.
.SH ENVIRONMENT
.TP
.B ASSAY_API_KEY
The service's key for this run. It comes before the keychain, and is kept nowhere.
.TP
.B ASSAY_API_KEY_FILE
A file that has the key, where
.B ASSAY_API_KEY
is not set.
.TP
.B ASSAY_SERVER
The service's address, as
.BR \-\-server .
.TP
.B ASSAY_CA_FILE
Certificates to trust besides the system's, as
.BR \-\-ca\-file .
.TP
.B ASSAY_SIGNING_KEY
The key that seals evidence bundles, where there is no keychain: 32 bytes in base64.
.TP
.B ASSAY_LOG_KEY
The key that signs the custody log, where there is no keychain: 32 bytes in base64.
.SH FILES
.TP
.I \(ti/.config/assay
What Assay keeps: settings, records, copies of what is behind the answers. Removing Assay leaves it there.
.TP
.I /etc/assay/managed.json
Settings of the administrators: defaults, and what is locked. A sample lies in
.IR /usr/share/doc/assay .
`

// writeManual writes one page for all commands: the whole is read, and searched, at once.
func writeManual(to io.Writer, root *cobra.Command, built time.Time) error {
	var page strings.Builder
	fmt.Fprintf(&page, ".TH ASSAY 1 %s \"Assay %s\" \"User Commands\"\n", roff(built.Format(time.DateOnly)), release.Version())
	page.WriteString(".ad l\n.nh\n") // ragged, and no word of a command broken
	fmt.Fprintf(&page, ".SH NAME\nassay \\- %s\n", roff(lowerFirst(root.Short)))
	page.WriteString(".SH SYNOPSIS\n")
	for _, line := range synopsis(root) {
		fmt.Fprintf(&page, ".B %s\n.br\n", roff(line))
	}
	page.WriteString(".SH DESCRIPTION\n")
	page.WriteString(paragraphs(root.Long))
	page.WriteString(".SH OPTIONS\n")
	page.WriteString(options(root.PersistentFlags()))
	page.WriteString(options(root.LocalNonPersistentFlags()))
	page.WriteString(".SH COMMANDS\n")
	for _, c := range leaves(root) {
		fmt.Fprintf(&page, ".SS %s\n", roff(strings.TrimSuffix(c.UseLine(), " [flags]")))
		page.WriteString(paragraphs(described(c)))
		page.WriteString(options(c.LocalNonPersistentFlags()))
	}
	page.WriteString(manualEnd)
	_, err := io.WriteString(to, page.String())
	return err
}

// synopsis is how Assay is called, the window first.
func synopsis(root *cobra.Command) []string {
	lines := []string{strings.TrimSuffix(root.UseLine(), " [flags]")}
	for _, c := range root.Commands() {
		if listed(c) {
			use := c.UseLine()
			if c.HasAvailableSubCommands() {
				use = c.CommandPath() + " COMMAND"
			}
			lines = append(lines, strings.TrimSuffix(use, " [flags]"))
		}
	}
	return lines
}

// leaves are all commands, those with commands of their own before these.
func leaves(c *cobra.Command) (all []*cobra.Command) {
	for _, below := range c.Commands() {
		if listed(below) {
			all = append(append(all, below), leaves(below)...)
		}
	}
	return all
}

func listed(c *cobra.Command) bool {
	return c.IsAvailableCommand() && c.Name() != "help" && c.Name() != "completion"
}

// described is what a command's help says of it.
func described(c *cobra.Command) string {
	if c.Long != "" {
		return c.Long
	}
	return c.Short + "."
}

// paragraphs are a text with a line for each of its own: tables in it are laid out by spaces. Lines of a table are not filled.
func paragraphs(text string) string {
	var out strings.Builder
	for _, block := range strings.Split(strings.TrimSpace(text), "\n\n") {
		out.WriteString(".PP\n")
		if strings.Contains(block, "\n  ") {
			out.WriteString(".RS 2\n.nf\n" + lines(block) + ".fi\n.RE\n")
		} else {
			out.WriteString(lines(block))
		}
	}
	return out.String()
}

func lines(block string) string {
	var out strings.Builder
	for line := range strings.SplitSeq(block, "\n") {
		out.WriteString(roff(line) + "\n")
	}
	return out.String()
}

// options are flags with what each does.
func options(flags *pflag.FlagSet) string {
	var out strings.Builder
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		fmt.Fprintf(&out, ".TP\n.B %s", roff("--"+f.Name))
		if value != "" {
			fmt.Fprintf(&out, " \\fI%s\\fR", roff(strings.ToUpper(strings.TrimSuffix(strings.TrimSuffix(value, "Array"), "s"))))
		}
		if standard := f.DefValue; standard != "" && standard != "false" && standard != "0s" && standard != "[]" {
			usage += " (default: " + standard + ")"
		}
		out.WriteString("\n" + roff(usage) + ".\n")
	})
	return out.String()
}

// roff is a text as a line of a manual page's source.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "…", `\&...`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`, "“", `\(lq`, "”", `\(rq`, "’", `\(cq`).Replace(text)
	if strings.HasPrefix(text, ".") {
		text = `\&` + text
	}
	return text
}

func lowerFirst(text string) string { return strings.ToLower(text[:1]) + text[1:] }
