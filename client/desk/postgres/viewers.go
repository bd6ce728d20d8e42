package postgres

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// LookAt tells the desk that a case is open on a desktop of the member's, for less than a minute, or that none is: uuid.Nil. It returns which others have it
// open, by their names.
func (c *Connection) LookAt(ctx context.Context, device, caseID uuid.UUID) ([]string, error) {
	ctx, end := context.WithTimeout(ctx, patience)
	defer end()
	opened := &caseID
	if caseID == uuid.Nil {
		opened = nil
	}
	rows, err := c.conn.Query(ctx, "SELECT desk.look_at($1, $2)", device, opened)
	if err != nil {
		return nil, problemOf(err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowTo[string])
	return all, problemOf(err)
}

// ListenViewers has the desk tell of who opens or leaves a case, or no longer.
func (c *Connection) ListenViewers(ctx context.Context, on bool) error {
	if !on {
		return c.listen(ctx, "UNLISTEN "+string(NewViewers))
	}
	return c.listen(ctx, "LISTEN "+string(NewViewers))
}
