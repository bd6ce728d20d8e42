package ipc

import (
	"encoding/json"
	"errors"
	"net"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzRequest holds that whatever a caller sends in a line is either no request, or one that arrives the same when it is sent on, its paths to
// the byte.
func FuzzRequest(f *testing.F) {
	for _, line := range []string{
		`{"op":"open","given":["L3RtcC9h","/w=="],"options":{"a":1}}`, `{"op":"open","given":null}`, `{"op":"x","given":[null,""]}`, `{"given":["%%%"]}`, `[]`, `null`, `{"op":7}`, `{"OP":"x","options":"\ud800"}`,
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		var request, again Request
		if json.Unmarshal(line, &request) != nil {
			return
		}
		sent, err := json.Marshal(request)
		if err != nil {
			t.Fatalf("%q can't be sent on: %v", line, err)
		}
		if err := json.Unmarshal(sent, &again); err != nil {
			t.Fatalf("%q is sent as %q: %v", line, sent, err)
		}
		if again.Op != request.Op || len(again.Given) != len(request.Given) || len(request.Given) > 0 && !cmp.Equal(again.Given, request.Given) {
			t.Errorf("%+v arrives as %+v", request, again)
		}
	})
}

// FuzzReplies holds that whatever listens at a socket in Assay's place, a call ends; and that it succeeds only where a first and a last line are as
// Assay says them.
func FuzzReplies(f *testing.F) {
	for _, said := range []string{
		"{\"received\":true}\n{\"answer\":7}\n{\"end\":true}\n", "{\"end\":true,\"busy\":true}\n", "{\"end\":true,\"error\":\"No.\"}\n", "{\"received\":true}\n{}\n{\"answer\":null}\n", "HTTP/1.1 400 Bad Request\r\n\r\n",
		"{\"received\":true}\nnull\n[]\n", "{\"end\":true}", "\n\n", strings.Repeat("x", 5000) + "\n",
	} {
		f.Add([]byte(said))
	}
	f.Fuzz(func(t *testing.T, said []byte) {
		caller, holder := net.Pipe()
		defer caller.Close() //nolint:errcheck // closed by the other end
		go func() {
			defer holder.Close() //nolint:errcheck // nothing is left to be said
			buffer := make([]byte, 100)
			if _, err := holder.Read(buffer); err == nil {
				_, _ = holder.Write(said) // the caller may have seen enough
			}
		}()
		err := converse(caller, []byte("{\"op\":\"open\"}\n"), func(answer json.RawMessage) error {
			if !json.Valid(answer) {
				t.Errorf("%q is an answer of %q", answer, said)
			}
			return nil
		})
		ended := false
		for line := range strings.Lines(string(said)) {
			var r reply
			ended = ended || json.Unmarshal([]byte(line), &r) == nil && r.End && r.Error == "" && !r.Busy
		}
		var refusal *Refusal
		switch {
		case err == nil && !ended:
			t.Errorf("%q is taken as a success", said)
		case err != nil && !errors.As(err, &refusal) && !errors.Is(err, ErrNotServing) && !errors.Is(err, ErrLost):
			t.Errorf("%q gives the error %v", said, err)
		}
	})
}
