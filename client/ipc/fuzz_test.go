package ipc

import (
	"bufio"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"assay/client/assert"
)

// FuzzPaths holds that whatever a caller sends is either no paths, or paths that arrive the same to the byte when they are sent on.
func FuzzPaths(f *testing.F) {
	for _, sent := range []string{`["L3RtcC9h","/w=="]`, `null`, `[null,""]`, `["%%%"]`, `{}`, `7`, `["\ud800"]`} {
		f.Add([]byte(sent))
	}
	f.Fuzz(func(t *testing.T, said []byte) {
		var paths, again Paths
		if json.Unmarshal(said, &paths) != nil {
			return
		}
		sent, err := json.Marshal(paths)
		if err != nil {
			t.Fatalf("%q can't be sent on: %v", said, err)
		}
		if err := json.Unmarshal(sent, &again); err != nil || !slices.Equal(again, paths) {
			t.Errorf("%q is sent as %q and arrives as %q: %v", said, sent, again, err)
		}
	})
}

// lastChunk ends an HTTP body that is sent in chunks.
var lastChunk = regexp.MustCompile(`(?m)^0+[ \t]*(;|\r?$)`)

// FuzzReplies holds that whatever listens at a socket in Assay's place, a call ends; and that it succeeds only where all that was said is there.
func FuzzReplies(f *testing.F) {
	const ok = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
	for _, said := range []string{
		ok + "d\r\n{\"answer\":7}\n\r\n0\r\n\r\n", ok + "d\r\n{\"answer\":7}\n\r\n", ok + "0\r\n\r\n", ok + "10\r\n{\"error\":\"No.\"}\n\r\n0\r\n\r\n", ok + "5\r\nnull\n\r\n3\r\n[]\n\r\n0\r\n\r\n", ok,
		"HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 503 Service Unavailable\r\n\r\n", "HTTP/1.1 413 \r\n\r\n", "HTTP/1.1 400 Bad Request\r\n\r\n",
		"{\"received\":true}\n{\"answer\":7}\n{\"end\":true}\n", "\n\n", strings.Repeat("x", 5000) + "\n",
	} {
		f.Add([]byte(said))
	}
	f.Fuzz(func(t *testing.T, said []byte) {
		caller, holder := net.Pipe()
		defer caller.Close() //nolint:errcheck // closed by the other end
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://assay"+pathPrefix+"open", strings.NewReader("{}"))
		assert.NoError(t, err)
		go func() {
			defer holder.Close() //nolint:errcheck // nothing is left to be said
			if _, err := http.ReadRequest(bufio.NewReader(holder)); err == nil {
				_, _ = holder.Write(said) // the caller may have seen enough
			}
		}()
		err = converse(caller, request, func(answer json.RawMessage) error {
			if !json.Valid(answer) {
				t.Errorf("%q is an answer of %q", answer, said)
			}
			return nil
		})
		var refusal *Refusal
		switch {
		case err == nil && !lastChunk.Match(said):
			t.Errorf("%q is taken as a success", said)
		case err != nil && !errors.As(err, &refusal) && !errors.Is(err, ErrNotServing) && !errors.Is(err, ErrLost):
			t.Errorf("%q gives the error %v", said, err)
		}
	})
}
