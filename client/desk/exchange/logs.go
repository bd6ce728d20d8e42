package exchange

import (
	"context"
	"slices"
	"strings"
	"time"

	"assay/client/custody"
	"assay/client/store"
)

// logsEvery is how often the desk is told what this computer's custody log is, and looked at for what the others' are.
const logsEvery = time.Hour

// logs compares the custody logs with what the desk knows of them, and tells it what this computer's is, each from time to time. What the desk does not
// take holds up nothing else: it is told the next time.
func (x *exchange) logs(ctx context.Context) error {
	if time.Since(x.logsAt) < logsEvery {
		return nil
	}
	there, err := x.lookAtLogs(ctx)
	if err != nil {
		return err
	}
	x.logsAt = time.Now()
	now, ok, err := x.Store.CustodyNow(ctx)
	if err != nil || !ok || !x.sends {
		return err
	}
	device := DeviceOf(x.conn.Me().Name, x.key)
	for _, last := range slices.Backward(there) {
		if last.Device != device || last.Origin != now.Origin {
			continue
		}
		if last.Root == now.Root || time.Since(last.Received) < logsEvery {
			return nil
		}
		break
	}
	note, err := now.Sign(x.key)
	if err != nil { // the log lost its name: assay verify --log says so
		x.Log.Warn("the desk is not told what the custody log is", "error", err)
		return nil
	}
	if err := x.conn.AddCheckpoint(ctx, device, now.Size, now.Root[:], note); err != nil {
		if !refused(err) {
			return err
		}
		x.Log.Warn("the desk does not take a checkpoint of the custody log", "error", err)
	}
	return nil
}

// lookAtLogs compares the custody logs with what the desk knows of them, as far as their computers have signed that. It returns what that is, in the order in
// which it came there.
func (x *exchange) lookAtLogs(ctx context.Context) (all []store.DeskLog, err error) {
	there, err := x.conn.Checkpoints(ctx)
	if err != nil {
		return nil, err
	}
	for _, one := range there {
		origin, _, _ := strings.Cut(one.Note, "\n")
		c, err := custody.OpenCheckpoint([]byte(one.Note), origin, x.devices[one.Device].Key)
		if err != nil {
			x.Log.Warn("a custody log's checkpoint at the desk is not what its computer signed", "device", one.Device)
			continue
		}
		all = append(all, store.DeskLog{Device: one.Device, Checkpoint: c, Received: one.At})
	}
	return all, x.Store.SetDeskLogs(ctx, all)
}
