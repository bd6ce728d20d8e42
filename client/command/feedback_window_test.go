package command_test

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"assay/client/command"
	"assay/client/events"
	"assay/client/session"
)

func TestFeedbackThroughTheWindow(t *testing.T) {
	t.Setenv("ASSAY_SERVER", "")
	home := t.TempDir()
	ctx, closeWindow := context.WithCancel(t.Context())
	opened, ended := make(chan *session.Session, 1), make(chan int, 1)
	window := func(ctx context.Context, h *session.Host, _ []string) error {
		opened <- h.Session()
		<-ctx.Done()
		return nil
	}
	go func() {
		var out, errs bytes.Buffer
		ended <- command.Run(ctx, []string{"--sandbox", "--home", home}, &out, &errs, window)
	}()
	open := <-opened
	call := func(args ...string) (code int, stdout, stderr string) {
		var out, errs bytes.Buffer
		code = command.Run(t.Context(), append(args, "--sandbox", "--home", home), &out, &errs, nil)
		return code, out.String(), errs.String()
	}
	_, stdout, _ := call("scan", "--json", picture("generated.png"))
	var line struct{ RequestID string }
	if err := json.Unmarshal([]byte(stdout), &line); err != nil {
		t.Fatal(err, stdout)
	}
	changed := open.Events.Subscribe(events.Feedback)
	code, stdout, stderr := call("feedback", line.RequestID, "--label", "synthetic", "--category", "confirmation")
	if code != 0 || !strings.HasPrefix(stdout, "sent: synthetic, confirmation ") {
		t.Errorf("exit %d, %q, %q", code, stdout, stderr)
	}
	if given, err := open.Feedback.Of(t.Context(), line.RequestID); err != nil || len(given) != 1 || given[0].State != "sent" {
		t.Errorf("%v %+v", err, given)
	}
	if got := changed.Take().IDs(events.Feedback); !slices.Equal(got, []string{line.RequestID}) {
		t.Errorf("the window is told of feedback on %q", got)
	}
	closeWindow()
	if code := <-ended; code != 0 {
		t.Error(code)
	}
}
