package store

import (
	"context"
	"errors"
	"slices"

	"github.com/google/uuid"

	"assay/client/desk"
)

// SignOff signs off a judgement as Judgements returned it, for the person of this computer. One that they have signed off already stays as it is. The error is
// ErrNoDesk without a membership, ErrNoCase or ErrNoJudgement where there is none, ErrOwnJudgement for their own, ErrNoReviewer where their role
// at the desk or in the case doesn't let them, and ErrNotAsSeen where the judgement's answer is another one by now.
func (s *Store) SignOff(ctx context.Context, caseID string, judgement Judgement) error {
	return s.changeJudgements(ctx, "sign off", caseID, func(ctx context.Context, t *transaction, of int64, m Membership, all []Judgement) error {
		i := slices.IndexFunc(all, func(j Judgement) bool { return j.ID == judgement.ID })
		switch {
		case i < 0:
			return ErrNoJudgement
		case all[i].Own:
			return ErrOwnJudgement
		case !slices.Equal(all[i].seen, judgement.seen):
			return ErrNotAsSeen
		}
		if reviews, err := t.reviews(ctx, m, caseID); err != nil || !reviews {
			return errors.Join(err, missing(reviews, ErrNoReviewer))
		}
		if !all[i].May { // they have already
			return nil
		}
		now := t.store.options.Now()
		e := eventOf{id: uuid.New(), kind: desk.SignOff, about: uuid.MustParse(judgement.ID), body: desk.Body{At: now.UTC(), Seen: all[i].seen}}
		if err := t.emit(ctx, of, e); err != nil {
			return err
		}
		return t.recordOwn(ctx, of, m, CaseEvent{ID: e.id.String(), Kind: CaseSignedOff, Text: all[i].By, About: all[i].Item, Label: all[i].Label, At: now})
	})
}

// WithdrawJudgement takes this person's own judgement in a shared case back, and with it every sign-off of it. What the service was told stays there.
func (s *Store) WithdrawJudgement(ctx context.Context, caseID, id string) error {
	return s.changeJudgements(ctx, "withdraw the judgement", caseID, func(ctx context.Context, t *transaction, of int64, m Membership, all []Judgement) error {
		i := slices.IndexFunc(all, func(j Judgement) bool { return j.ID == id && j.Own })
		if i < 0 {
			return ErrNoJudgement
		}
		return t.withdraw(ctx, of, m, id, CaseEvent{Kind: CaseJudgementWithdrawn, About: all[i].Item, Label: all[i].Label})
	})
}

// WithdrawSignOff takes this person's own sign-offs of a judgement back.
func (s *Store) WithdrawSignOff(ctx context.Context, caseID, id string) error {
	return s.changeJudgements(ctx, "withdraw the sign-off", caseID, func(ctx context.Context, t *transaction, of int64, m Membership, all []Judgement) error {
		i := slices.IndexFunc(all, func(j Judgement) bool { return j.ID == id })
		if i < 0 {
			return ErrNoJudgement
		}
		for _, s := range all[i].SignOffs {
			if !s.Own {
				continue
			}
			if err := t.withdraw(ctx, of, m, s.ID, CaseEvent{Kind: CaseSignOffWithdrawn, Text: all[i].By, About: all[i].Item, Label: all[i].Label}); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *Store) changeJudgements(ctx context.Context, op, caseID string, do func(context.Context, *transaction, int64, Membership, []Judgement) error) error {
	return s.write(ctx, op, func(ctx context.Context, t *transaction) error {
		m, joined, err := t.membership(ctx)
		if err == nil && !joined {
			err = ErrNoDesk
		}
		if err != nil {
			return err
		}
		of, err := t.changeCase(ctx, caseID)
		if err != nil {
			return err
		}
		all, err := t.judgements(ctx, caseID)
		if err != nil {
			return err
		}
		return do(ctx, t, of, m, all)
	})
}

func (t *transaction) withdraw(ctx context.Context, of int64, m Membership, about string, record CaseEvent) error {
	record.ID, record.At = uuid.NewString(), t.store.options.Now()
	e := eventOf{id: uuid.MustParse(record.ID), kind: desk.Withdraw, about: uuid.MustParse(about), body: desk.Body{At: record.At.UTC()}}
	if err := t.emit(ctx, of, e); err != nil {
		return err
	}
	return t.recordOwn(ctx, of, m, record)
}

// recordOwn keeps what the member has done in a shared case, under the name by which colleagues know them.
func (t *transaction) recordOwn(ctx context.Context, of int64, m Membership, record CaseEvent) (err error) {
	if record.By, err = t.displayOf(ctx, m.Member); err == nil {
		_, err = t.insertRecord(ctx, of, record)
	}
	return err
}

// allow refuses what a case does not allow to be done in it.
func (t *transaction) allow(ctx context.Context, of int64, kind CaseEventKind) error {
	var id, there, level string
	var required bool
	switch kind {
	case CaseSignOffRequired, CaseSignOffNotRequired, CaseRetention, CaseClosed:
		if _, err := t.one(ctx, []any{&id, &there, &required, &level}, "SELECT id, desk_case, sign_off, level FROM cases WHERE key = ?", of); err != nil {
			return err
		}
	default:
		return nil
	}
	switch {
	case kind == CaseRetention && there != "" && level != "" && level != levelOwner: // who has only just shared it owns it
		return ErrNotOwner
	case kind != CaseClosed:
		return missing(there != "", ErrNotShared)
	}
	if !required {
		return nil
	}
	all, err := t.judgements(ctx, id)
	if slices.ContainsFunc(all, func(j Judgement) bool { return !j.SignedOff() }) {
		return ErrNotSignedOff
	}
	return err
}
