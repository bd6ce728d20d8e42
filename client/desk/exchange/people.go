package exchange

import (
	"context"

	"github.com/google/uuid"

	"assay/client/desk/postgres"
)

// People returns who is in a shared case, as the desk has it now: nobody, where this computer's member is not in it.
func People(ctx context.Context, p Params, caseID uuid.UUID) ([]postgres.InCase, error) {
	x, err := connect(ctx, p)
	if err != nil {
		return nil, err
	}
	defer x.conn.Close()
	return x.conn.People(ctx, caseID)
}

// LetIn lets members into a shared case, or changes what they may do there. All of them, or those up to the first with whom it fails.
func LetIn(ctx context.Context, p Params, caseID uuid.UUID, members ...postgres.InCase) error {
	x, err := connect(ctx, p)
	if err != nil {
		return err
	}
	defer x.conn.Close()
	if err := x.push(ctx); err != nil { // the desk must know of the case
		return err
	}
	for _, one := range members {
		if err := x.conn.SetLevel(ctx, caseID, one.Member, one.Level); err != nil {
			return err
		}
	}
	return nil
}

// Leave takes this computer's member out of a shared case.
func Leave(ctx context.Context, p Params, caseID uuid.UUID) error {
	x, err := connect(ctx, p)
	if err != nil {
		return err
	}
	defer x.conn.Close()
	return x.conn.SetLevel(ctx, caseID, x.conn.Me().Name, postgres.LevelNone)
}
