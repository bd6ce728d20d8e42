package command

import (
	"bufio"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"assay/client/plain/plaintest"
	"assay/client/session"
)

// unsolicited asks a server that sends more than it was asked for, on a connection that nobody uses: net/http says so on the standard
// logger, and closes the connection. It returns after that.
func unsolicited(t *testing.T, more string) {
	listener, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // of this test alone
	if err != nil {
		t.Error(err)
		return
	}
	defer listener.Close() //nolint:errcheck // likewise
	idle, closed := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(closed)
		c, err := listener.Accept()
		if err != nil {
			t.Error(err)
			return
		}
		defer c.Close() //nolint:errcheck // likewise
		if _, err := http.ReadRequest(bufio.NewReader(c)); err != nil {
			t.Error(err)
		}
		_, _ = fmt.Fprint(c, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
		<-idle
		_, _ = fmt.Fprint(c, more)
		_, _ = io.Copy(io.Discard, c) // until the other side closes it
	}()
	transport := new(http.Transport)
	defer transport.CloseIdleConnections()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+listener.Addr().String(), nil)
	if err != nil {
		t.Error(err)
		return
	}
	response, err := transport.RoundTrip(request)
	if err != nil {
		t.Error(err)
		return
	}
	_ = response.Body.Close()
	close(idle)
	<-closed
}

func TestWhatOthersLogGoesThroughAssaysLog(t *testing.T) {
	const secret = "key-that-nobody-may-read"
	for level, shown := range map[string]bool{"": false, "warn": false, "info": true, "debug": true} {
		t.Run("--log-level "+level, func(t *testing.T) {
			writer, format, before := log.Writer(), log.Flags(), slog.Default()
			t.Cleanup(func() {
				slog.SetDefault(before)
				log.SetOutput(writer)
				log.SetFlags(format)
			})
			t.Setenv("ASSAY_SERVER", "")
			t.Setenv("ASSAY_API_KEY", secret)
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				unsolicited(t, "EVIL \x1b[2J\x9b31m\u202e "+secret+"\nsecond")
				log.Print("EVIL others\x1b[2J ", secret, "\n"+plaintest.Forged("photo.jpg"))
				slog.Info("EVIL\x1b[2J" + secret)
				_, _ = fmt.Fprint(w, "[]") // a client that has gone needs no answer
			}))
			defer server.Close()
			said := newSaying("nothing")
			args := []string{"list", "--server", server.URL, "--home", t.TempDir()}
			if level != "" {
				args = append(args, "--log-level", level)
			}
			if code := Main(t.Context(), session.Options{Machine: session.Machine{StandardLog: true}}, args, strings.NewReader(""), io.Discard, said, someWindow); code != ExitAnswered {
				t.Fatalf("exit %d: %s", code, said.String())
			}
			text := said.String()
			plaintest.Lines(t, text)
			if strings.Contains(text, secret) {
				t.Errorf("the key was logged: %s", text)
			}
			for _, one := range []string{"Unsolicited response", "EVIL others", `EVIL\x1b[2J`} {
				if strings.Contains(text, one) != shown {
					t.Errorf("%q stands in the log: %v, want %v: %s", one, !shown, shown, text)
				}
			}
			for line := range strings.Lines(text) {
				if !strings.HasPrefix(line, "time=") {
					t.Errorf("it says %q", line)
				}
			}
		})
	}
}
