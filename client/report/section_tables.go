package report

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"assay/client"
	"assay/client/custody"
	"assay/client/i18n"
	"assay/client/media/facts"
	"assay/client/verdict"
)

// factRows describe the file or link.
func (r *Result) factRows() (rows []row) {
	add := func(label string, c cell) {
		if c.Text != "" {
			rows = append(rows, row{text(label), c})
		}
	}
	if r.Link != "" {
		add(i18n.T("Link"), text(r.Link))
	} else {
		add(i18n.T("Name as received"), r.receivedName())
		add(i18n.T("SHA-256 as received"), mono(r.SHA256))
		add(i18n.T("Size"), text(sizeText(r)))
		switch {
		case r.SentSHA256 != "":
			add(i18n.T("Name as sent"), r.sentName())
			add(i18n.T("What was analysed"), text(r.Copy))
			add(i18n.T("SHA-256 as sent"), mono(r.SentSHA256))
			if r.SentFormat == "" || len(r.Removed) > 0 {
				add(i18n.T("Left out of what was sent"), text(removedText(r.Removed)))
			}
		case r.AnsweredBy != nil: // nothing was sent
		case r.SHA256 != "":
			add(i18n.T("Name as sent"), r.sentName())
			add(i18n.T("SHA-256 as sent"), text(i18n.T("the same: its bytes were sent unchanged")))
		}
	}
	add(i18n.T("Added to Assay"), text(custody.SourceWords(r.Source)))
	if by := r.AnsweredBy; by != nil {
		add(i18n.T("Answer of"), text(i18n.F("%s, a colleague at the desk, %s UTC. Nothing was sent from this computer.", by.Name, clockText(by.At))))
	}
	add(i18n.T("Service"), text(r.serviceText()))
	add(i18n.T("Release"), text(r.Release))
	add(i18n.T("Request ID"), mono(r.RequestID))
	add(i18n.T("Languages"), text(strings.Join(r.Languages, ", ")))
	return rows
}

// removedText names the kinds of metadata that a copy lacks.
func removedText(kinds []string) string {
	var said []string
	for _, kind := range kinds {
		said = append(said, facts.Kind(kind).Label())
	}
	return strings.Join(said, ", ")
}

// receivedName is the name that the file had.
func (r *Result) receivedName() cell {
	if r.NeutralName {
		return cell{Text: i18n.T("left out of this report"), Muted: true}
	}
	return text(r.Name)
}

// sentName is the name that the service received.
func (r *Result) sentName() cell {
	switch {
	case r.SentAs != "":
		return text(r.SentAs)
	case r.NeutralName:
		return r.receivedName()
	}
	return text(r.Name)
}

func sizeText(r *Result) string {
	if r.SHA256 == "" {
		return ""
	}
	return i18n.BytesMessage(r.Bytes).String()
}

func (r *Result) serviceText() string {
	if r.Remark != "" {
		return i18n.T("the sandbox, inside Assay")
	}
	return r.Service
}

// limits explain what the verdict means, and what it can't say.
func (r *Result) limits() table {
	t := table{Heading: i18n.T("Limits"), Class: "limits"}
	for _, reason := range r.Reasons {
		t.Text = append(t.Text, verdict.Reason(reason).Text())
	}
	t.Text = append(t.Text, i18n.T("The models report a likelihood, not a share of the file, and all of them together are one signal. "+
		"They can't see edits by hand, staging, or old footage with a new caption."),
		i18n.T("What the service answered and what the desk judged are kept apart. This report says what was received, sent and answered; it does not say who made the file."))
	return t
}

// times are those of this computer's clock, with what the service's said.
func (r *Result) times() table {
	t := table{Heading: i18n.T("Times"), Class: "times", Head: []string{
		i18n.T("By this computer's clock"), "UTC", i18n.T("Local"), i18n.T("The service's Date header"),
	}}
	missing := func(why string) cell { return cell{Text: why, Muted: true} }
	date := missing(i18n.T("not recorded"))
	if n := len(r.Answers); n > 0 && !r.Answers[n-1].ServiceDate.IsZero() {
		date = text(clockText(r.Answers[n-1].ServiceDate) + " UTC")
	}
	for _, at := range []struct {
		label string
		time  time.Time
		date  cell
	}{
		{i18n.T("Added to Assay"), r.Accepted, missing(i18n.T("none: nothing was sent yet"))},
		{i18n.T("Sent"), r.Uploaded, missing(i18n.T("not recorded"))},
		{i18n.T("Answered"), r.Answered, date},
	} {
		utc, local := cell{Text: i18n.T("not known"), Muted: true}, cell{}
		if !at.time.IsZero() {
			utc, local = text(clockText(at.time)), text(at.time.Local().Format("2006-01-02 15:04:05 -07:00"))
		}
		t.Rows = append(t.Rows, row{text(at.label), utc, local, at.date})
	}
	return t
}

// feedbackTable has the desk's own judgement of the media, its note and its tags.
func (r *Result) feedbackTable() table {
	t := table{Heading: i18n.T("The desk's own judgement, not the service's"), Class: "judgement"}
	for _, f := range r.Feedback {
		said := labelWords(f.Label)
		if f.Comment != "" {
			said += ": “" + f.Comment + "”"
		}
		t.Rows = append(t.Rows, row{momentCell(f.Given.Local()), text(said)})
	}
	if r.Note != "" {
		t.Rows = append(t.Rows, row{text(i18n.T("Note")), text(r.Note)})
	}
	if len(r.Tags) > 0 {
		t.Rows = append(t.Rows, row{text(i18n.T("Tags")), text(strings.Join(r.Tags, ", "))})
	}
	if len(t.Rows) == 0 {
		t.Rows = append(t.Rows, row{text(i18n.T("Judgement")), {Text: i18n.T("none was noted"), Muted: true}})
	}
	return t
}

// signOff is room for a second person's name, on paper.
func signOff() table {
	return table{Heading: i18n.T("Sign-off by a second person"), Class: "signoff", Rows: []row{
		{text(i18n.T("Name")), {}}, {text(i18n.T("Date and time")), {}},
	}, Text: []string{i18n.T("Empty: nobody has signed.")}}
}

// labelWords say a label in the words that the window has for it.
func labelWords(l client.Label) string {
	switch l {
	case client.LabelReal:
		return i18n.T("The desk says: real")
	case client.LabelSynthetic:
		return i18n.T("The desk says: AI-generated")
	case client.LabelManipulated:
		return i18n.T("The desk says: manipulated")
	}
	return i18n.T("The desk is not sure")
}

// foremostModels are the models to be listed where there is no room for all, and how many are left out.
func (r *Result) foremostModels() (models []Model, more int) {
	listed, more := verdict.Foremost(r.evidence.sub.Result.Models)
	for _, m := range listed {
		models = append(models, modelOf(m))
	}
	return models, more
}

// modelTable is the models as the service reported them; more is how many are not among them.
func modelTable(models []Model, more int) table {
	t := table{
		Heading: i18n.T("Every model, as the service reported it"), Class: "models",
		Head: []string{i18n.T("Model"), i18n.T("Status"), i18n.T("0 none to 100 strong"), i18n.T("Score"), i18n.T("Field in the answer")},
	}
	for _, m := range models {
		drawing, class := markOf(verdict.Say(client.Status(m.Status)).Mark)
		line := row{text(m.Name), {Text: m.Status, Mono: true, Mark: drawing, Class: class}, {Bar: &bar{Hatched: true}}, {Text: i18n.T(verdict.NoScore), Muted: true}, mono("")}
		if n := m.Score.number(); n != nil {
			line[3], line[4] = text(n.Text()), mono(n.Field)
			if n.Value >= 0 && n.Value <= 100 {
				line[2].Bar = &bar{Percent: n.Value}
			}
		}
		if !m.Applies {
			line[2] = cell{Text: i18n.T("not applicable"), Muted: true}
		}
		if more := strings.TrimSpace(m.Contradiction + " " + m.failed); more != "" {
			line[0].Text += ": " + more
		}
		t.Rows = append(t.Rows, line)
	}
	if len(t.Rows) == 0 {
		t.Head, t.Text = nil, []string{i18n.T("no single model reported")}
		return t
	}
	t.Text = []string{i18n.T("Hatched: no score was reported; that is not zero.")}
	if more > 0 {
		t.Text = append(t.Text, i18n.F("%s: they are in the .json and the .html.", verdict.AndMore(more)))
	}
	return t
}

// custodyTable has the custody events of the submission.
func (r *Result) custodyTable() table {
	t := table{Heading: i18n.T("What was done with it: the custody log"), Class: "custody",
		Head: []string{"UTC", i18n.T("What was done"), i18n.T("Entry"), i18n.T("SHA-256 of the entry")}}
	for _, e := range r.entries {
		t.Rows = append(t.Rows, row{mono(clockText(e.At)), text(e.Event.Words()), text(fmt.Sprint(e.Seq)), mono(e.Hash)})
	}
	t.Text = []string{i18n.F("The log is called %s. It has %s entries, and a signed checkpoint covers %s of them. An evidence bundle proves that those above are in it, without showing the others.",
		r.log.Origin, i18n.Count(int(r.log.Entries)), i18n.Count(int(r.log.Signed))),
		i18n.T("On the computer that made this report, assay verify --log checks that no entry was changed, removed or added.")}
	return t
}

// answerTable has the service's answers; this report is about the last one.
func (r *Result) answerTable() table {
	t := table{Heading: i18n.T("The service's answers, as Assay keeps them"), Class: "answers",
		Head: []string{"UTC", i18n.T("Status"), i18n.T("Release"), i18n.T("SHA-256 of the answer")}}
	for _, a := range slices.Backward(r.Answers) {
		t.Rows = append(t.Rows, row{mono(clockText(a.At)), mono(string(a.Status)), text(a.Release), mono(a.SHA256)})
	}
	if r.ReceivedSHA256 != "" {
		t.Text = []string{i18n.F("As it was received, with the queries of its links, the last answer had the SHA-256 %s.", r.ReceivedSHA256)}
	}
	return t
}

func (r *Result) method(o Options) table {
	t := table{Heading: i18n.T("How this was done"), Class: "limits"}
	if o.Version != "" {
		t.Text = append(t.Text, i18n.F("Assay %s on %s wrote this report.", o.Version, systemName()))
	}
	switch {
	case r.AnsweredBy != nil:
		t.Text = append(t.Text, i18n.T("A colleague sent a file with this SHA-256 to the service, and shared the answer over the newsroom's desk. Nothing was sent for this report."))
	case r.Link != "":
		t.Text = append(t.Text, i18n.T("The link was sent to the service named above, which fetched what it leads to, and the answer was kept."))
	case r.SentFormat != "":
		t.Text = append(t.Text, i18n.T("The copy named above was sent to the service, not the file itself, and the answer was kept."))
	case r.SentSHA256 != "":
		t.Text = append(t.Text, i18n.T("A copy of the file without the metadata named above was sent to the service, and the answer was kept: the picture or sound in it is that of the file."))
	default:
		t.Text = append(t.Text, i18n.T("The file was sent to the service named above, and the answer was kept."))
	}
	t.Text = append(t.Text, i18n.T("Assay itself computes no verdict, average or threshold. Each number is in the answer, in the field named beside it."))
	if r.Link == "" {
		t.Text = append(t.Text, i18n.T("A second examiner repeats this by sending the file with this SHA-256. A later release of the service may answer differently."))
	} else {
		t.Text = append(t.Text, i18n.T("A second examiner repeats this by sending the same link, as long as it leads to the same content. A later release of the service may answer differently."))
	}
	return t
}

// systemName is the name of this computer's system.
func systemName() string {
	switch runtime.GOOS {
	case "darwin":
		return "macOS"
	case "windows":
		return "Windows"
	case "linux":
		return "Linux"
	}
	return runtime.GOOS
}

// verifyText says how what is in the report can be checked.
func (o Options) verifyText() string {
	if o.Bundle != "" {
		return i18n.F("To verify, use assay verify %s. Without Assay, use sha256sum -c manifest-sha256.txt. VERIFY.txt in the bundle has every step. “Intact” means unchanged since it was sealed, no more.", o.Bundle)
	}
	return i18n.T("To verify, use assay verify --log on the computer that made this report. An evidence bundle (assay export --out NAME.zip) has the answers and hashes, so that anybody can check them.")
}
