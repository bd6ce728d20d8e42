package command_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"assay/client/assert"
	"assay/client/command"
	"assay/client/session"
)

// manyModels is an answer with n models, of which the last two flagged the file.
func manyModels(n int) string {
	var b strings.Builder
	b.WriteString(`{"requestId":"r1","originalFileName":"a.jpg","mediaType":"IMAGE","overallStatus":"FAKE","models":[`)
	for i := range n - 2 {
		fmt.Fprintf(&b, `{"name":"svc-%d-img","status":"AUTHENTIC","normalizedPredictionNumber":%d.5},`, i, i%100)
	}
	b.WriteString(`{"name":"svc-last-img","status":"FAKE"},{"name":"svc-img-ensemble","status":"FAKE","finalScore":98}]}`)
	return b.String()
}

// serving is a service with one result.
func serving(t *testing.T, body string) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.Contains(r.URL.Path, "/pages/0"):
			_, _ = io.WriteString(w, "["+body+"]")
		case strings.Contains(r.URL.Path, "/pages/"):
			_, _ = io.WriteString(w, "[]")
		default:
			_, _ = io.WriteString(w, body)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// runAgainst runs a subcommand against a service.
func runAgainst(ctx context.Context, t *testing.T, s *httptest.Server, out io.Writer, args ...string) (code int, problems string) {
	t.Helper()
	t.Setenv("ASSAY_API_KEY", "key")
	var said bytes.Buffer
	code = command.Main(ctx, session.Options{}, append(args, "--server", s.URL, "--home", t.TempDir()), nil, out, &said, nil)
	return code, said.String()
}

func printedBy(t *testing.T, s *httptest.Server, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	if code, problems := runAgainst(t.Context(), t, s, &out, args...); code != command.ExitAnswered {
		t.Fatalf("%s: exit %d, %s", args, code, problems)
	}
	return out.String()
}

func TestShowOfVeryManyModels(t *testing.T) {
	if testing.Short() {
		t.Skip("it is about sizes, and starts nothing that other tests do not")
	}
	const n = 20_000
	s := serving(t, manyModels(n))
	t.Run("those that count are listed, the rest is counted", func(t *testing.T) {
		text := printedBy(t, s, "show", "r1")
		lines := strings.Split(strings.TrimSpace(text), "\n")
		if len(lines) != 4+100+1 {
			t.Fatalf("%d lines:\n%.2000s", len(lines), text)
		}
		if !strings.HasPrefix(lines[4], "  svc-img-ensemble: Likely manipulated, 98") || !strings.HasPrefix(lines[5], "  svc-last-img: Likely manipulated") {
			t.Errorf("it begins with %q and %q", lines[4], lines[5])
		}
		assert.Equal(t, "  and 19,900 more; --json prints all", lines[len(lines)-1])
	})
	for _, c := range [][]string{{"show", "r1", "--json"}, {"list", "--json"}} {
		t.Run("as JSON it is whole: "+c[0], func(t *testing.T) {
			var whole struct{ Models []json.RawMessage }
			if err := json.Unmarshal([]byte(printedBy(t, s, c...)), &whole); err != nil || len(whole.Models) != n {
				t.Errorf("%d models, %v", len(whole.Models), err)
			}
		})
	}
	t.Run("what is allocated grows with the answer, not with its square", func(t *testing.T) {
		allocated := func(models int) uint64 {
			s := serving(t, manyModels(models))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			if code, problems := runAgainst(t.Context(), t, s, io.Discard, "show", "r1"); code != command.ExitAnswered {
				t.Fatal(problems)
			}
			runtime.ReadMemStats(&after)
			return after.TotalAlloc - before.TotalAlloc
		}
		few, many := allocated(2000), allocated(8000)
		if many > 5*few {
			t.Errorf("2,000 models take %d bytes and 8,000 %d", few, many)
		}
	})
}

// TestShowEndsWhereNobodyReads has a pager that reads no further: whoever stops the program does not wait for it.
func TestShowEndsWhereNobodyReads(t *testing.T) {
	s := serving(t, manyModels(5000))
	for _, args := range [][]string{{"show", "r1"}, {"show", "r1", "--json"}, {"list"}, {"list", "--json"}} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			ctx, stop := context.WithCancel(t.Context())
			pager := pager{stop: stop, closed: make(chan struct{})}
			t.Cleanup(func() { close(pager.closed) })
			code, problems := runAgainst(ctx, t, s, pager, args...)
			if code != command.ExitFailed || !strings.Contains(problems, "stopped") {
				t.Errorf("exit %d, %q", code, problems)
			}
		})
	}
}

// pager never reads; the person stops the program while it waits for that.
type pager struct {
	stop   func()
	closed chan struct{}
}

func (p pager) Write([]byte) (int, error) {
	p.stop()
	<-p.closed
	return 0, io.ErrClosedPipe
}

func TestAContradictionIsPrintedFirst(t *testing.T) {
	const said = "overall: AUTHENTIC; summary: FAKE; ensemble model svc-img-ensemble: FAKE, 99 of 100"
	s := serving(t, `{"requestId":"r1","originalFileName":"a.jpg","mediaType":"IMAGE","overallStatus":"AUTHENTIC","resultsSummary":{"status":"FAKE"},
		"models":[{"name":"svc-img-ensemble","status":"FAKE","finalScore":99},{"name":"svc-oak-img","status":"FAKE","data":{"decision":"AUTHENTIC"}}]}`)
	show, list := printedBy(t, s, "show", "r1"), printedBy(t, s, "list")
	for name, text := range map[string]string{"show": show, "list": list} {
		if !strings.Contains(text, "The service contradicts itself: needs a human look ("+said+")\n") || strings.Contains(text, "No sign of manipulation found") {
			t.Errorf("%s prints %q", name, text)
		}
	}
	if want := "  svc-oak-img: Likely manipulated, no score reported (contradicts itself: status FAKE, decision AUTHENTIC)\n"; !strings.Contains(show, want) {
		t.Errorf("%q is not among %q", want, show)
	}
	var line struct {
		Status, Verdict, Contradiction string
		Models                         []struct{ Contradiction string }
	}
	assert.NoError(t, json.Unmarshal([]byte(printedBy(t, s, "list", "--json")), &line))
	if line.Status != "AUTHENTIC" || line.Verdict != "The service contradicts itself: needs a human look" || line.Contradiction != said ||
		line.Models[0].Contradiction != "" || line.Models[1].Contradiction != "contradicts itself: status FAKE, decision AUTHENTIC" {
		t.Errorf("list --json prints %+v", line)
	}
}
