package settings

import (
	"context"
	"errors"
	"strings"
	"time"

	"assay/client/desk/postgres"
	"assay/client/i18n"
	"assay/client/plain"
	"assay/client/store"
	"assay/gui/present"
)

// Desk is what the page of the desk needs. Functions with a ctx block and are called on workers, all others on the UI thread and return at once.
type Desk struct {
	State func(ctx context.Context) (DeskNow, error)
	// Join logs in and joins; kept is false where no keychain took the password, which holds until Assay ends then. filesKey is that of the store of the desk's
	// files, "" where there is none, or where the one that was kept before holds.
	Join  func(ctx context.Context, at postgres.Address, password, filesKey string) (kept bool, err error)
	Leave func(ctx context.Context) error
	Try   func(ctx context.Context) // reaches for the desk now
	// ChooseFile asks for a file that IT has handed out, and ReadFile reads it.
	ChooseFile func(chosen func(path string))
	ReadFile   func(ctx context.Context, path string) (postgres.Parts, error)
}

// DeskNow is what is known of the desk.
type DeskNow struct {
	Joined  bool // all else is of a desk that was joined
	Address string
	Member  string // the login
	Members []store.DeskMember
	Counts  store.DeskCounts
	Logs    []store.ChangedLog // custody logs of the desk's computers that were changed

	Connected bool
	Trying    bool          // it is being connected
	Since     time.Time     // connected, or not
	Next      time.Time     // when that is tried again
	Problem   error         // why it is not connected
	Newer     bool          // a later Assay has changed the desk
	HeldBack  time.Duration // for how long new entries have been kept back
}

// DeskIntro says what a desk is.
func DeskIntro() string {
	return i18n.T("A desk is a database of your newsroom's own, over which colleagues share cases: who has checked what, with notes, questions and judgements. Your IT runs it and gives you its address and a password. Only what you share leaves this computer.")
}

// Who says who this person is at the desk.
func (n DeskNow) Who() string {
	for _, m := range n.Members {
		if m.Name == n.Member {
			return memberName(m) + " · " + roleWords(m.Role)
		}
	}
	return plain.From(n.Member).Folded().String()
}

// Server is the address as a person reads it, without what says how the connection is encrypted.
func (n DeskNow) Server() string { return plain.From(postgres.PartsOf(n.Address).Server).String() }

// State says how the connection is. problem is false where nothing is wrong with it.
func (n DeskNow) State() (title, sentence string, problem bool) {
	var lines []string
	switch {
	case n.Connected:
		title = i18n.T("Connected")
	case n.Problem == nil:
		return i18n.T("Connecting…"), "", false
	default:
		title, problem = i18n.F("Not connected since %s", i18n.DayTime(n.Since, time.Now())), true
		lines = append(lines, present.Problem(n.Problem))
		if n.Trying {
			lines = append(lines, i18n.T("Trying now…"))
		} else if !n.Next.IsZero() {
			lines = append(lines, i18n.F("Next try: %s.", i18n.Clock(n.Next)))
		}
	}
	if n.Newer {
		problem = true
		lines = append(lines, present.Problem(&postgres.Problem{Cause: postgres.NewerDesk, Err: errors.New("newer")}))
	}
	if n.HeldBack > 0 {
		problem = true
		lines = append(lines, i18n.F("Something at the desk's server has kept new entries back for %s. They come when that ends. If it does not, tell your IT.", i18n.Wait(n.HeldBack)))
	}
	return title, strings.Join(lines, "\n"), problem
}

// Shared says what is shared and what is not, a line each.
func (n DeskNow) Shared() string {
	var lines []string
	if n.Counts.Pending > 0 {
		lines = append(lines, i18n.N(n.Counts.Pending, "%s entry is not shared yet.", "%s entries are not shared yet."))
	}
	if n.Counts.Refused > 0 {
		lines = append(lines, i18n.N(n.Counts.Refused, "The desk did not accept %s entry. It stays on this computer.", "The desk did not accept %s entries. They stay on this computer."))
	}
	if n.Counts.Altered > 0 {
		lines = append(lines, i18n.N(n.Counts.Altered, "%s entry at the desk is not what its author wrote. Assay does not use it.", "%s entries at the desk are not what their authors wrote. Assay does not use them."))
	}
	for _, l := range n.Logs {
		lines = append(lines, l.String())
	}
	if n.Counts.Pending+n.Counts.Refused == 0 && n.Connected && !n.Newer {
		lines = append(lines, i18n.T("All is shared."))
	}
	return strings.Join(lines, "\n")
}

// MemberWords are somebody at the desk, in a line.
func MemberWords(m store.DeskMember) string {
	if m.Revoked {
		return i18n.F("%s: no longer a member", memberName(m))
	}
	return memberName(m) + " · " + roleWords(m.Role)
}

// memberName is how the desk shows somebody, with their login where that is another.
func memberName(m store.DeskMember) string {
	name, login := plain.From(m.Display).Folded().String(), plain.From(m.Name).Folded().String()
	switch name {
	case "", login:
		return login
	}
	return name + " (" + login + ")"
}

// roleWords are what somebody may do at the desk.
func roleWords(role string) string {
	switch postgres.Role(role) {
	case postgres.Reader:
		return i18n.T("Reader")
	case postgres.Editor:
		return i18n.T("Editor")
	case postgres.Reviewer:
		return i18n.T("Reviewer")
	case postgres.Admin:
		return i18n.T("Admin")
	}
	return plain.From(role).Folded().String()
}

// LeaveDeskWords ask whether to leave the desk.
func (n DeskNow) LeaveDeskWords() (title, text, yes string) {
	text = i18n.T("What you shared stays at the desk. Your cases and all that is in them stay on this computer, for you alone: colleagues' new entries don't come any more.")
	if n.Counts.Pending > 0 {
		text += "\n\n" + i18n.N(n.Counts.Pending, "%s entry is not shared yet, and won't be.", "%s entries are not shared yet, and won't be.")
	}
	return i18n.T("Leave the desk?"), text, i18n.T("Leave the desk")
}

// JoinedWords say that the desk was joined.
func JoinedWords(kept bool) string {
	if kept {
		return i18n.T("You have joined the desk. The password is in this computer's keychain.")
	}
	return i18n.T("You have joined the desk. This computer has no keychain that takes the password: Assay keeps it until you quit. Next time, type it again.")
}

// JoinWords say why a desk could not be joined, to somebody who fills in its address.
func JoinWords(err error) (title, sentence string) {
	sentence = present.Problem(postgres.Once(err))
	var p *postgres.Problem
	if !errors.As(err, &p) {
		var a *postgres.AddressError
		if errors.As(err, &a) {
			return i18n.T("Wrong address"), sentence
		}
		return i18n.T("The desk could not be joined"), sentence
	}
	switch p.Cause {
	case postgres.Unreachable:
		return i18n.T("Not reached"), sentence
	case postgres.Untrusted:
		return i18n.T("Certificate not trusted"), sentence
	case postgres.NoCertificate:
		return i18n.T("No certificate"), sentence
	case postgres.NotLetIn:
		return i18n.T("Name or password refused"), sentence
	case postgres.ShutOut:
		return i18n.T("Not let in"), sentence
	case postgres.NoDesk:
		return i18n.T("No desk there"), sentence
	case postgres.NoMember, postgres.RevokedMember:
		return i18n.T("Not a member"), sentence
	}
	return i18n.T("The desk could not be joined"), sentence
}
