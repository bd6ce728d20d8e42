package command

import (
	"cmp"
	"context"
	"errors"
	"io/fs"

	"assay/client/desk"
	"assay/client/desk/exchange"
	"assay/client/desk/postgres"
	"assay/client/i18n"
	"assay/client/ipc"
	"assay/client/plain"
	"assay/client/session"
	"assay/client/store"
)

// shareOriginal shares the file itself of a result in a shared case, or says what would go.
func (j deskJob) shareOriginal(ctx context.Context, s *session.Service, records *store.Store, m store.Membership, c store.Case, answer func(deskAnswer) error) error {
	at, err := postgres.ParseAddress(m.Address)
	if err != nil || at.Files() == "" {
		return errors.Join(err, errNoPlace)
	}
	ids, err := submissionsOf(ctx, records, []string{j.Original})
	if err != nil {
		return err
	}
	going, err := exchange.OriginalToShare(ctx, records, c.ID, ids[0])
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &ipc.Refusal{Sentence: i18n.T("The file is not on this computer.")}
	case errors.Is(err, store.ErrNoOriginal):
		return cmp.Or(records.MayShareOriginal(ctx, c.ID, ids[0]), err)
	case err != nil:
		return err
	}
	a := deskAnswer{Joined: true, Title: c.Title, Place: at.Files(), Files: going.Keep, Size: going.Size}
	if j.Do == deskPlan {
		return answer(a)
	}
	if err := records.ShareOriginal(ctx, c.ID, ids[0]); err != nil {
		return err
	}
	if problem := j.exchange(ctx, s, records, exchange.Once); problem != nil {
		a.Problem = i18n.Sentence(problem)
	}
	return answer(a)
}

// going says what of a file itself would be shared, and with whom.
func (a deskAnswer) going() []string {
	title, place := plain.From(a.Title).Folded().String(), plain.From(a.Place)
	lines := []string{
		i18n.F("The file itself is shared (%s), with all that it says of itself, such as where and when it was taken. Its name is not.", i18n.Size(a.Size)),
		i18n.F("Everybody in “%s” can get it.", title),
	}
	if a.Files == desk.KeepPlain {
		return append(lines, i18n.F("It is kept in %s. Whoever can open that place can open the file.", place))
	}
	return append(lines, i18n.F("It is kept in %s, encrypted.", place))
}
