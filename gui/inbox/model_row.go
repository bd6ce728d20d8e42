package inbox

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"assay/client"
	"assay/client/i18n"
	"assay/client/media"
	"assay/client/submission"
	"assay/client/verdict"
	"assay/gui/present"
)

// Symbol is the sign beside a row's state, where there is no verdict's mark.
type Symbol string

// The symbols.
const (
	SymbolMark    Symbol = ""        // the verdict's mark
	SymbolUpload  Symbol = "upload"  // being uploaded
	SymbolPaused  Symbol = "paused"  // by the person
	SymbolProblem Symbol = "problem" // not sent, or given up
	SymbolStopped Symbol = "stopped" // cancelled
	SymbolHeld    Symbol = "held"    // waits for the person's decision
	SymbolStays   Symbol = "stays"   // on this computer
)

// Row is a submission in the inbox. The fields after Offered are not shown: the list is filtered, searched and sorted by them.
type Row struct {
	ID        string
	Name      string
	Link      string // "" for a file
	Size      string // "" until known
	From      string // the name of the watched folder that it came from, "" for none
	Medium    present.Medium
	Symbol    Symbol
	Mark      verdict.Mark
	State     string
	Detail    string           // the second line, "" for none
	Hint      string           // what is nearly the same, where that may still change what the person does; "" for none
	HintCase  string           // the ID of the case in which a colleague shared that; "" for none
	Progress  *float64         // 0..1 of the upload; nil: no bar
	Actions   []present.Action // the first is what opening the row does
	Offered   []present.Action // of these, those shown as buttons with words
	Graphic   bool             // a person marked it as graphic
	Voice     string           // what the service says of a clip's voice, with which Detail begins; "" where it says nothing of it alone
	VoiceMark verdict.Mark
	InPart    bool             // only a part of it can be sent, which a person chooses
	Checked   *present.Checked // what colleagues have said of its content, as long as the person may still decide; nil for nothing

	Accepted time.Time
	Bytes    int64 // 0 until known
	Group    Filter
	Urgency  Urgency
}

// Can reports whether a row offers an action. Every row can be added to a case.
func (r Row) Can(a present.Action) bool {
	return a == present.AddToCase || slices.Contains(r.Actions, a)
}

// Held reports whether a row waits for the person to approve that it is sent.
func (r Row) Held() bool { return r.Can(present.Withhold) }

// OtherVoice is the voice's mark where it is another one than the picture's.
func (r Row) OtherVoice() verdict.Mark {
	if r.VoiceMark == r.Mark {
		return verdict.MarkNone
	}
	return r.VoiceMark
}

// Care is what is known of it that may be disturbing.
func (r Row) Care() present.Care { return present.Care{Watched: r.From != "", Graphic: r.Graphic} }

// Under is the line under the name: size and origin.
func (r Row) Under() string {
	if r.From == "" {
		return r.Size
	}
	return present.Joined(r.Size, i18n.F("from %s", r.From))
}

// Removed is the row while its removal can be taken back: it offers nothing.
func (r Row) Removed() Row {
	r.Symbol, r.State, r.Detail, r.Hint, r.HintCase, r.Progress = SymbolStopped, i18n.T("Removed"), "", "", "", nil
	r.Actions, r.Offered = nil, nil
	return r
}

// Sends is the action of the button with which a row is sent.
func (r Row) Sends() present.Action {
	for _, a := range []present.Action{present.SendCopy, present.SendAnyway} {
		if slices.Contains(r.Offered, a) {
			return a
		}
	}
	return present.Approve
}

// ApproveWords are the words of Sends on a row.
func (r Row) ApproveWords() string {
	if r.Sends() == present.SendCopy {
		return i18n.T("Send the copy")
	}
	if r.InPart {
		return i18n.T("Choose a part…")
	}
	if r.Sends() == present.SendAnyway {
		return i18n.T("Send anyway")
	}
	if r.Held() && r.Checked == nil {
		return i18n.T("Look and send…")
	}
	return i18n.T("Send anyway…")
}

// RowOf makes the row of a submission. That the whole queue is halted is said once, in the Summary.
func RowOf(s submission.Submission) Row {
	r := Row{ID: s.ID, Name: s.Name, Link: s.Link, Medium: present.MediumOfSubmission(s), Symbol: SymbolUpload,
		Accepted: s.Accepted, Bytes: s.Size, Graphic: s.Graphic, Group: groupOf(s), Urgency: urgencyOf(s)}
	if s.Size > 0 {
		r.Size = media.SizeText(s.Size)
	}
	if s.Source == submission.Watched {
		r.From = present.FolderName(s.Folder)
	}
	switch {
	case s.State == submission.Held:
		r.held(s)
	case s.State == submission.Done:
		r.done(s)
	case s.State == submission.Stays:
		r.stays(s)
	case s.State.Ended():
		r.ended(s)
	case s.Paused:
		r.paused(s)
	default:
		r.underWay(s)
	}
	return r
}

func (r *Row) held(s submission.Submission) {
	r.Symbol, r.State = SymbolHeld, i18n.T("Waiting for your decision")
	switch {
	case !s.Delay.IsZero():
		r.Detail = s.Delay.String()
	case !s.Problem.IsZero():
		r.Detail = s.Problem.String()
	case s.Needs == submission.NeedsNothing:
		r.Detail = present.Joined(i18n.T("Not sent yet"), s.Warning.String())
	}
	r.Actions = []present.Action{present.Approve, present.Withhold}
	switch s.Needs {
	case submission.NeedsCopy:
		r.needsCopy(s)
	case submission.NeedsPart:
		r.InPart, r.State = true, i18n.T("Too large: choose a part")
		r.Detail = cmp.Or(r.Detail, i18n.F("The service takes clips up to %s. Nothing has been sent.", media.SizeText(media.Limits(nil).Cap(client.Video))))
	}
	if r.Offered == nil {
		r.Offered = r.Actions
	}
}

// SetHint shows what is nearly the same, and offers the case in which a colleague shared that. It is a hint: what is done with the row stays as it is.
func (r *Row) SetHint(h present.NearHint) {
	if r.Hint = h.Line; h.Case == "" || r.Checked != nil || !r.Can(present.Approve) {
		return
	}
	r.HintCase = h.Case
	r.Actions, r.Offered = append(slices.Clone(r.Actions), present.OpenCase), append(slices.Clone(r.Offered), present.OpenCase)
}

// SetChecked shows on a row that waits for the person what colleagues have said of its content, and offers their answer.
func (r *Row) SetChecked(c present.Checked, s submission.Submission, now time.Time) {
	if !r.Can(present.Approve) || !s.Delay.IsZero() {
		return // the person has decided
	}
	r.Checked = &c
	r.Symbol, r.Mark, r.State = SymbolMark, c.Words.Mark, c.Headline(now)
	if s.Problem.IsZero() || s.Problem.Equal(c.Asked) {
		r.Detail = c.Detail()
	}
	if s.Gate == submission.GateSend && s.Needs == submission.NeedsNothing { // nothing but this asks for a word
		r.Actions, r.Offered = append(r.Actions, present.SendAnyway), []present.Action{present.SendAnyway}
	} else {
		r.Offered = []present.Action{r.Sends()}
	}
	if c.Usable {
		r.Actions, r.Offered = append(r.Actions, present.TakeOver), append(r.Offered, present.TakeOver)
	}
	r.Actions, r.Offered = append(r.Actions, present.OpenCase), append(r.Offered, present.OpenCase)
}

// needsCopy sets what is said and offered of a file that can only be sent as a copy.
func (r *Row) needsCopy(s submission.Submission) {
	kind := strings.ToUpper(strings.TrimPrefix(filepath.Ext(s.Name), "."))
	if s.Type == client.Image {
		r.State = i18n.T("Can be sent as a JPEG copy")
		r.Detail = cmp.Or(r.Detail, i18n.F("The service does not take %s. Colours and orientation are kept, and the log keeps both SHA-256.", kind))
	} else {
		r.State = i18n.T("Can be sent as a copy")
		r.Detail = cmp.Or(r.Detail, i18n.F("The service does not take %s. Picture and sound stay as they are where possible.", kind))
	}
	if s.Gate == submission.GateSend { // nothing but the copy needs a word: no sheet is shown
		r.Actions = []present.Action{present.Approve, present.SendCopy, present.AlwaysCopy, present.Withhold}
		r.Offered = []present.Action{present.SendCopy, present.AlwaysCopy, present.Withhold}
	}
}

func (r *Row) stays(s submission.Submission) {
	r.Symbol, r.Actions = SymbolStays, []present.Action{present.Remove}
	if s.Asks() {
		r.State, r.Detail = i18n.T("Stays on this computer"), i18n.T("You kept it here")
		for _, sentence := range []string{s.Problem.String(), s.Delay.String()} {
			r.Detail = cmp.Or(sentence, r.Detail)
		}
		r.Actions, r.Offered = []present.Action{present.Approve, present.Remove}, []present.Action{present.Approve}
		r.InPart = s.Needs == submission.NeedsPart
		if s.Needs == submission.NeedsCopy && s.Gate == submission.GateSend {
			r.Actions, r.Offered = []present.Action{present.Approve, present.SendCopy, present.Remove}, []present.Action{present.SendCopy}
		}
		return
	}
	r.State, r.Detail = i18n.T("Never leaves this computer"), cmp.Or(s.Problem.String(), i18n.T("Source-identifying"))
}

func (r *Row) underWay(s submission.Submission) {
	r.Actions = []present.Action{present.Pause, present.Cancel}
	switch s.State {
	case submission.Waiting:
		r.State = i18n.T("Waiting")
	case submission.Checking:
		r.State = i18n.T("Looking at the file")
	case submission.Sending:
		r.sending(s)
	case submission.Analysing:
		r.analysing(s)
	}
	if !s.Delay.IsZero() {
		r.Detail = s.Delay.String()
	}
	if s.Earlier != "" {
		r.Detail = present.Joined(present.OfThing(s, "Same file as before: not sent again", "Same link as before: not sent again"), r.Detail)
	}
}

func (r *Row) sending(s submission.Submission) {
	if s.Link != "" {
		r.State, r.Detail = i18n.T("Submitting the link"), s.Warning.String()
		return
	}
	r.State = i18n.T("Uploading")
	size := s.Sends()
	if s.Sent == 0 || size == 0 {
		r.Detail = s.Warning.String()
		if s.Step != submission.URLHeld && s.Step != submission.SendingBytes {
			r.State = i18n.T("Asking for an upload address")
		}
		return
	}
	share := min(1, float64(s.Sent)/float64(size))
	r.Progress = &share
	if s.Sent >= size {
		r.Detail = i18n.T("Sent; waiting for the service")
		return
	}
	r.Detail = s.Warning.String()
	if s.Rate > 0 {
		left := time.Duration(float64(size-s.Sent) / s.Rate * float64(time.Second))
		r.Detail = i18n.F("%s/s · about %s of upload left", media.SizeText(int64(s.Rate)), i18n.Wait(left))
	}
}

func (r *Row) analysing(s submission.Submission) {
	r.Symbol, r.Mark, r.State = SymbolMark, verdict.MarkAnalysing, i18n.T("Analysing")
	if s.Result == nil {
		return
	}
	if s.Link != "" && s.Result.Status() == client.Downloading {
		r.State = i18n.T("The service is fetching it")
	}
	r.Detail = modelsDone(s.Result)
	r.openIfAnswered(s)
}

// openIfAnswered allows opening a result that has a status while single models are still running.
func (r *Row) openIfAnswered(s submission.Submission) {
	if s.Result != nil && verdict.Of(s.Result).Status.Terminal() {
		r.Actions = append([]present.Action{present.Open}, r.Actions...)
		r.Offered = []present.Action{present.Open}
	}
}

func (r *Row) paused(s submission.Submission) {
	r.Symbol, r.State = SymbolPaused, i18n.T("Paused")
	r.Actions = []present.Action{present.Resume, present.Cancel}
	if !s.Uploaded.IsZero() {
		r.Detail = present.OfThing(s, "The service already has the file. Resume to get its answer.", "The service already has the link. Resume to get its answer.")
	}
	r.openIfAnswered(s)
}

func (r *Row) done(s submission.Submission) {
	v := verdict.Of(s.Result)
	r.Symbol, r.Mark, r.State = SymbolMark, v.Mark, v.Short
	r.Actions, r.Offered = []present.Action{present.Open, present.Remove}, []present.Action{present.Open}
	if s.Path != "" || s.Link != "" {
		r.Actions = []present.Action{present.Open, present.ScanAgain, present.Remove}
	}
	r.Voice = v.VoiceLine()
	parts := []string{r.Voice}
	if v.Voice != nil {
		r.VoiceMark = v.Voice.Mark
	}
	if s.Source == submission.Service {
		parts = append(parts, i18n.T("From another device"))
	}
	if by := s.AnsweredBy; by.Name != "" {
		parts = append(parts, present.AnswerOf(by, s.Accepted))
	}
	if s.Earlier != "" {
		r.State = i18n.F("Scanned before: %s", v.Short)
		if !s.Answered.IsZero() {
			r.State = i18n.F("Scanned before: %s, %s", v.Short, i18n.Day(s.Answered, s.Accepted))
		}
		if r.Can(present.ScanAgain) {
			r.Offered = []present.Action{present.Open, present.ScanAgain}
		}
		parts = append(parts, present.OfThing(s, "Same file: not sent again", "Same link: not sent again"))
	}
	switch {
	case v.Contradiction != "":
		parts = append(parts, v.Contradiction)
	case len(v.Reasons) > 0:
		parts = append(parts, v.Reasons[0].Text())
	case v.Score != nil:
		parts = append(parts, i18n.F("Ensemble %s of 100", v.Score.Text()))
	}
	r.Detail = present.Joined(parts...)
}

// ended sets the state of a submission that ended without an answer.
func (r *Row) ended(s submission.Submission) {
	r.Symbol, r.State, r.Detail = SymbolProblem, i18n.T("Not sent"), s.Problem.String()
	r.Actions = []present.Action{present.Retry, present.Remove}
	switch {
	case s.State == submission.Cancelled:
		r.Symbol, r.State, r.Detail = SymbolStopped, i18n.T("Cancelled"), ""
		if !s.Uploaded.IsZero() {
			r.Detail = present.OfThing(s, "The service already has the file.", "The service already has the link.")
		}
	case s.State == submission.Refused && s.Link != "": // a file may be another one by now, what is wrong with a link stays
		r.Actions = []present.Action{present.Remove}
	case s.State == submission.Refused:
	case s.Link != "" && (s.Asking.Refetch || s.Result != nil && bool(s.Result.SocialLinkFailed)):
		r.State = i18n.T("The service could not fetch it")
	case !s.Uploaded.IsZero():
		r.State = i18n.T("Sent, but not answered")
	}
}

// modelsDone counts the models that have finished; "" where none is named yet.
func modelsDone(r *client.Result) string {
	n := len(r.Models)
	if n == 0 {
		return ""
	}
	return i18n.F("%d of %d models done", n-r.Running(), n)
}
