package session

import (
	"context"
	"os"

	"assay/client/events"
	"assay/client/ipc"
)

// FrontJob is the desktop's leave for a program that the person has just started: on Wayland no window comes to the front without it.
type FrontJob struct {
	Token string `json:"token"`
}

// frontVariable is where desktops leave that token for the programs that they start.
const frontVariable = "XDG_ACTIVATION_TOKEN"

// TakeFrontToken takes the token out of the environment, so that no program which this one starts uses it too; "" where there is none.
func TakeFrontToken() string {
	token := os.Getenv(frontVariable)
	_ = os.Unsetenv(frontVariable) // it can't fail
	return token
}

// front answers OpFront.
func front(come func(token string)) ipc.Handle {
	return OpFront.Handle(func(_ context.Context, job FrontJob, _ func(struct{}) error) error {
		come(job.Token)
		return nil
	})
}

// handFront hands the desktop's leave to come to the front to the window that is open. That window may be of an earlier version, which knows of none.
func handFront(ctx context.Context, dir string) {
	if token := TakeFrontToken(); token != "" {
		_ = OpFront.Call(ctx, dir, FrontJob{Token: token}, func(struct{}) error { return nil }) // what was handed over is accepted all the same
	}
}

// front tells the window that it may come to the front.
func (h *Host) front(token string) { h.Events.Publish(events.Event{Topic: events.Front, ID: token}) }
