package command

import (
	"context"
	"crypto/rand"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"assay/client/address"
	"assay/client/i18n"
	"assay/client/media"
	"assay/client/plain"
	"assay/client/session"
	"assay/client/store"
)

// How long what a person writes into a case may be, in characters, and how many tags or pieces of evidence they give at a time.
const (
	longestTitle    = 200
	longestTag      = 50
	longestCaseText = 10_000
	mostOfCase      = 50
)

func newCase(f *session.Options) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "case",
		Short: "Gather a story's results under a title, with notes, questions and the checks that no detector makes",
		Long: "Keeps cases: what a story's files and links are gathered in. A case stays on this computer unless you share it with your desk.\n" +
			"CASE is a case's ID, or its title if no other case has the same title. While Assay's window is open, the work is done there.\n" +
			"assay scan --case CASE adds what it scans, and assay export --case CASE writes the report of a case.",
		RunE: func(*cobra.Command, []string) error {
			return &session.Misuse{Sentence: "Say what to do with cases: assay case new, add, remove, note, check, ask, assign, answer, tag, rename, conclude, reopen, sign-off, require-sign-off, keep, share, redact, list or show."}
		},
	}
	kinds := make([]string, len(store.CheckKinds))
	for i, kind := range store.CheckKinds {
		kinds[i] = string(kind)
	}
	const ofResults = "An ID is the requestId that scan --json and list print. "
	for _, c := range []caseSubcommand{
		{do: caseNew, use: "new TITLE", short: "Make a case", args: 1, read: func(j *caseJob, args []string) error {
			return readText(&j.Title, strings.TrimSpace(args[0]), "A title", longestTitle)
		}},
		{
			do: caseAdd, use: "add CASE ID…", short: "Add results to a case", long: ofResults + "Results that are already in the case stay where they are.", args: -2,
			read: func(j *caseJob, args []string) error {
				j.IDs = args[1:]
				return nil
			},
		},
		{
			do: caseRemove, use: "remove CASE ID…", short: "Remove results from a case", long: ofResults + "They stay on this computer, with everything known about them.", args: -2,
			read: func(j *caseJob, args []string) error {
				j.IDs = args[1:]
				return nil
			},
		},
		eventCommand(store.CaseNoted, "note CASE TEXT", "Note something in a case", "", "A note"),
		{
			do: caseChange, use: "check CASE KIND TEXT", short: "Note what a check has found that no detector makes", long: "KIND is " + strings.Join(kinds, ", ") + ".", args: 3,
			read: func(j *caseJob, args []string) error {
				if !slices.Contains(kinds, args[1]) {
					return &session.Misuse{Sentence: "The kind of a check must be one of " + strings.Join(kinds, ", ") + "."}
				}
				j.Event.Kind, j.Event.Check = store.CaseChecked, store.CheckKind(args[1])
				return readText(&j.Event.Text, args[2], "What a check has found", longestCaseText)
			},
		},
		{
			do: caseChange, use: "ask CASE QUESTION", short: "Ask a question that the desk has to answer, such as where a picture was taken", args: 2, to: true, due: true,
			long: "With --to it is assigned to somebody, and with --due it is due on a day.",
			read: func(j *caseJob, args []string) error {
				j.Event.Kind = store.CaseAsked
				return readText(&j.Event.Text, args[1], "A question", longestCaseText)
			},
		},
		{
			do: caseAssign, use: "assign CASE QUESTION NAME", short: "Say who answers a question of a case, and by when", args: 3, due: true,
			long: "QUESTION is the question itself, its ID, or its number as assay case show prints it. In a shared case, NAME may be a member's login or name.\n" +
				"It replaces what was said before; an empty NAME assigns the question to nobody.",
			read: func(j *caseJob, args []string) error {
				j.Event.Kind = store.CaseAssigned
				if err := readText(&j.Question, args[1], "A question", longestCaseText); err != nil {
					return err
				}
				return readName(&j.Event.Text, args[2])
			},
		},
		{
			do: caseChange, use: "answer CASE QUESTION TEXT", short: "Answer a question of a case", args: 3, evidence: true,
			long: "QUESTION is the question itself, its ID, or its number as assay case show prints it. Give what the answer is based on with --link, --file and --because, each as often\n" +
				"as needed. Of a file only its SHA-256 is kept, not its name and not the file.",
			read: func(j *caseJob, args []string) error {
				j.Event.Kind = store.CaseAnswered
				if err := readText(&j.Question, args[1], "A question", longestCaseText); err != nil {
					return err
				}
				return readText(&j.Event.Text, args[2], "An answer", longestCaseText)
			},
		},
		{
			do: caseTag, use: "tag CASE TAG…", short: "Give a case tags, or remove them", args: -2, remove: true,
			read: func(j *caseJob, args []string) error {
				j.Tags = store.TagsOf(strings.ToValidUTF8(strings.Join(args[1:], ","), "\ufffd"))
				if len(j.Tags) > mostOfCase {
					return &session.Misuse{Sentence: "Give at most " + i18n.Count(mostOfCase) + " tags at a time."}
				}
				for _, tag := range j.Tags {
					if err := checkText(tag, "A tag", longestTag); err != nil {
						return err
					}
				}
				return checkText(strings.Join(j.Tags, ""), "A tag", mostOfCase*longestTag)
			},
		},
		{do: caseChange, use: "rename CASE TITLE", short: "Give a case another title", args: 2, read: func(j *caseJob, args []string) error {
			j.Event.Kind = store.CaseRenamed
			return readText(&j.Event.Text, strings.TrimSpace(args[1]), "A title", longestTitle)
		}},
		eventCommand(store.CaseClosed, "conclude CASE TEXT", "Conclude a case, in the desk's own words", "The conclusion is shown beside what the service said, and never mixed with it.", "A conclusion"),
		{do: caseChange, use: "reopen CASE", short: "Open a case again; its conclusion stays", args: 1, read: func(j *caseJob, _ []string) error {
			j.Event.Kind = store.CaseReopened
			return nil
		}},
		{
			do: caseSignOff, use: "sign-off CASE ID", short: "Sign off what a colleague judged of a result in a shared case", args: 2, withdraw: true,
			long: "ID is the requestId that assay case show prints. A second person signs off, so your own judgement stays as it is. A sign-off is bound to that answer:\n" +
				"it is void once the file has an answer with another verdict or release.",
			read: func(j *caseJob, args []string) error {
				j.IDs = args[1:]
				return nil
			},
		},
		{
			do: caseChange, use: "require-sign-off CASE yes|no", short: "Say whether a shared case needs every judgement signed off before it is concluded", args: 2,
			read: func(j *caseJob, args []string) error {
				kind, known := map[string]store.CaseEventKind{"yes": store.CaseSignOffRequired, "no": store.CaseSignOffNotRequired}[args[1]]
				if !known {
					return &session.Misuse{Sentence: "Say yes or no: assay case require-sign-off CASE yes"}
				}
				j.Event.Kind = kind
				return nil
			},
		},
		{
			do: caseChange, use: "keep CASE 30d|90d|365d|always", args: 2,
			short: "Say for how long after its last entry the desk keeps what is in a case of yours",
			read: func(j *caseJob, args []string) error {
				text, days := strings.CutSuffix(args[1], "d")
				n, err := strconv.Atoi(text)
				switch {
				case args[1] == "always":
					text = ""
				case !days || err != nil || n < 1 || n > store.LongestRetention:
					return &session.Misuse{Sentence: "Say for how many days, or always: assay case keep CASE 90d"}
				}
				j.Event.Kind, j.Event.Text = store.CaseRetention, text
				return nil
			},
		},
		{do: caseList, use: "list", short: "List the cases, the last changed one first"},
		{do: caseShow, use: "show CASE", short: "Show what is in a case", args: 1},
	} {
		cmd.AddCommand(c.command(f))
	}
	cmd.AddCommand(newCaseShare(f), newCaseRedact(f))
	return cmd
}

// caseSubcommand is one of the subcommands of case.
type caseSubcommand struct {
	do               caseDoing
	use, short, long string
	args             int  // how many it takes; where that is negative, at least so many
	evidence, remove bool // its flags
	withdraw         bool // likewise
	to, due          bool // likewise
	read             func(*caseJob, []string) error
}

// eventCommand is a subcommand that takes a case and a text.
func eventCommand(kind store.CaseEventKind, use, short, long, what string) caseSubcommand {
	return caseSubcommand{do: caseChange, use: use, short: short, long: long, args: 2, read: func(j *caseJob, args []string) error {
		j.Event.Kind = kind
		return readText(&j.Event.Text, args[1], what, longestCaseText)
	}}
}

func (c caseSubcommand) command(f *session.Options) *cobra.Command {
	var asJSON bool
	job := caseJob{Do: c.do}
	var links, files, reasons []string
	var to, due string
	cmd := &cobra.Command{
		Use: c.use, Short: c.short, Long: strings.TrimSpace(c.short + ".\n" + c.long),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != c.args && (c.args >= 0 || len(args) < -c.args) {
				return &session.Misuse{Sentence: "Use it as: assay case " + c.use}
			}
			if c.args != 0 && strings.TrimSpace(args[0]) == "" {
				return &session.Misuse{Sentence: "The case has no title."}
			}
			if c.args != 0 && c.do != caseNew {
				job.Case = args[0]
			}
			if c.read == nil {
				return nil
			}
			return c.read(&job, args)
		},
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			s, err := f.Service()
			if err != nil {
				return err
			}
			if c.writes() {
				if job.Event.By, err = author(job.Event.By); err != nil {
					return err
				}
			}
			if job.Event.Evidence, err = evidenceOf(cmd.Context(), links, files, reasons); err != nil {
				return err
			}
			if err := job.assignTo(to, due); err != nil {
				return err
			}
			job.Event.ID, job.Event.At = rand.Text(), time.Now()
			p := casePrinter{out: interruptible(cmd.Context(), cmd.OutOrStdout()), json: asJSON, job: job}
			if err := runCase(cmd.Context(), s, job, cmd.ErrOrStderr(), p.take); err != nil {
				return err
			}
			return p.end()
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object for each case")
	if c.writes() {
		cmd.Flags().StringVar(&job.Event.By, "by", "", "who says so (default: your name on this computer)")
	}
	if c.evidence {
		cmd.Flags().StringArrayVar(&links, "link", nil, "a link that the answer is based on; may be given several times")
		cmd.Flags().StringArrayVar(&files, "file", nil, "a file that the answer is based on; its SHA-256 is kept; may be given several times")
		cmd.Flags().StringArrayVar(&reasons, "because", nil, "a note of what the answer is based on; may be given several times")
	}
	if c.to {
		cmd.Flags().StringVar(&to, "to", "", "who answers it: in a shared case, a member's login or name")
	}
	if c.due {
		cmd.Flags().StringVar(&due, "due", "", "by when: a day, as 2026-11-27")
	}
	if c.withdraw {
		cmd.Flags().BoolVar(&job.Remove, "withdraw", false, "withdraw your sign-off")
	}
	if c.remove {
		cmd.Flags().BoolVar(&job.Remove, "remove", false, "remove the tags")
	}
	return cmd
}

// assignTo takes what the flags say of who answers a question, and by when. A question that is assigned is another job than one that is not, so that an
// earlier version that has the folder open does not pass over it.
func (j *caseJob) assignTo(to, due string) error {
	if due != "" {
		day, ok := store.DueOf(due)
		if !ok {
			return &session.Misuse{Sentence: "The day after --due must be written as year, month and day: 2026-11-27."}
		}
		j.Event.Due = day
	}
	if j.Do != caseChange || j.Event.Kind != store.CaseAsked || to == "" && due == "" {
		return nil
	}
	j.Do, j.Ask, j.Event.Kind = caseAssign, j.Event.Text, store.CaseAssigned
	return readName(&j.Event.Text, to)
}

// readName takes a name that a person wrote, which may be empty.
func readName(into *string, name string) error {
	*into = ""
	if strings.TrimSpace(name) == "" {
		return nil
	}
	return readText(into, name, "A name", longestTitle)
}

// writes reports whether it changes a case, so that somebody signs for it.
func (c caseSubcommand) writes() bool { return c.do != caseList && c.do != caseShow }

// evidenceOf is what an answer rests on; files are read here, by the process that was given their names.
func evidenceOf(ctx context.Context, links, files, reasons []string) (all []store.Evidence, err error) {
	if len(links)+len(files)+len(reasons) > mostOfCase {
		return nil, &session.Misuse{Sentence: "An answer can have at most " + i18n.Count(mostOfCase) + " links, files and notes."}
	}
	for _, link := range links {
		if _, err := address.Parse(link, "http", "https"); err != nil {
			return nil, &session.Misuse{Sentence: "The link after --link must begin with http:// or https:// and name a host."}
		}
		all = append(all, store.Evidence{Kind: store.EvidenceLink, Value: link})
	}
	for _, name := range files {
		sum, err := sumOfFile(ctx, name)
		if err != nil {
			return nil, err
		}
		all = append(all, store.Evidence{Kind: store.EvidenceFile, Value: sum})
	}
	for _, reason := range reasons {
		e := store.Evidence{Kind: store.EvidenceNote}
		if err := readText(&e.Value, reason, "What an answer rests on", longestCaseText); err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	for _, e := range all {
		if err := checkText(e.Value, "What an answer rests on", longestCaseText); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// sumOfFile is the SHA-256 of a file, in hex.
func sumOfFile(ctx context.Context, name string) (string, error) {
	unreadable := &session.Misuse{Sentence: "--file needs a file that can be read, and " + plain.From(name).Clip(longestTitle).String() + " is not one."}
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return "", unreadable
	}
	file, err := os.Open(name)
	if err != nil {
		return "", unreadable
	}
	defer file.Close() //nolint:errcheck // only read from
	return media.Hash(ctx, file, nil)
}

// readText takes a text that a person wrote, and refuses one that is empty or too long.
func readText(into *string, text, what string, longest int) error {
	*into = strings.ToValidUTF8(text, "\ufffd")
	return checkText(*into, what, longest)
}

// checkText refuses a text that is empty or too long.
func checkText(text, what string, longest int) error {
	switch {
	case strings.TrimSpace(text) == "":
		return &session.Misuse{Sentence: what + " has some text."}
	case utf8.RuneCountInString(text) > longest:
		return &session.Misuse{Sentence: what + " has at most " + i18n.Count(longest) + " characters."}
	}
	return nil
}

// author is who notes something: who was named, or else the user of this computer.
func author(named string) (string, error) {
	if named != "" {
		named = strings.ToValidUTF8(named, "\ufffd")
		return named, checkText(named, "The name after --by", longestTitle)
	}
	if named = session.Person(); named == "" {
		return "", &session.Misuse{Sentence: "This computer doesn't say who you are: give your name with --by."}
	}
	return named, nil
}
