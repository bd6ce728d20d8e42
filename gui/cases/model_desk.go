package cases

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"assay/client/desk"
	"assay/client/desk/postgres"
	"assay/client/i18n"
	"assay/client/plain"
	"assay/client/store"
	"assay/gui/present"
)

// Desk is where cases are shared with colleagues. Its methods read and write the disk or ask the desk's server, and are called on workers.
type Desk interface {
	// Colleagues returns the others at the desk, without those whose part in it was ended. joined is false where this computer has joined none.
	Colleagues(ctx context.Context) (all []Colleague, joined bool, err error)
	// Sharing says what of a case would be shared.
	Sharing(ctx context.Context, of string) (store.Sharing, error)
	// Share shares a case, and lets people into it. problem is why the desk was not told of those yet; nil: it was.
	Share(ctx context.Context, of string, share desk.Share, with []InCase) (problem, err error)
	// ShareItems shares items of a shared case that ask.
	ShareItems(ctx context.Context, of string, items []string, share desk.Share) error
	// ShareFiles shares the files themselves of items of a shared case.
	ShareFiles(ctx context.Context, of string, items []string) error
	// People returns who is in a shared case: the desk's server is asked. me is this computer's member, who may be none of them any more.
	People(ctx context.Context, of string) (all []InCase, me string, err error)
	// SetLevel lets a colleague into a shared case, or changes what they may do there.
	SetLevel(ctx context.Context, of string, who InCase) error
	// Leave ends sharing a case with this computer, which keeps it as its own.
	Leave(ctx context.Context, of string) error
	// LookedAt keeps up to where the person has seen what colleagues did in a case.
	LookedAt(ctx context.Context, of string, last int64) error
	// LookAt says which shared case is in sight, "" for none, and Viewers which colleagues have it open, too, by their logins. Both are called on the UI
	// thread, and neither waits.
	LookAt(of string)
	Viewers(of string) (logins []string)
}

// Place is where files of a case are kept, and whether they are encrypted there.
type Place struct {
	Address   string // safe for the screen
	Encrypted bool
}

// fileGoesText are the sentences about what goes with a file itself, and about what stays.
func fileGoesText(to Place) (goes, stays []string) {
	goes = []string{
		i18n.T("The file as it is, with all that it says of itself, such as where and when it was taken, and by whom"),
		i18n.F("It is kept in %s, without encryption. Whoever can open that place can open the file.", to.Address),
	}
	if to.Encrypted {
		goes[1] = i18n.F("It is kept in %s, encrypted. Only people in the case and the desk's admin can read the key.", to.Address)
	}
	return append(goes, i18n.T("Everybody in the case can get it. It goes to nobody by itself.")), []string{i18n.T("What the file is called, and where it is")}
}

// Colleague is somebody at the desk.
type Colleague struct {
	Login string
	Name  string // safe for the screen
}

// InCase is who is in a shared case.
type InCase struct {
	Login string
	Level Level
}

// Level is what somebody may do in a shared case, as the desk calls it.
type Level string

// The levels, the least first.
const (
	LevelNone     Level = "none"
	LevelReader   Level = "reader"
	LevelEditor   Level = "editor"
	LevelReviewer Level = "reviewer"
	LevelOwner    Level = "owner"
)

// levels are those that somebody can be given.
var levels = []Level{LevelReader, LevelEditor, LevelReviewer, LevelOwner}

// levelWords are what a level lets somebody do.
func levelWords(l Level) string {
	switch l {
	case LevelReader:
		return i18n.T("can read")
	case LevelEditor:
		return i18n.T("can write")
	case LevelReviewer:
		return i18n.T("can sign off")
	case LevelOwner:
		return i18n.T("owner")
	}
	return i18n.T("not in the case")
}

func wordsOf(all []Level) []string {
	words := make([]string, len(all))
	for i, l := range all {
		words[i] = levelWords(l)
	}
	return words
}

// shares are the choices of how much of results is shared, in the order in which they are offered.
var shares = []desk.Share{desk.ShareStatus, desk.ShareAnswer, desk.ShareAll}

// usualShare is the index of the one that is chosen at first.
const usualShare = 1

func shareOptions() []present.Option {
	return []present.Option{
		{Words: i18n.T("Hash and verdict"), Means: i18n.T("Colleagues see that you have checked the file, and what came of it.")},
		{Words: i18n.T("All but the name"), Means: i18n.T("The service's whole answer, and a perceptual hash by which pictures that are nearly the same are found. Not what the file is called.")},
		{Words: i18n.T("All"), Means: i18n.T("The service's whole answer, that hash, and what the file is called. Not where it is on this computer.")},
	}
}

// goesText are the sentences about what goes to the desk, and about what stays.
func goesText(of store.Sharing) (goes, stays []string) {
	goes = []string{i18n.T("The title and the tags")}
	if of.Notes > 0 {
		goes = append(goes, i18n.N(of.Notes, "%s entry: notes, findings, questions, answers, the conclusion", "%s entries: notes, findings, questions, answers, the conclusion"))
	}
	if of.Shared > 0 {
		goes = append(goes, i18n.N(of.Shared, "%s result", "%s results"))
	}
	if of.Later > 0 {
		goes = append(goes, i18n.N(of.Later, "%s more result, once it is there", "%s more results, once they are there"))
	}
	goes = append(goes, i18n.T("What is done in the case from now on"))
	stays = []string{i18n.T("The files themselves")}
	if of.Asks > 0 {
		stays = append(stays, i18n.N(of.Asks, "%s result that Assay asks about, until you share it", "%s results that Assay asks about, until you share them"))
	}
	if of.Never > 0 {
		stays = append(stays, i18n.N(of.Never, "%s result that never leaves this computer. Nobody is told of it.", "%s results that never leave this computer. Nobody is told of them."))
	}
	if of.Others > 0 {
		stays = append(stays, i18n.N(of.Others, "%s result of a colleague's from another case", "%s results of colleagues' from other cases"))
	}
	return goes, stays
}

// Shared is how a case is at the desk, as it is shown. The zero value is a case of this computer alone.
type Shared struct {
	On    bool
	Line  string // what has not reached the desk; "" for nothing
	New   int    // what colleagues did since the visit began
	Since int64  // where that was
	Last  int64  // up to where they did
	Kept  int64  // up to where it is kept that the person has seen it
	Asks  []string
	Files []string // items whose files themselves may be shared
	Place Place
	Stays string // what stays here; "" for nothing
	Keep  int    // for how many days after its last entry the desk keeps it; 0: without limit
	Me    string // this computer's member
}

// sharedOf is how a case is at the desk, as seen on a visit that began at a position.
func sharedOf(k Kept) (s Shared) {
	at := k.Case.Desk
	if at.ID == "" {
		return s
	}
	s = Shared{On: true, Keep: at.Keep, New: len(k.New), Since: k.Since, Last: k.Last, Kept: at.Looked, Asks: k.Staying.Asks, Files: k.Files, Place: k.Place, Me: k.Me}
	unsent, refused, asks, never := "", "", "", ""
	if at.Unsent > 0 {
		unsent = i18n.N(at.Unsent, "%s entry not shared yet", "%s entries not shared yet")
	}
	if at.Refused > 0 {
		refused = i18n.N(at.Refused, "%s entry not accepted by the desk", "%s entries not accepted by the desk")
	}
	s.Line = present.Joined(i18n.T("shared"), unsent, refused)
	if n := len(k.Staying.Asks); n > 0 {
		asks = i18n.N(n, "%s result is not shared until you share it.", "%s results are not shared until you share them.")
	}
	if n := len(k.Staying.Never); n > 0 {
		never = i18n.N(n, "%s result never leaves this computer.", "%s results never leave this computer.")
	}
	s.Stays = joinLines(asks, never)
	return s
}

func joinLines(all ...string) string {
	return strings.Join(slices.DeleteFunc(all, func(s string) bool { return s == "" }), "\n")
}

// newText says how much is new; "" for nothing.
func newText(n int) string {
	if n == 0 {
		return ""
	}
	return i18n.N(n, "%s new", "%s new")
}

// lastText says who has done the last thing in a shared case.
func lastText(c store.Case) string {
	if c.Desk.ID == "" || c.Desk.LastBy == "" {
		return ""
	}
	return i18n.F("last: %s", oneLine(c.Desk.LastBy))
}

// lost says what an entry of the feed was overtaken by: of several who changed a title or a conclusion at a time, one counts. newest is true for the
// entry that would count if it went by the clocks.
func lost(e store.CaseEvent, of store.Case, newest bool) string {
	switch {
	case of.Desk.ID == "" || !newest || e.Text == "":
		return ""
	case e.Kind == store.CaseRenamed && e.Text != of.Title:
		return i18n.F("The title is “%s” now: somebody changed it at the same time.", oneLine(of.Title))
	case (e.Kind == store.CaseDrawn || e.Kind == store.CaseClosed) && e.Text != of.Conclusion.Text:
		return i18n.T("The conclusion is another one now: somebody wrote it at the same time.")
	}
	return ""
}

// inOrder returns the entries of the list in the order in which they were shown before: what is new comes first. So nothing moves under the pointer.
func inOrder(all, before []Entry) []Entry {
	place := map[string]int{}
	for i, e := range before {
		place[e.ID] = i + 1
	}
	sorted := make([]Entry, 0, len(all))
	there := make([]*Entry, len(before))
	for _, e := range all {
		if i := place[e.ID]; i > 0 {
			there[i-1] = &e
		} else {
			sorted = append(sorted, e)
		}
	}
	for _, e := range there {
		if e != nil {
			sorted = append(sorted, *e)
		}
	}
	return sorted
}

// beginsVisit is a position for Records.Case: what is new is so since the person last looked.
const beginsVisit int64 = -1

// readAtDesk reads what of a case concerns the desk: what is new since a position, and what stays here.
func readAtDesk(ctx context.Context, records *store.Store, k *Kept, since int64) (err error) {
	if k.Case.Desk.ID == "" {
		return nil
	}
	if k.Since = since; since == beginsVisit {
		k.Since = k.Case.Desk.Looked
	}
	if k.New, k.Last, err = records.NewInCase(ctx, k.Case.ID, k.Since); err != nil {
		return err
	}
	if k.Staying, err = records.StayingIn(ctx, k.Case.ID); err != nil {
		return err
	}
	m, _, err := records.Desk(ctx)
	k.Me = m.Member
	at, unread := postgres.ParseAddress(m.Address)
	if err != nil || unread != nil || at.Files() == "" {
		return err
	}
	going, err := records.OriginalsToShare(ctx, k.Case.ID)
	for _, f := range going {
		k.Files, k.Place = append(k.Files, f.ID), Place{plain.From(at.Files()).String(), f.Keep != desk.KeepPlain}
	}
	return err
}

// retentionRule is the event by which the desk keeps a case for so many days after its last entry; 0: without limit.
func retentionRule(days int, by string) store.CaseEvent {
	e := store.CaseEvent{Kind: store.CaseRetention, By: by}
	if days > 0 {
		e.Text = strconv.Itoa(days)
	}
	return e
}
