package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// Checkpoint is what a desktop's custody log was at a time: a signed note, see custody.OpenCheckpoint, and by the server's clock when it came.
type Checkpoint struct {
	Device uuid.UUID
	Note   string
	At     time.Time
}

// checkpoints has the last ones of each desktop, and its largest, so that however many there are, those of one desktop never hide another's.
const checkpoints = `SELECT device, note, c.at FROM desk.devices d CROSS JOIN LATERAL (
		(SELECT * FROM desk.checkpoints WHERE device = d.id ORDER BY at DESC LIMIT 10)
		UNION (SELECT * FROM desk.checkpoints WHERE device = d.id ORDER BY size DESC LIMIT 10)
	) c ORDER BY c.at`

// Checkpoints are what the desk knows of the desktops' custody logs: the last ones of each desktop and its largest, in the order in which they came.
func (c *Connection) Checkpoints(ctx context.Context) ([]Checkpoint, error) {
	ctx, end := context.WithTimeout(ctx, patience)
	defer end()
	rows, err := c.conn.Query(ctx, checkpoints)
	if err != nil {
		return nil, problemOf(err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Checkpoint])
	return all, problemOf(err)
}

// AddCheckpoint tells the desk what a desktop's custody log is now.
func (c *Connection) AddCheckpoint(ctx context.Context, device uuid.UUID, size int64, root, note []byte) error {
	return c.write(ctx, "INSERT INTO desk.checkpoints (device, size, root, note) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING", device, size, root, string(note))
}
