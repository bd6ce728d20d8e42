package command

import (
	"context"
	"errors"
	"io"
	"slices"

	"assay/client/desk"
	"assay/client/desk/exchange"
	"assay/client/desk/files"
	"assay/client/desk/postgres"
	"assay/client/i18n"
	"assay/client/ipc"
	"assay/client/plain"
	"assay/client/session"
	"assay/client/store"
	"assay/client/wait"
)

// deskDoing is what is done with the desk.
type deskDoing string

// What can be done. deskPlan says what deskShare would share.
const (
	deskJoin    deskDoing = "join"
	deskLeave   deskDoing = "leave"
	deskStatus  deskDoing = "status"
	deskMembers deskDoing = "members"
	deskSync    deskDoing = "sync"
	deskPlan    deskDoing = "plan"
	deskShare   deskDoing = "share"
	deskChecked deskDoing = "checked" // who has checked the content of a result
)

// deskJob is what `assay desk` and `assay case share` ask for.
type deskJob struct {
	Do       deskDoing  `json:"do"`
	Address  string     `json:"address,omitempty"`  // to join; without a password
	Password string     `json:"password,omitempty"` // "": the keychain's. It is logged nowhere, and stays among processes of one person
	FilesKey string     `json:"filesKey,omitempty"` // likewise, of the store of the desk's files
	Case     string     `json:"case,omitempty"`     // to share: its ID or title
	Share    desk.Share `json:"share,omitempty"`
	Result   string     `json:"result,omitempty"` // the ID of a result
	With     []letIn    `json:"with,omitempty"`   // who is let into it
	// Files is how heatmaps and small pictures are shared as well; "": as before, noFiles: not at all.
	Files desk.Keeping `json:"files,omitempty"`
	// Original is the ID of the result whose file itself is to be shared, and nothing else; "": the case is.
	Original string `json:"original,omitempty"`
}

func (j deskJob) secrets() session.DeskSecrets {
	return session.DeskSecrets{Password: j.Password, FilesKey: j.FilesKey}
}

// take takes the secrets that the environment has.
func (j *deskJob) take() error {
	given, err := session.EnvironmentDeskSecrets()
	j.Password, j.FilesKey = given.Password, given.FilesKey
	return err
}

// storesFiles reports whether the address to join names a store for files, which wants a key.
func (j deskJob) storesFiles() bool {
	return postgres.PartsOf(j.Address).StoresFiles()
}

// letIn is a member who is let into a case.
type letIn struct {
	Member string         `json:"member"`
	Level  postgres.Level `json:"level"`
}

// deskAnswer is the answer to a job; of deskMembers, one for each member.
type deskAnswer struct {
	Joined    bool          `json:"joined"`
	Connected bool          `json:"connected"`
	Member    string        `json:"member,omitempty"`
	Display   string        `json:"display,omitempty"`
	Role      string        `json:"role,omitempty"`
	Revoked   bool          `json:"revoked,omitempty"`
	Address   string        `json:"address,omitempty"`
	Kept      bool          `json:"kept,omitempty"` // the password is in the keychain
	Pending   int           `json:"pending"`
	Refused   int           `json:"refused"`
	Altered   int           `json:"altered"`
	Received  int           `json:"received"`
	Problem   string        `json:"problem,omitempty"`
	Title     string        `json:"title,omitempty"` // of the case
	Sharing   store.Sharing `json:"sharing,omitzero"`
	// Logs are custody logs of the desk's computers that were changed.
	Logs    []store.ChangedLog `json:"logs,omitempty"`
	Checked []checked          `json:"checked,omitempty"` // the result's content, by colleagues
	Place   string             `json:"place,omitempty"`   // where heatmaps and small pictures go, if they do
	Files   desk.Keeping       `json:"files,omitempty"`   // how they are kept there
	Size    int64              `json:"size,omitempty"`    // of the file itself that goes there
}

// noFiles is deskJob.Files where heatmaps and small pictures are not shared any more.
const noFiles desk.Keeping = "none"

// errNoPlace is for pictures where the desk has no place for files.
var errNoPlace = &store.Error{Op: "share pictures", Message: i18n.M("This desk has no place for heatmaps and small pictures. Your IT can name one in the desk's address.")}

// do does a job with the records of a service.
func (j deskJob) do(ctx context.Context, s *session.Service, records *store.Store, answer func(deskAnswer) error) error {
	switch j.Do {
	case deskJoin:
		me, kept, err := s.JoinDesk(ctx, records, j.Address, j.secrets())
		if err != nil {
			return err
		}
		return answer(deskAnswer{Joined: true, Connected: true, Member: me.Name, Role: string(me.Role), Address: j.Address, Kept: kept})
	case deskLeave:
		if _, joined, err := records.Desk(ctx); err != nil || !joined {
			return errors.Join(err, unlessJoined(joined))
		}
		if err := s.LeaveDesk(ctx, records); err != nil {
			return err
		}
		return answer(deskAnswer{})
	case deskMembers:
		if err := j.exchange(ctx, s, records, exchange.Look); err != nil {
			return postgres.Once(err)
		}
		members, err := records.DeskMembers(ctx)
		if err != nil {
			return err
		}
		for _, m := range members {
			if err := answer(deskAnswer{Joined: true, Connected: true, Member: m.Name, Display: m.Display, Role: m.Role, Revoked: m.Revoked}); err != nil {
				return err
			}
		}
		return nil
	case deskStatus, deskSync:
		do := exchange.Look
		if j.Do == deskSync {
			do = exchange.Once
		}
		problem := j.exchange(ctx, s, records, do)
		if problem != nil && (ctx.Err() != nil || errors.Is(problem, store.ErrNoDesk) && j.Do == deskSync) {
			return problem
		}
		a, err := deskState(ctx, records)
		if err != nil {
			return err
		}
		var unkept *files.Problem
		if a.Connected = problem == nil || errors.As(problem, &unkept); problem != nil && a.Joined {
			a.Problem = i18n.Sentence(problem)
		}
		return answer(a)
	case deskPlan, deskShare:
		return j.share(ctx, s, records, answer)
	case deskChecked:
		by, err := checkedResult(ctx, records, j.Result)
		if err != nil {
			return err
		}
		return answer(deskAnswer{Checked: by})
	}
	return ipc.OtherVersion()
}

// share shares a case, or says what would be shared.
func (j deskJob) share(ctx context.Context, s *session.Service, records *store.Store, answer func(deskAnswer) error) error {
	m, joined, err := records.Desk(ctx)
	if err != nil || !joined {
		return errors.Join(err, unlessJoined(joined))
	}
	c, err := findCase(ctx, records, j.Case)
	if err != nil {
		return err
	}
	if err := j.knowsThem(ctx, s, records); err != nil {
		return err
	}
	a := deskAnswer{Joined: true, Title: c.Title}
	if j.Original != "" {
		return j.shareOriginal(ctx, s, records, m, c, answer)
	}
	if a.Sharing, err = records.SharingOf(ctx, c.ID); err != nil {
		return err
	}
	if j.Files != desk.KeepNone && j.Files != noFiles {
		at, err := postgres.ParseAddress(m.Address)
		if err != nil || at.Files() == "" {
			return errors.Join(err, errNoPlace)
		}
		a.Place, a.Files = at.Files(), j.Files
	}
	if j.Do == deskPlan {
		return answer(a)
	}
	if err := records.ShareCase(ctx, c.ID, j.Share); err != nil {
		return err
	}
	if j.Files != desk.KeepNone {
		if err := records.ShareFiles(ctx, c.ID, a.Files); err != nil {
			return err
		}
	}
	// It is shared as far as this computer goes; what is to be sent is sent when the desk can be reached.
	problem := j.exchange(ctx, s, records, func(ctx context.Context, p exchange.Params) error {
		with := make([]postgres.InCase, len(j.With))
		for i, one := range j.With {
			with[i] = postgres.InCase(one)
		}
		if err := exchange.LetIn(ctx, p, desk.IDOf(c.ID), with...); err != nil {
			return err
		}
		return exchange.Once(ctx, p)
	})
	if problem != nil {
		a.Problem = i18n.Sentence(problem)
	}
	return answer(a)
}

// knowsThem refuses to let in who is no member: before anything is shared, and after asking the desk where the records may be behind it.
func (j deskJob) knowsThem(ctx context.Context, s *session.Service, records *store.Store) error {
	for asked := false; ; asked = true {
		members, err := records.DeskMembers(ctx)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(j.With, func(in letIn) bool {
			return !slices.ContainsFunc(members, func(m store.DeskMember) bool { return m.Name == in.Member && !m.Revoked })
		})
		if i < 0 {
			return nil
		}
		if asked {
			return &store.Error{Op: "let a member in", Message: i18n.M("%s is not a member of the desk.", plain.From(j.With[i].Member).Folded())}
		}
		if err := j.exchange(ctx, s, records, exchange.Look); err != nil {
			return postgres.Once(err)
		}
	}
}

func unlessJoined(joined bool) error {
	if joined {
		return nil
	}
	return session.ErrNoDesk
}

// exchange does something with the desk that was joined.
func (j deskJob) exchange(ctx context.Context, s *session.Service, records *store.Store, do func(context.Context, exchange.Params) error) error {
	p, err := s.Exchange(ctx, records, j.secrets())
	if err != nil {
		return err
	}
	return do(ctx, p)
}

// deskState is what the records know of the desk.
func deskState(ctx context.Context, records *store.Store) (a deskAnswer, err error) {
	m, joined, err := records.Desk(ctx)
	if err != nil || !joined {
		return a, err
	}
	a = deskAnswer{Joined: true, Member: m.Member, Address: m.Address}
	members, err := records.DeskMembers(ctx)
	if err != nil {
		return a, err
	}
	for _, other := range members {
		if other.Name == m.Member {
			a.Role, a.Display = other.Role, other.Display
		}
	}
	counts, err := records.DeskCounts(ctx)
	if err != nil {
		return a, err
	}
	a.Pending, a.Refused, a.Altered, a.Received = counts.Pending, counts.Refused, counts.Altered, counts.Received
	a.Logs, err = records.ChangedLogs(ctx)
	return a, err
}

// desk does the job for another process.
func (o *operations) desk(ctx context.Context, job deskJob, answer func(deskAnswer) error) error {
	q, able := o.queue.(sessionQueue)
	if !able {
		return ipc.OtherVersion()
	}
	do := func(s *session.Service) error { return job.do(ctx, s, q.session.Store, answer) }
	err := error(nil)
	if job.Do == deskJoin || job.Do == deskLeave {
		err = q.session.ChangeDesk(context.WithoutCancel(ctx), do)
	} else {
		err = do(q.session.Service())
	}
	if err != nil {
		return &ipc.Refusal{Sentence: i18n.Sentence(err)}
	}
	return nil
}

// deskWork does the job by itself where it can hold the folder, and else through the process that does.
func deskWork(ctx context.Context, s *session.Service, job deskJob, said io.Writer, take func(deskAnswer) error) error {
	return opDesk.Run(ctx, ipc.Work[deskJob, deskAnswer]{
		Dir:  s.Folder,
		Job:  func() (deskJob, error) { return job, nil },
		Each: take,
		Here: func(ctx context.Context, h *ipc.Holder) error {
			return withRecords(ctx, s, h, said, func(ctx context.Context, records *store.Store) error { return job.do(ctx, s, records, take) })
		},
		Wait: wait.For,
	})
}

// failed reports whether the subcommand ends with ExitFailed.
func (a deskAnswer) failed(do deskDoing) bool {
	return do == deskSync && (!a.Connected || a.Pending > 0 || a.Refused > 0)
}

// shown is an answer as --json prints it.
func (a deskAnswer) shown(do deskDoing) any {
	if do == deskMembers {
		return struct {
			Member  plain.Text `json:"member"`
			Display plain.Text `json:"display"`
			Role    string     `json:"role"`
			Revoked bool       `json:"revoked"`
		}{plain.From(a.Member), plain.From(a.Display), a.Role, a.Revoked}
	}
	type changedLog struct {
		Member plain.Text      `json:"member"`
		Here   bool            `json:"here"` // it is this computer's own
		Change store.LogChange `json:"change"`
	}
	var logs []changedLog
	for _, l := range a.Logs {
		logs = append(logs, changedLog{plain.From(l.Member), l.Here, l.Change})
	}
	return struct {
		Joined    bool       `json:"joined"`
		Connected bool       `json:"connected"`
		Member    plain.Text `json:"member,omitzero"`
		Role      string     `json:"role,omitempty"`
		Address   plain.Text `json:"address,omitzero"`
		Pending   int        `json:"pending"`
		Refused   int        `json:"refused"`
		Altered   int        `json:"altered"`
		Received  int        `json:"received"`
		Problem   string     `json:"problem,omitempty"`
		// Custody are custody logs that are not what they were.
		Custody []changedLog `json:"custody,omitempty"`
	}{a.Joined, a.Connected, plain.From(a.Member), a.Role, plain.From(a.Address), a.Pending, a.Refused, a.Altered, a.Received, a.Problem, logs}
}

// lines are an answer as a person reads it.
func (a deskAnswer) lines(do deskDoing) []string {
	name := plain.From(a.Member).Folded().String()
	switch do {
	case deskJoin:
		lines := []string{i18n.F("You have joined the desk as %s.", name)}
		if !a.Kept {
			lines = append(lines, i18n.F("The password is not saved: set %s for each run.", session.DeskPasswordVariable))
			if (deskJob{Address: a.Address}).storesFiles() {
				lines = append(lines, i18n.F("Nor is the key of the store of files: set %s for each run.", session.DeskFilesVariable))
			}
		}
		return lines
	case deskLeave:
		return []string{i18n.T("You have left the desk. Your cases are on this computer alone from now on.")}
	case deskMembers:
		if a.Revoked {
			return []string{i18n.F("%s: no longer a member", name)}
		}
		return []string{name + ": " + a.Role}
	}
	if !a.Joined {
		return []string{i18n.T("This computer has not joined a desk.")}
	}
	lines := []string{i18n.F("Desk: %s", plain.From(postgres.PartsOf(a.Address).Server)), i18n.F("You: %s, %s", name, a.Role)}
	if a.Problem != "" {
		lines = append(lines, a.Problem)
	}
	if a.Pending > 0 {
		lines = append(lines, i18n.N(a.Pending, "%s entry is not shared yet.", "%s entries are not shared yet."))
	}
	if a.Refused > 0 {
		lines = append(lines, i18n.N(a.Refused, "The desk did not accept %s entry. It stays on this computer.", "The desk did not accept %s entries. They stay on this computer."))
	}
	if a.Altered > 0 {
		lines = append(lines, i18n.N(a.Altered, "%s entry at the desk is not what its author wrote. Assay does not use it.", "%s entries at the desk are not what their authors wrote. Assay does not use them."))
	}
	for _, l := range a.Logs {
		lines = append(lines, l.String())
	}
	if a.Problem == "" && a.Pending+a.Refused == 0 {
		lines = append(lines, i18n.T("All is shared."))
	}
	return lines
}

// sharing says what of a case would be shared.
func (a deskAnswer) sharing() []string {
	title := plain.From(a.Title).Folded().String()
	lines := []string{i18n.N(a.Sharing.Shared+a.Sharing.Later, "Of “%[2]s”, %[1]s result is shared, with the case's title, tags and notes.",
		"Of “%[2]s”, %[1]s results are shared, with the case's title, tags and notes.", title)}
	switch place := plain.From(a.Place); a.Files {
	case desk.KeepEncrypted:
		lines = append(lines, i18n.F("Their heatmaps and small pictures are kept in %s, encrypted.", place))
	case desk.KeepPlain:
		lines = append(lines, i18n.F("Their heatmaps and small pictures are kept in %s. Whoever can open that folder sees them.", place))
	case desk.KeepNone:
	}
	if a.Sharing.Asks > 0 {
		lines = append(lines, i18n.N(a.Sharing.Asks, "%s result stays here until you share it: Assay asks before its file is sent.",
			"%s results stay here until you share them one by one: Assay asks before their files are sent."))
	}
	if a.Sharing.Never > 0 {
		lines = append(lines, i18n.N(a.Sharing.Never, "%s result never leaves this computer. Nobody is told of it.", "%s results never leave this computer. Nobody is told of them."))
	}
	return lines
}
