package command

import (
	"encoding/json"
	"io"
	"slices"
	"strings"

	"assay/client/i18n"
	"assay/client/ipc"
	"assay/client/report"
	"assay/client/store"
	"assay/client/verdict"
)

// casePrinter prints the answers of a job.
type casePrinter struct {
	out   io.Writer
	json  bool
	job   caseJob
	cases []*caseRecord
	lines []string // of the items of the last
}

// take keeps an answer until the end: a process that ends too early may have answered in part, and the next one begins again.
func (p *casePrinter) take(a caseAnswer) error {
	switch {
	case a.Case != nil && p.job.Do == caseList && !slices.ContainsFunc(p.cases, func(c *caseRecord) bool { return c.ID == a.Case.ID }):
		p.cases = append(p.cases, a.Case)
	case a.Case != nil && p.job.Do != caseList:
		p.cases, p.lines = []*caseRecord{a.Case}, nil
	case a.Item != nil && len(p.cases) > 0:
		c := p.cases[0]
		c.Items, p.lines = append(c.Items, json.RawMessage(a.Item.JSON)), append(p.lines, a.Item.Line)
	}
	return nil
}

// end prints what was answered.
func (p *casePrinter) end() error {
	if len(p.cases) == 0 && p.job.Do != caseList {
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
		return printLine(p.out, i18n.T("There are no cases yet. Make one with assay case new TITLE."))
	}
	return nil
}

// linesOf are what a person reads of a case.
func (p *casePrinter) linesOf(c *caseRecord) []string {
	title := c.Title.Folded().String()
	number := func(n *int) int {
		if n == nil {
			return 0
		}
		return *n
	}
	switch p.job.Do {
	case caseNew:
		return []string{i18n.F("The case “%s” is made. Its ID is %s.", title, c.ID)}
	case caseAdd:
		return []string{i18n.N(number(c.Added), "%s item was added to “%[2]s”.", "%s items were added to “%[2]s”.", title)}
	case caseRemove:
		return []string{i18n.N(number(c.Removed), "%s item was taken out of “%[2]s”.", "%s items were taken out of “%[2]s”.", title)}
	case caseRedact:
		return []string{i18n.F("The entry in “%s” is removed. The desk removes it when it can be reached, and your colleagues' computers after that.", title)}
	case caseSignOff:
		if p.job.Remove {
			return []string{i18n.F("Your sign-off in “%s” is withdrawn.", title)}
		}
		return []string{i18n.F("You have signed off the judgement in “%s”.", title)}
	case caseTag:
		if len(c.Tags) == 0 {
			return []string{i18n.F("“%s” has no tags.", title)}
		}
		return []string{i18n.F("The tags of “%s” are: %s", title, strings.Join(c.Tags, ", "))}
	case caseChange:
		switch p.job.Event.Kind {
		case store.CaseRenamed:
			return []string{i18n.F("The case is now called “%s”.", title)}
		case store.CaseClosed:
			return []string{i18n.F("“%s” is concluded.", title)}
		case store.CaseReopened:
			return []string{i18n.F("“%s” is open again.", title)}
		case store.CaseSignOffRequired:
			return []string{i18n.F("“%s” can be concluded only once a second person has signed off every judgement in it.", title)}
		case store.CaseSignOffNotRequired:
			return []string{i18n.F("“%s” can be concluded without a sign-off.", title)}
		case store.CaseRetention:
			if c.Keep == 0 {
				return []string{i18n.F("The desk keeps “%s” without limit.", title)}
			}
			return []string{i18n.N(c.Keep, "The desk keeps “%[2]s” for %[1]s day after its last entry.", "The desk keeps “%[2]s” for %[1]s days after its last entry.", title)}
		}
		return []string{i18n.F("Noted in “%s”.", title)}
	}
	return p.linesOfRecords(c, title)
}

// linesOfRecords are what is in a case.
func (p *casePrinter) linesOfRecords(c *caseRecord, title string) []string {
	lines := []string{i18n.N(c.Count, "%[2]s: %[1]s item, ID %[3]s", "%[2]s: %[1]s items, ID %[3]s", title, c.ID)}
	if c.State == store.CaseConcluded {
		lines[0] = i18n.N(c.Count, "%[2]s: concluded, %[1]s item, ID %[3]s", "%[2]s: concluded, %[1]s items, ID %[3]s", title, c.ID)
	}
	if p.job.Do == caseList {
		return lines
	}
	for _, line := range p.lines {
		lines = append(lines, "  "+line)
	}
	if len(c.Tags) > 0 {
		lines = append(lines, i18n.F("Tags: %s", strings.Join(c.Tags, ", ")))
	}
	noted := func(n report.CaseNote) string { return i18n.F("%s, %s: %s", n.By, i18n.Moment(n.At.Local()), n.Text) }
	for i := range c.Judgements {
		j := &c.Judgements[i]
		lines = append(lines, i18n.F("%s: judged by %s, %s: %s", j.RequestID, j.By, i18n.Moment(j.At.Local()), verdict.Label(j.Label)))
		if j.Text != "" {
			lines = append(lines, "  “"+j.Text+"”")
		}
		for _, words := range j.SignOffWords() {
			lines = append(lines, "  "+words)
		}
	}
	if c.SignOffRequired {
		lines = append(lines, i18n.T("A second person has to sign off every judgement before this case is concluded."))
	}
	if c.Keep > 0 {
		lines = append(lines, i18n.N(c.Keep, "The desk keeps this case for %s day after its last entry.", "The desk keeps this case for %s days after its last entry."))
	}
	for _, n := range c.Notes {
		lines = append(lines, noted(n))
	}
	for _, n := range c.Checks {
		lines = append(lines, i18n.F("%s (%s, %s): %s", report.CheckWords(n.Kind), n.By, i18n.Moment(n.At.Local()), n.Text))
	}
	for i, q := range c.Questions {
		lines = append(lines, i18n.F("Question %s (%s, %s): %s", i18n.Count(i+1), q.By, i18n.Moment(q.At.Local()), q.Text))
		for _, a := range q.Answers {
			lines = append(lines, "  "+noted(a.CaseNote))
			for _, e := range a.Evidence {
				lines = append(lines, "    "+e.Words())
			}
		}
		if len(q.Answers) == 0 {
			lines = append(lines, "  "+i18n.T("not answered yet"))
			for _, a := range q.Assigned {
				lines = append(lines, "  "+a.Words())
			}
		}
	}
	if c.Conclusion != nil {
		lines = append(lines, i18n.F("The desk's conclusion (%s, %s): %s", c.Conclusion.By, i18n.Moment(c.Conclusion.At.Local()), c.Conclusion.Text))
	}
	return lines
}
