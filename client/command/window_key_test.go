package command

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/client/assert"
	"assay/client/intake"
	"assay/client/ipc"
	"assay/client/session"
)

func TestTheWindowDoesNotWaitForTheKeychain(t *testing.T) {
	t.Run("it opens at once while the keychain is locked, sends nothing without a key, and goes on once it is open", func(t *testing.T) {
		d, service := setup(t), newHostService(t)
		d.kept[service.url] = someKey
		unlocked := make(chan struct{})
		d.hold = unlocked
		w := d.openHost("--server", service.url)
		s := w.host.Session()
		submit(t, s, note(t, "patient"))
		until(t, s.Queue, "that the key is missing", func() bool { return s.Queue.QueueStatus().Cause == intake.NoKey })
		if status := w.host.Keys.Status(s.Address); !status.Waiting {
			t.Errorf("the key's status is %+v", status)
		}
		assert.Equal(t, 0, service.calls.Load())
		close(unlocked)
		allDone(t, s)
		w.close()
		assert.Equal(t, 0, service.keyless.Load())
	})
	t.Run("assay key set reaches a window that is open", func(t *testing.T) {
		d, service := setup(t), newHostService(t)
		w := d.openHost("--server", service.url)
		s := w.host.Session()
		submit(t, s, note(t, "waits"))
		until(t, s.Queue, "that the key is missing", func() bool { return s.Queue.QueueStatus().Cause == intake.NoKey })
		code, stdout, stderr := d.call(someKey, "key", "set", "--server", service.url)
		if code != ExitAnswered || !strings.Contains(stdout, "The open window uses it from now on.") {
			t.Errorf("exit %d: %s%s", code, stdout, stderr)
		}
		allDone(t, s)
		t.Run("and so does assay key clear", func(t *testing.T) {
			if code, _, stderr := d.call("", "key", "clear", "--server", service.url); code != ExitAnswered {
				t.Errorf("exit %d: %s", code, stderr)
			}
			if w.host.Keys.Key(s.Address) != "" {
				t.Error("the window still has it")
			}
		})
		w.close()
	})
	t.Run("a refused key is asked for once, and its successor is used at once", func(t *testing.T) {
		d, service := setup(t), newHostService(t)
		d.kept[service.url] = "sk-revoked-0123456789"
		w := d.openHost("--server", service.url)
		s := w.host.Session()
		submit(t, s, note(t, "refused"))
		until(t, s.Queue, "that the key is refused", func() bool { return s.Queue.QueueStatus().Cause == intake.NoKey })
		assert.Equal(t, 1, service.calls.Load())
		assert.NoError(t, w.host.Keys.Set(t.Context(), s.Address, someKey))
		allDone(t, s)
		w.close()
	})
	t.Run("the environment's key is for the service that the start named, and no other", func(t *testing.T) {
		d, one, two := setup(t), newHostService(t), newHostService(t)
		assert.NoError(t, os.WriteFile(filepath.Join(d.home, "settings.json"), fmt.Appendf(nil, `{"version":1,"service":{"use":"service","address":%q}}`, one.url), 0o600))
		t.Setenv("ASSAY_API_KEY", someKey)
		w := d.openHost()
		submit(t, w.host.Session(), note(t, "here"))
		allDone(t, w.host.Session())
		s := w.must(two.url)
		submit(t, s, note(t, "elsewhere"))
		until(t, s.Queue, "that the key is missing", func() bool { return s.Queue.QueueStatus().Cause == intake.NoKey })
		w.close()
		assert.Equal(t, 0, two.calls.Load())
	})
	t.Run("the socket never tells a service's key", func(t *testing.T) {
		d, service := setup(t), newHostService(t)
		d.kept[service.url] = someKey
		w := d.openHost("--server", service.url)
		folder := session.DataFolder(d.home, service.url, false)
		for _, op := range []string{string(session.OpService), string(session.OpOpen), string(session.OpKey), string(opScan), string(opWatch), string(opFeedback)} {
			for _, job := range []string{"", "null", "{}", fmt.Sprintf(`{"address":%q}`, service.url)} {
				ctx, stop := context.WithTimeout(t.Context(), 200*time.Millisecond)
				var said strings.Builder
				err := ipc.Call(ctx, folder, ipc.Request{Op: op, Job: []byte(job)}, func(data json.RawMessage) error {
					said.Write(data)
					return nil
				})
				stop()
				if text := said.String() + fmt.Sprint(err); strings.Contains(text, someKey[:8]) {
					t.Errorf("%s %s: %s", op, job, text)
				}
			}
		}
		w.close()
	})
}

func TestOnlyAWindowReadsAKeyAnew(t *testing.T) {
	e := session.NewEndpoint() // of a subcommand that holds the folder, and is not open yet
	for _, c := range []struct {
		job     string
		refused bool
	}{{`{"address":"https://service.example"}`, false}, {`{}`, true}, {`"key"`, true}, {``, true}} {
		var said session.KeyAnswer
		err := e.Handle(t.Context(), ipc.Request{Op: string(session.OpKey), Job: json.RawMessage(c.job)}, func(a any) error {
			said = a.(session.KeyAnswer)
			return nil
		})
		if (err != nil) != c.refused || said.Read {
			t.Errorf("%s: %+v, %v", c.job, said, err)
		}
	}
}
