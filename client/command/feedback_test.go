package command

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/client"
	"assay/client/assert"
	"assay/client/custody"
	"assay/client/ipc"
	"assay/client/plain"
	"assay/client/sandbox"
	"assay/client/session"
	"assay/client/store"
	"assay/client/wait"
)

// feedbackFixture is a sandbox that can be taken off the network and put back at its address.
type feedbackFixture struct {
	*sandbox.Sandbox
	t       *testing.T
	address string
	server  *sandbox.Server
	home    string
}

func setupFeedback(t *testing.T) *feedbackFixture {
	t.Helper()
	box, err := sandbox.New(sandbox.Options{Dir: t.TempDir()})
	assert.NoError(t, err)
	b := &feedbackFixture{Sandbox: box, t: t, address: "127.0.0.1:0", home: t.TempDir()}
	b.online()
	b.address = strings.TrimPrefix(b.server.URL(), "http://")
	t.Cleanup(func() { _, _ = b.server.Close(), box.Close() })
	t.Setenv("ASSAY_SERVER", b.server.URL())
	t.Setenv("ASSAY_API_KEY", box.Key())
	return b
}

func (b *feedbackFixture) online() {
	b.t.Helper()
	var err error
	if b.server, err = sandbox.Listen(b.t.Context(), b.address, b.Sandbox); err != nil {
		b.t.Fatal(err)
	}
}

func (b *feedbackFixture) call(args ...string) (code int, stdout, stderr string) {
	b.t.Helper()
	var out, errs bytes.Buffer
	code = Main(b.t.Context(), session.Options{}, append(args, "--home", b.home), nil, &out, &errs, nil)
	return code, out.String(), errs.String()
}

// result submits something, and returns its requestId.
func (b *feedbackFixture) result() string {
	b.t.Helper()
	code, stdout, stderr := b.call("scan", "--json", "../../testdata/pictures/generated.png")
	var line answer
	if err := json.Unmarshal([]byte(stdout), &line); err != nil || code != ExitAnswered {
		b.t.Fatalf("exit %d: %s", code, stderr)
	}
	return line.RequestID
}

// comments are what the service keeps, and how often.
func (b *feedbackFixture) comments() map[string]int {
	b.t.Helper()
	all, err := b.Feedback()
	assert.NoError(b.t, err)
	counts := map[string]int{}
	for _, f := range all {
		counts[f.Text]++
	}
	return counts
}

func (b *feedbackFixture) start(requestID, comment string) *feedbackStart {
	b.t.Helper()
	var said bytes.Buffer
	s, err := (&session.Options{Home: b.home, Server: b.server.URL(), LogLevel: "error", Stderr: &said, Say: func(sentence string) { say(&said, sentence) }}).Service()
	assert.NoError(b.t, err)
	return &feedbackStart{Service: s, wait: wait.For, said: &said, job: feedbackJob{ID: "judged-" + comment,
		Feedback: client.Feedback{RequestID: requestID, Label: client.LabelReal, Category: client.OtherFeedback, Comment: comment}}}
}

func TestFeedbackIsDurable(t *testing.T) {
	t.Run("F5 without a network it is kept, and sent by the next start, once", func(t *testing.T) {
		b := setupFeedback(t)
		id := b.result()
		assert.NoError(t, b.server.Close())
		code, stdout, stderr := b.call("feedback", id, "--label", "real", "--category", "false-positive", "--comment", "first")
		if code != ExitFailed || stdout != "" || !strings.Contains(stderr, "keeps the feedback") || !strings.Contains(stderr, "could not be reached") {
			t.Errorf("exit %d: %q, %q", code, stdout, stderr)
		}
		b.online()
		if code, stdout, stderr = b.call("feedback", id, "--label", "real", "--category", "false-positive", "--comment", "second"); code != ExitAnswered ||
			!strings.HasPrefix(stdout, "sent: real, false-positive ") {
			t.Errorf("exit %d: %q, %q", code, stdout, stderr)
		}
		assert.Equal(t, map[string]int{"first": 1, "second": 1}, b.comments())
	})
	t.Run("F3 the record is kept with the result, and the custody log says so", func(t *testing.T) {
		b := setupFeedback(t)
		id := b.result()
		if code, _, stderr := b.call("feedback", id, "--label", "real", "--category", "other"); code != ExitAnswered {
			t.Fatalf("exit %d: %s", code, stderr)
		}
		records, err := store.Open(t.Context(), b.start(id, "").Folder, store.Options{})
		assert.NoError(t, err)
		defer records.Close() //nolint:errcheck // only read from
		given, err := records.FeedbackOf(t.Context(), id)
		if err != nil || len(given) != 1 || given[0].State != store.FeedbackSent || !strings.Contains(string(given[0].Record), "userEmail") {
			t.Errorf("%v: %+v", err, given)
		}
		known, err := records.ByRequest(t.Context(), []string{id})
		assert.NoError(t, err)
		log, err := records.Custody(t.Context(), known[id])
		if err != nil || len(log) == 0 || log[len(log)-1].Event != custody.FeedbackSent {
			t.Errorf("%v: %+v", err, log)
		}
	})
}

func TestFeedbackOutOfTime(t *testing.T) {
	for name, c := range map[string]struct {
		answer http.HandlerFunc // to what was under way when the time was over
		want   store.FeedbackState
	}{
		"what is answered after all was sent": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusCreated)
			_, _ = w.Write([]byte(`{"id": "7"}`))
		}, store.FeedbackSent},
		"of what is not, it is not known": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, store.FeedbackUnknown},
	} {
		t.Run(name, func(t *testing.T) {
			b := setupFeedback(t)
			assert.NoError(t, b.server.Close())
			ctx, end := context.WithCancelCause(t.Context())
			service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				end(errOutOfTime)
				c.answer(w, r)
			}))
			defer service.Close()
			start := b.start("id", "late")
			s, err := (&session.Options{Home: b.home, Server: service.URL, LogLevel: "error", Stderr: io.Discard, Say: func(string) {}}).Service()
			assert.NoError(t, err)
			start.Service = s
			a, _ := start.run(ctx)
			assert.Equal(t, c.want, a.State)
		})
	}
	t.Run("the other process is not waited for, and may have it", func(t *testing.T) {
		b := setupFeedback(t)
		h, err := ipc.Take(t.Context(), b.start("", "").Folder)
		assert.NoError(t, err)
		defer h.Close() //nolint:errcheck // the test ends
		assert.NoError(t, h.Serve(t.Context(), opFeedback.Handle(newOperations(fakeSender{send: func(ctx context.Context, _ string, _ client.Feedback) (store.Feedback, error) {
			<-ctx.Done()
			return store.Feedback{}, ctx.Err()
		}}, true).feedback)))
		code, stdout, stderr := b.call("feedback", "id", "--label", "real", "--category", "other", "--timeout", "300ms")
		if code != ExitFailed || stdout != "" || !strings.Contains(stderr, "Assay does not know whether the service has this feedback. There was no answer within 300 ms.") {
			t.Errorf("exit %d: %q, %q", code, stdout, stderr)
		}
	})
	t.Run("--timeout below 0 is misuse", func(t *testing.T) {
		b := setupFeedback(t)
		if code, _, stderr := b.call("feedback", "id", "--label", "real", "--category", "other", "--timeout", "-1s"); code != ExitMisuse || !strings.Contains(stderr, "--timeout") {
			t.Errorf("exit %d: %q", code, stderr)
		}
	})
}

// fakeSender is a session that sends feedback.
type fakeSender struct {
	queue
	send func(ctx context.Context, id string, f client.Feedback) (store.Feedback, error)
}

func (s fakeSender) SendFeedback(ctx context.Context, id string, f client.Feedback) (store.Feedback, error) {
	return s.send(ctx, id, f)
}

func TestFeedbackThroughTheHolder(t *testing.T) {
	hold := func(t *testing.T, b *feedbackFixture, q queue) *ipc.Holder {
		t.Helper()
		h, err := ipc.Take(t.Context(), b.start("", "").Folder)
		assert.NoError(t, err)
		assert.NoError(t, h.Serve(t.Context(), opFeedback.Handle(newOperations(q, true).feedback)))
		t.Cleanup(func() { _ = h.Close() })
		return h
	}
	t.Run("whoever holds the folder sends it, and this process does not", func(t *testing.T) {
		b := setupFeedback(t)
		var got []client.Feedback
		hold(t, b, fakeSender{send: func(_ context.Context, id string, f client.Feedback) (store.Feedback, error) {
			got = append(got, f)
			return store.Feedback{ID: id, Feedback: f, State: store.FeedbackSent, Record: []byte(`{"id":"7"}`)}, nil
		}})
		s := b.start("r1", "ours")
		a, err := s.run(t.Context())
		if diff := cmp.Diff(feedbackAnswer{State: store.FeedbackSent, RecordID: plain.From("7")}, a); err != nil || diff != "" {
			t.Error(err, diff)
		}
		if diff := cmp.Diff([]client.Feedback{s.job.Feedback}, got); diff != "" || len(b.comments()) != 0 {
			t.Error(diff)
		}
	})
	t.Run("where the holder ends over it, it is not kept or sent a second time", func(t *testing.T) {
		b := setupFeedback(t)
		id := b.result()
		s := b.start(id, "once")
		var h *ipc.Holder
		kept := make(chan struct{})
		h = hold(t, b, fakeSender{send: func(ctx context.Context, id string, f client.Feedback) (store.Feedback, error) {
			records, err := store.Open(ctx, s.Folder, store.Options{})
			if err != nil {
				return store.Feedback{}, err
			}
			defer records.Close() //nolint:errcheck // what was added is there
			given, err := records.AddFeedback(ctx, store.Feedback{ID: id, Feedback: f})
			if err != nil {
				return given, err
			}
			given.State, given.Sent = store.FeedbackSent, time.Now()
			err = records.SaveFeedback(ctx, given)
			close(kept)
			<-ctx.Done() // and no answer
			return given, err
		}})
		go func() {
			<-kept
			_ = h.Close()
		}()
		a, err := s.run(t.Context())
		if err != nil || a.State != store.FeedbackSent || len(b.comments()) != 0 {
			t.Errorf("%v: %+v, the service has %v", err, a, b.comments())
		}
	})
	t.Run("one that knows no feedback refuses it in a sentence", func(t *testing.T) {
		b := setupFeedback(t)
		hold(t, b, nil)
		if _, err := b.start("r1", "").run(t.Context()); err == nil || !strings.Contains(err.Error(), "different version") {
			t.Error(err)
		}
	})
}
