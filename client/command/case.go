package command

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"assay/client/i18n"
	"assay/client/ipc"
	"assay/client/plain"
	"assay/client/report"
	"assay/client/session"
	"assay/client/store"
	"assay/client/wait"
)

// How long what a person writes into a case may be, in characters.
const (
	longestTitle    = 200
	longestCaseText = 10_000
)

func newCase(f *session.Options) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "case",
		Short: "Gather a story's results under a title, with notes and the checks that no detector makes",
		Long: "Keeps cases: what a story's files and links are gathered in. Nothing of a case leaves this computer.\n" +
			"CASE is a case's ID, or its title where no other case has the same. While Assay's window is open, the work is done there.\n" +
			"assay scan --case CASE adds what it scans, and assay export --case CASE writes the report of a case.",
		RunE: func(*cobra.Command, []string) error {
			return &session.Misuse{Sentence: "Say what to do with cases: assay case new, add, note, check, list or show."}
		},
	}
	kinds := make([]string, len(store.CheckKinds))
	for i, kind := range store.CheckKinds {
		kinds[i] = string(kind)
	}
	cmd.AddCommand(
		caseCommand(f, caseJob{Do: caseNew}, "new TITLE", "Make a case", "", 1, func(j *caseJob, args []string) error {
			j.Title = strings.TrimSpace(strings.ToValidUTF8(args[0], "\ufffd"))
			return checkText(j.Title, "A title", longestTitle)
		}),
		caseCommand(f, caseJob{Do: caseAdd}, "add CASE ID…", "Add results to a case",
			"An ID is the requestId that scan --json and list print. What is in the case already stays where it is.", -2, func(j *caseJob, args []string) error {
				j.Case, j.IDs = args[0], args[1:]
				return nil
			}),
		caseCommand(f, caseJob{Do: caseNote}, "note CASE TEXT", "Note something in a case", "", 2, func(j *caseJob, args []string) error {
			j.Case, j.Note.Text = args[0], strings.ToValidUTF8(args[1], "\ufffd")
			return checkText(j.Note.Text, "A note", longestCaseText)
		}),
		caseCommand(f, caseJob{Do: caseNote}, "check CASE KIND TEXT", "Note what a check has found that no detector makes",
			"KIND is "+strings.Join(kinds, ", ")+".", 3, func(j *caseJob, args []string) error {
				if !slices.Contains(kinds, args[1]) {
					return &session.Misuse{Sentence: "The kind of a check is one of " + strings.Join(kinds, ", ") + "."}
				}
				j.Case, j.Note.Kind, j.Note.Text = args[0], store.CheckKind(args[1]), strings.ToValidUTF8(args[2], "\ufffd")
				return checkText(j.Note.Text, "What a check has found", longestCaseText)
			}),
		caseCommand(f, caseJob{Do: caseList}, "list", "List the cases, the one that was changed last first", "", 0, func(*caseJob, []string) error { return nil }),
		caseCommand(f, caseJob{Do: caseShow}, "show CASE", "Show what is in a case", "", 1, func(j *caseJob, args []string) error {
			j.Case = args[0]
			return nil
		}),
	)
	return cmd
}

// caseCommand makes a subcommand of case. It takes count arguments, or, where that is negative, at least so many; read puts them into the job.
func caseCommand(f *session.Options, job caseJob, use, short, long string, count int, read func(*caseJob, []string) error) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: use, Short: short, Long: strings.TrimSpace(short + ".\n" + long),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != count && (count >= 0 || len(args) < -count) {
				return &session.Misuse{Sentence: "It is called as: assay case " + use}
			}
			if count != 0 && strings.TrimSpace(args[0]) == "" {
				return &session.Misuse{Sentence: "The case has no title."}
			}
			return read(&job, args)
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := f.Service()
			if err != nil {
				return err
			}
			if job.Do == caseNote {
				if job.Note.By, err = author(job.Note.By); err != nil {
					return err
				}
			}
			job.Made, job.At = rand.Text(), time.Now()
			p := casePrinter{out: interruptible(cmd.Context(), cmd.OutOrStdout()), json: asJSON, do: job.Do}
			if err := runCase(cmd.Context(), s, job, cmd.ErrOrStderr(), p.take); err != nil {
				return err
			}
			return p.end()
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object for each case")
	if job.Do == caseNote {
		cmd.Flags().StringVar(&job.Note.By, "by", "", "who says so (default: your name, as this computer has it)")
	}
	return cmd
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

// What is done with cases. caseFind only looks whether there is one.
const (
	caseNew  = "new"
	caseAdd  = "add"
	caseNote = "note"
	caseList = "list"
	caseShow = "show"
	caseFind = "find"
)

// caseJob is what `assay case` asks for.
type caseJob struct {
	Do    string         `json:"do"`
	Case  string         `json:"case,omitempty"`  // its ID or title; of all but new and list
	Title string         `json:"title,omitempty"` // of a new case
	IDs   []string       `json:"ids,omitempty"`   // of results, or Assay's own of submissions
	Note  store.CaseNote `json:"note,omitzero"`
	Made  string         `json:"made,omitempty"` // the ID of the case or note that is made: if the job is done twice, it is kept once
	At    time.Time      `json:"at,omitzero"`    // when it is made
}

// caseAnswer is a case, or an item of the case before: exactly one field is set.
type caseAnswer struct {
	Case *caseRecord `json:"case,omitempty"`
	Item *itemEvent  `json:"item,omitempty"`
}

// caseRecord is a case as --json prints it.
type caseRecord struct {
	ID      string             `json:"id"`
	Title   plain.Text         `json:"title"`
	Created time.Time          `json:"created"`
	Changed time.Time          `json:"changed"`
	Count   int                `json:"itemCount"`
	Added   *int               `json:"added,omitempty"`  // add: how many were not in it before
	Items   []json.RawMessage  `json:"items,omitempty"`  // show: as scan --json prints them
	Notes   []report.CaseNote  `json:"notes,omitempty"`  // show
	Checks  []report.CaseCheck `json:"checks,omitempty"` // show
}

// do does a job with the records of a service.
func (j caseJob) do(ctx context.Context, records *store.Store, sandbox bool, answer func(caseAnswer) error) error {
	switch j.Do {
	case caseNew:
		c, err := records.AddCase(ctx, store.Case{ID: j.Made, Title: j.Title, Created: j.At})
		if err != nil {
			return err
		}
		return answer(answerOfCase(c))
	case caseList:
		all, err := records.Cases(ctx)
		if err != nil {
			return err
		}
		for _, c := range all {
			if err := answer(answerOfCase(c)); err != nil {
				return err
			}
		}
		return nil
	case caseAdd, caseNote, caseShow, caseFind:
	default:
		return ipc.OtherVersion()
	}
	c, err := findCase(ctx, records, j.Case)
	if err != nil {
		return err
	}
	var added *int
	switch j.Do {
	case caseAdd:
		ids, err := submissionsOf(ctx, records, j.IDs)
		if err != nil {
			return err
		}
		n, err := records.AddToCase(ctx, c.ID, ids, j.Note.By)
		if err != nil {
			return err
		}
		added = &n
	case caseNote:
		j.Note.ID, j.Note.At = j.Made, j.At
		if err := records.AddCaseNote(ctx, c.ID, j.Note); err != nil {
			return err
		}
	case caseShow:
		return showCase(ctx, records, c, sandbox, answer)
	}
	if c, err = findCase(ctx, records, c.ID); err != nil { // as it is now
		return err
	}
	a := answerOfCase(c)
	a.Case.Added = added
	return answer(a)
}

func answerOfCase(c store.Case) caseAnswer {
	return caseAnswer{Case: &caseRecord{ID: c.ID, Title: plain.From(c.Title), Created: c.Created.UTC(), Changed: c.Changed.UTC(), Count: c.Items}}
}

// showCase answers with a case, then with each of its items.
func showCase(ctx context.Context, records *store.Store, c store.Case, sandbox bool, answer func(caseAnswer) error) error {
	noted, err := report.ReadCase(ctx, records, c)
	if err != nil {
		return err
	}
	a := answerOfCase(c)
	a.Case.Notes, a.Case.Checks = noted.Notes, noted.Checks
	if err := answer(a); err != nil {
		return err
	}
	ids, err := records.CaseItems(ctx, c.ID)
	if err != nil {
		return err
	}
	for _, id := range ids {
		sub, known, err := records.Get(ctx, id)
		if err != nil {
			return err
		}
		if !known {
			continue // removed meanwhile
		}
		e, err := newItemEvent(sub, sandbox)
		if err != nil {
			return err
		}
		if !hasEnd(sub.State) {
			e.Line = plain.Line(i18n.F("%s: not answered yet", sub.Name))
		}
		if err := answer(caseAnswer{Item: e}); err != nil {
			return err
		}
	}
	return nil
}

// shownTitle is a title in one line.
func shownTitle(title string) string { return plain.From(title).Folded().String() }

// findCase returns a case by its ID, or by its title where no other has the same.
func findCase(ctx context.Context, records *store.Store, name string) (store.Case, error) {
	all, err := records.Cases(ctx)
	if err != nil {
		return store.Case{}, err
	}
	var titled []store.Case
	var ids []string
	for _, c := range all {
		if c.ID == name {
			return c, nil
		}
		if shownTitle(c.Title) == shownTitle(name) {
			titled, ids = append(titled, c), append(ids, c.ID)
		}
	}
	switch len(titled) {
	case 1:
		return titled[0], nil
	case 0:
		return store.Case{}, &ipc.Refusal{Sentence: i18n.F("There is no case “%s”. assay case list shows those that there are.", plain.From(name).Folded().Clip(longestTitle))}
	}
	return store.Case{}, &ipc.Refusal{Sentence: i18n.F("Several cases are called “%s”: name one of them by its ID, %s.", shownTitle(name), strings.Join(ids, ", "))}
}

// submissionsOf returns the submissions that IDs stand for, as report.Read takes them.
func submissionsOf(ctx context.Context, records *store.Store, ids []string) ([]string, error) {
	known, err := records.ByRequest(ctx, ids)
	if err != nil {
		return nil, err
	}
	own := make([]string, len(ids))
	for i, id := range ids {
		own[i] = cmp.Or(known[id], id)
		if known[id] != "" {
			continue
		}
		if _, ok, err := records.Get(ctx, id); err != nil {
			return nil, err
		} else if !ok {
			return nil, &ipc.Refusal{Sentence: i18n.F("No result with the ID %s is kept on this computer. assay list shows what the service has.", plain.From(id).Clip(longestTitle))}
		}
	}
	return own, nil
}

// caseFiler puts submissions into a case; it is a session's.
type caseFiler interface {
	AddToCase(ctx context.Context, caseID string, ids []string, by string) (added int, err error)
}

// AddToCase implements caseFiler.
func (q sessionQueue) AddToCase(ctx context.Context, caseID string, ids []string, by string) (int, error) {
	return q.session.Store.AddToCase(ctx, caseID, ids, by)
}

// cases does the job for another process.
func (o *operations) cases(ctx context.Context, job caseJob, answer func(caseAnswer) error) error {
	q, able := o.queue.(sessionQueue)
	if !able {
		return ipc.OtherVersion()
	}
	if err := job.do(ctx, q.session.Store, q.session.Sandbox, answer); err != nil {
		return &ipc.Refusal{Sentence: i18n.Sentence(err)}
	}
	return nil
}

// runCase does the job by itself where it can hold the folder, and else through the process that does.
func runCase(ctx context.Context, s *session.Service, job caseJob, said io.Writer, take func(caseAnswer) error) error {
	return opCase.Run(ctx, ipc.Work[caseJob, caseAnswer]{
		Dir:  s.Folder,
		Job:  func() (caseJob, error) { return job, nil },
		Each: take,
		Here: func(ctx context.Context, h *ipc.Holder) error {
			return withRecords(ctx, s, h, said, func(ctx context.Context, records *store.Store) error { return job.do(ctx, records, s.Sandbox, take) })
		},
		Wait: wait.For,
	})
}

// casePrinter prints the answers of a job.
type casePrinter struct {
	out   io.Writer
	json  bool
	do    string
	cases []*caseRecord
	lines []string // of the items of the last
}

// take keeps an answer until the end: a process that ends too early may have answered in part, and the next one begins again.
func (p *casePrinter) take(a caseAnswer) error {
	switch {
	case a.Case != nil && p.do == caseList && !slices.ContainsFunc(p.cases, func(c *caseRecord) bool { return c.ID == a.Case.ID }):
		p.cases = append(p.cases, a.Case)
	case a.Case != nil && p.do != caseList:
		p.cases, p.lines = []*caseRecord{a.Case}, nil
	case a.Item != nil && len(p.cases) > 0:
		c := p.cases[0]
		c.Items, p.lines = append(c.Items, json.RawMessage(a.Item.JSON)), append(p.lines, a.Item.Line)
	}
	return nil
}

// end prints what was answered.
func (p *casePrinter) end() error {
	if len(p.cases) == 0 && p.do != caseList {
		return ipc.OtherVersion()
	}
	for _, c := range p.cases {
		if p.json {
			data, err := json.Marshal(c)
			if err != nil {
				return err
			}
			if err := printJSONLine(p.out, data); err != nil {
				return err
			}
		} else if err := printLines(p.out, p.linesOf(c)); err != nil {
			return err
		}
	}
	if len(p.cases) == 0 && !p.json {
		return printLine(p.out, i18n.T("There is no case yet: assay case new TITLE makes one."))
	}
	return nil
}

// linesOf are what a person reads of a case.
func (p *casePrinter) linesOf(c *caseRecord) []string {
	title := c.Title.Folded().String()
	switch p.do {
	case caseNew:
		return []string{i18n.F("The case “%s” is made. Its ID is %s.", title, c.ID)}
	case caseAdd:
		n := 0
		if c.Added != nil {
			n = *c.Added
		}
		return []string{i18n.N(n, "%s item was added to “%[2]s”.", "%s items were added to “%[2]s”.", title)}
	case caseNote:
		return []string{i18n.F("It is noted in “%s”.", title)}
	}
	lines := []string{i18n.N(c.Count, "%[2]s: %[1]s item, ID %[3]s", "%[2]s: %[1]s items, ID %[3]s", title, c.ID)}
	for _, line := range p.lines {
		lines = append(lines, "  "+line)
	}
	for _, n := range c.Notes {
		lines = append(lines, i18n.F("%s, %s: %s", n.By, i18n.Moment(n.At.Local()), n.Text))
	}
	for _, n := range c.Checks {
		lines = append(lines, i18n.F("%s (%s, %s): %s", report.CheckWords(n.Kind), n.By, i18n.Moment(n.At.Local()), n.Text))
	}
	return lines
}

// gather puts what was accepted into the case of a scan.
func gather(ctx context.Context, q queue, caseID string, ids []string) error {
	if caseID == "" || len(ids) == 0 {
		return nil
	}
	filer, able := q.(caseFiler)
	if !able {
		return ipc.OtherVersion()
	}
	_, err := filer.AddToCase(ctx, caseID, ids, session.Person())
	return err
}

// caseID returns the ID of the case that a person has named.
func caseID(ctx context.Context, s *session.Service, name string, said io.Writer) (id string, err error) {
	err = runCase(ctx, s, caseJob{Do: caseFind, Case: name}, said, func(a caseAnswer) error {
		if a.Case != nil {
			id = a.Case.ID
		}
		return nil
	})
	if err == nil && id == "" {
		err = ipc.OtherVersion()
	}
	return id, err
}
