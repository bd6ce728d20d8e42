package command_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"assay/client/assert"
	"assay/client/command"
	"assay/client/session"
)

// serveWith runs `assay sandbox` with these flags and returns what it printed, by the word before the colon.
func serveWith(t *testing.T, flags ...string) map[string]string {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	reader, writer := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		var errs bytes.Buffer
		ended <- command.Main(ctx, session.Options{}, append([]string{"sandbox", "--dir", t.TempDir()}, flags...), nil, writer, &errs, nil)
	}()
	t.Cleanup(func() {
		stop()
		assert.Equal(t, command.ExitAnswered, <-ended)
	})
	said := make([]byte, 1024)
	n, err := reader.Read(said)
	assert.NoError(t, err)
	values := map[string]string{}
	for line := range strings.Lines(string(said[:n])) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		values[name] = value
	}
	return values
}

// ask calls a served sandbox and returns its answer.
func ask(t *testing.T, method, url, key, body string) (status int, header http.Header, answer []byte) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	assert.NoError(t, err)
	r.Header.Set("X-Api-Key", key)
	resp, err := http.DefaultClient.Do(r)
	assert.NoError(t, err)
	defer resp.Body.Close() //nolint:errcheck // read to its end
	answer, err = io.ReadAll(resp.Body)
	assert.NoError(t, err)
	return resp.StatusCode, resp.Header, answer
}

func TestFlagsOfTheSandbox(t *testing.T) {
	const list = "/api/v2/media/users"
	t.Run("--fault makes the calls go wrong that it names, and only those", func(t *testing.T) {
		said := serveWith(t, "--fault", "list:503@2,retry-after=1", "--fault", "list:null-summary@3")
		for i, want := range []int{http.StatusOK, http.StatusServiceUnavailable, http.StatusOK} {
			status, header, _ := ask(t, http.MethodGet, said["url"]+list, said["key"], "")
			if status != want || (want != http.StatusOK) != (header.Get("Retry-After") == "1") {
				t.Errorf("call %d: %d, %v", i+1, status, header)
			}
		}
	})
	t.Run("--second-user prints a second key, which is accepted", func(t *testing.T) {
		said := serveWith(t, "--second-user")
		if status, _, _ := ask(t, http.MethodGet, said["url"]+list, said["second key"], ""); status != http.StatusOK || said["second key"] == said["key"] {
			t.Errorf("%d with %v", status, said)
		}
	})
	t.Run("--clock-offset moves its dates", func(t *testing.T) {
		said := serveWith(t, "--clock-offset", "-48h")
		_, _, answer := ask(t, http.MethodPost, said["url"]+"/api/files/cloud-presigned", said["key"], `{"fileName":"a.jpg"}`)
		var asked struct{ RequestID string }
		assert.NoError(t, json.Unmarshal(answer, &asked))
		_, _, answer = ask(t, http.MethodGet, said["url"]+"/api/media/users/"+asked.RequestID, said["key"], "")
		var got struct{ UploadedDate time.Time }
		assert.NoError(t, json.Unmarshal(answer, &got))
		if behind := time.Since(got.UploadedDate); behind < 47*time.Hour || behind > 49*time.Hour {
			t.Errorf("%v behind", behind)
		}
	})
	for _, c := range []struct {
		name string
		args []string
		says string
	}{
		{"a fault that can't be read", []string{"--fault", "result"}, "OPERATION:EFFECT"},
		{"a fault of no operation", []string{"--fault", "delete:503"}, `"delete" is no operation`},
		{"a latency below nothing", []string{"--latency", "-1s"}, "--latency can't be negative"},
		{"a latency that is no duration", []string{"--latency", "soon"}, "--latency"},
		{"an offset that is no duration", []string{"--clock-offset", "later"}, "--clock-offset"},
		{"an argument", []string{"result:503"}, "no arguments"},
	} {
		t.Run(c.name+" is misuse with a sentence", func(t *testing.T) {
			code, stdout, stderr := run(t, append([]string{"sandbox"}, c.args...)...)
			if code != command.ExitMisuse || !strings.Contains(stderr, c.says) || stdout != "" {
				t.Errorf("exit %d, stdout %q, stderr %q", code, stdout, stderr)
			}
		})
	}
	t.Run("the help explains faults", func(t *testing.T) {
		if code, stdout, _ := run(t, "sandbox", "--help"); code != command.ExitAnswered || !strings.Contains(stdout, "unknown-status") || !strings.Contains(stdout, "--fault") {
			t.Errorf("exit %d, %s", code, stdout)
		}
	})
}
