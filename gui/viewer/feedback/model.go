package feedback

import (
	"time"

	"assay/client"
	"assay/client/i18n"
	"assay/client/store"
	"assay/gui/present"
)

// FeedbackNotice is shown, translated, at every feedback: it says what the service adds to it. Desks share computers.
const FeedbackNotice = "Your name, e-mail address and organisation go with it."

// GivenFeedback is the feedback given on a result.
type GivenFeedback struct {
	RequestID string // ID of the result, "" while the service has assigned none
	All       []store.Feedback
}

// Phase is the state of the bar.
type Phase int

// The phases.
const (
	FeedbackOpen    Phase = iota // no feedback yet
	FeedbackUndo                 // given, and sent in a moment unless it is undone
	FeedbackWaits                // can't be sent yet
	FeedbackSending              // being sent
	FeedbackRefused              // the service did not accept it
	FeedbackUnknown              // it is not known whether the service has it
)

// Choice is feedback that one click gives.
type Choice struct {
	Category client.Category
	Label    client.Label   // pre-filled
	Labels   []client.Label // the labels that go with the category, to choose from
}

// Feedback is what the bar shows.
type Feedback struct {
	Phase Phase
	Text  string // the question, or the state of the feedback

	RequestID       string
	Agree, Disagree *Choice // nil: WhyNot says why not
	WhyNot          string
	WhyNone         string // why no feedback can be given at all; "" if Other can
	Beneath         string // earlier feedback, or why none can be given yet: a sentence or ""

	ID        string          // ID of the feedback in the other phases
	Given     client.Feedback // its content
	Labels    []client.Label  // the labels that it can be changed to
	Countdown bool            // Text changes every second
}

// Of returns the bar for a result and the feedback on it. dismissed has the IDs of feedback whose problem the person has dismissed.
func Of(v present.Viewer, given GivenFeedback, dismissed map[string]bool, now time.Time) Feedback {
	f := Feedback{RequestID: given.RequestID}
	for i := len(given.All) - 1; i >= 0; i-- {
		if g := given.All[i]; g.State != store.FeedbackSent && !dismissed[g.ID] {
			f.about(v, g, now)
			return f
		}
	}
	f.Text = i18n.T("What does the desk think?")
	f.Beneath = earlierFeedback(given.All, now)
	switch {
	case given.RequestID == "":
		f.WhyNone = i18n.T("There is no result to judge yet.")
	case v.Verdict.Provisional:
		f.WhyNone = i18n.T("Models are still running. You can judge a result once it is final.")
		f.Beneath = f.WhyNone
	}
	if f.WhyNot = f.WhyNone; f.WhyNot != "" {
		return f
	}
	if v.Verdict.Contradiction != "" {
		f.WhyNot = i18n.T("The service contradicts itself: there is no single verdict to agree or disagree with. Under “Other” you can say what your desk thinks.")
		return f
	}
	f.Agree, f.Disagree = Agree(v.Verdict.Status, v.Medium), Disagree(v.Verdict.Status, v.Medium)
	if f.Agree == nil {
		f.WhyNot = i18n.T("The service gave no verdict to agree or disagree with. Under “Other” you can say what your desk thinks.")
	}
	return f
}

// Agree is what agreeing with a verdict sends, nil if there is no verdict.
//
//	status       agree                            disagree
//	FAKE         CONFIRMATION, made               FALSE_POSITIVE, REAL
//	SUSPICIOUS   CONFIRMATION, UNKNOWN            FALSE_POSITIVE, REAL
//	AUTHENTIC    CONFIRMATION, REAL               FALSE_NEGATIVE, made
//	any other    there is nothing to agree with
//
// The service says "manipulated or AI-generated" without saying which. So "made" is pre-filled by the medium and can be changed while the feedback can
// be undone: MANIPULATED for pictures and clips, as the wider word, and SYNTHETIC for recordings and texts, of which fakes are nearly always
// generated. Agreeing that something needs a human look is no answer to what it is: UNKNOWN.
func Agree(s client.Status, m present.Medium) *Choice {
	switch s {
	case client.Fake:
		return &Choice{client.Confirmation, made(m), notReal()}
	case client.Suspicious:
		return &Choice{client.Confirmation, client.LabelUnknown, notReal()}
	case client.Authentic:
		return &Choice{client.Confirmation, client.LabelReal, isReal()}
	}
	return nil
}

// Disagree is what disagreeing with a verdict sends, nil if there is no verdict; see the table at Agree.
func Disagree(s client.Status, m present.Medium) *Choice {
	switch s {
	case client.Fake, client.Suspicious:
		return &Choice{client.FalsePositive, client.LabelReal, isReal()}
	case client.Authentic:
		return &Choice{client.FalseNegative, made(m), notReal()}
	}
	return nil
}

// OtherFeedback is the initial content of the form under "Other".
func OtherFeedback() Choice {
	return Choice{client.OtherFeedback, client.LabelUnknown, client.Labels()}
}

func made(m present.Medium) client.Label {
	if m == present.Recording || m == present.Text {
		return client.LabelSynthetic
	}
	return client.LabelManipulated
}

func notReal() []client.Label {
	return []client.Label{client.LabelManipulated, client.LabelSynthetic, client.LabelUnknown}
}

func isReal() []client.Label { return []client.Label{client.LabelReal, client.LabelUnknown} }

// labelsFor returns the labels that feedback can be changed to.
func labelsFor(v present.Viewer, given client.Feedback) []client.Label {
	for _, c := range []*Choice{Agree(v.Verdict.Status, v.Medium), Disagree(v.Verdict.Status, v.Medium)} {
		if c != nil && c.Category == given.Category {
			return c.Labels
		}
	}
	return client.Labels()
}

// CategoryWord is a category as shown.
func CategoryWord(c client.Category) string {
	switch c {
	case client.FalsePositive:
		return i18n.T("False alarm")
	case client.FalseNegative:
		return i18n.T("Missed")
	case client.Confirmation:
		return i18n.T("Result is right")
	}
	return i18n.T("Something else")
}

// feedbackAction says in words what feedback was.
func feedbackAction(c client.Category) string {
	switch c {
	case client.Confirmation:
		return i18n.T("You agreed")
	case client.FalsePositive, client.FalseNegative:
		return i18n.T("You disagreed")
	}
	return i18n.T("You gave feedback")
}

// feedbackActionOn is feedbackAction with the date.
func feedbackActionOn(c client.Category, when string) string {
	switch c {
	case client.Confirmation:
		return i18n.F("You agreed on %s", when)
	case client.FalsePositive, client.FalseNegative:
		return i18n.F("You disagreed on %s", when)
	}
	return i18n.F("You gave feedback on %s", when)
}

// about fills in the state of feedback that the service is not known to have.
func (f *Feedback) about(v present.Viewer, g store.Feedback, now time.Time) {
	f.ID, f.Given, f.Labels = g.ID, g.Feedback, labelsFor(v, g.Feedback)
	given := feedbackAction(g.Category)
	switch g.State {
	case store.FeedbackSending:
		f.Phase, f.Text = FeedbackSending, i18n.F("%s: being sent", given)
	case store.FeedbackRefused:
		f.Phase, f.Text = FeedbackRefused, i18n.F("The service did not accept this. %s", g.Problem)
	case store.FeedbackUnknown:
		f.Phase, f.Text = FeedbackUnknown, i18n.T("Assay doesn't know whether the service has this. Send again?")
	default:
		left := g.Due.Sub(now)
		switch {
		case left > feedbackSoon:
			f.Phase, f.Text = FeedbackUndo, i18n.F("%s: sent once you finish the comment", given)
			f.Countdown = true
		case left > 0:
			f.Phase, f.Text = FeedbackUndo, i18n.F("%s: sent in %d s", given, int((left+time.Second-1)/time.Second))
			f.Countdown = true
		case g.Problem.IsZero():
			f.Phase, f.Text, f.Countdown = FeedbackWaits, i18n.F("%s: about to be sent", given), true
		default:
			f.Phase, f.Text = FeedbackWaits, i18n.F("%s: kept, and sent later. %s", given, g.Problem)
		}
	}
}

// feedbackSoon is the longest countdown: feedback that waits longer waits for a comment.
const feedbackSoon = 10 * time.Second

// earlierFeedback says what the last feedback was, and how many there were before it.
func earlierFeedback(all []store.Feedback, now time.Time) string {
	for i := len(all) - 1; i >= 0; i-- {
		g := all[i]
		if g.State == store.FeedbackRefused {
			continue
		}
		text := feedbackActionOn(g.Category, i18n.DayTime(g.Given, now))
		if g.State != store.FeedbackSent {
			return i18n.F("%s; whether the service has it is not known", text)
		}
		if more := sentBefore(all[:i]); more > 0 {
			text = i18n.N(more, "%[2]s, after %[1]s earlier", "%[2]s, after %[1]s earlier", text)
		}
		return text
	}
	return ""
}

func sentBefore(all []store.Feedback) int {
	n := 0
	for _, g := range all {
		if g.State == store.FeedbackSent {
			n++
		}
	}
	return n
}
