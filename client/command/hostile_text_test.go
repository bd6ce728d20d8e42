package command_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"unicode/utf8"

	"assay/client/assert"
	"assay/client/command"
	"assay/client/plain/plaintest"
	"assay/client/session"
)

// hostileService takes files and answers with the texts of plaintest. Which of them it is, the number in the name or in the ID says.
type hostileService struct {
	*httptest.Server
	texts []string
	// refuse has it say the text in place of an answer to this operation: "upload", "put", "result", "list", "link" or "feedback".
	refuse string
	status int // of that

	named atomic.Int32 // files with other names
}

func startHostile(t *testing.T) *hostileService {
	t.Helper()
	t.Setenv("ASSAY_SERVER", "")
	t.Setenv("ASSAY_API_KEY", "key-of-these-tests")
	s := &hostileService{status: http.StatusBadRequest}
	for _, text := range plaintest.Hostile() {
		s.texts = append(s.texts, strings.ToValidUTF8(text, "\ufffd")) // JSON has no other
	}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

// numberIn is the number at the end of a name or an ID, before its extension and the token of its sending.
func numberIn(name string) int {
	_, digits, _ := strings.Cut(name, "_")
	end := strings.IndexFunc(digits, func(r rune) bool { return r < '0' || r > '9' })
	if end < 0 {
		end = len(digits)
	}
	n, _ := strconv.Atoi(digits[:end])
	return n
}

func (s *hostileService) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	say := func(op string, n int, otherwise func()) {
		if s.refuse != op {
			otherwise()
			return
		}
		w.WriteHeader(s.status)
		write(w, map[string]any{"code": s.texts[n], "message": s.texts[n]})
	}
	path := r.URL.Path
	switch {
	case path == "/api/files/cloud-presigned":
		var asked struct{ FileName string }
		_ = json.Unmarshal(body, &asked)
		n := numberIn(asked.FileName)
		if !strings.HasPrefix(asked.FileName, "photo_") {
			n = int(s.named.Add(1)-1) % len(s.texts)
		}
		id := fmt.Sprintf("r_%d", n)
		say("upload", n, func() {
			write(w, map[string]any{"requestId": id, "response": map[string]any{"signedUrl": s.URL + "/put/" + id}})
		})
	case strings.HasPrefix(path, "/put/"):
		if s.refuse == "put" {
			w.WriteHeader(s.status)
			_, _ = fmt.Fprintf(w, "<Error><Code>EntityTooLarge</Code><Message>%s</Message></Error>", strings.Map(xmlRune, s.texts[numberIn(path)]))
		}
	case path == "/api/files/social":
		n := numberIn(string(body))
		say("link", n, func() { write(w, map[string]any{"requestId": fmt.Sprintf("r_%d", n), "response": s.texts[n]}) })
	case path == "/api/v2/user-feedback":
		n := numberIn(string(body))
		say("feedback", n, func() {
			w.WriteHeader(http.StatusCreated)
			write(w, map[string]any{"id": s.texts[n]})
		})
	case strings.HasPrefix(path, "/api/media/users/"):
		n := numberIn(path)
		say("result", n, func() { write(w, s.result(n)) })
	case strings.HasPrefix(path, "/api/v2/media/users"):
		n, _ := strconv.Atoi(r.URL.Query().Get("name"))
		say("list", n, func() {
			var all []any
			for n := range s.texts {
				result := s.result(n)
				result["requestId"] = fmt.Sprintf("r_%d%s", n, s.texts[n])
				all = append(all, result)
			}
			write(w, map[string]any{"mediaList": all, "totalItems": len(all), "totalPages": 1, "currentPage": 0})
		})
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

// xmlRune leaves out what XML can't hold.
func xmlRune(r rune) rune {
	if r < ' ' && r != '\n' && r != '\r' && r != '\t' || r == '<' || r == '&' {
		return -1
	}
	return r
}

// result says the text wherever a result has one.
func (s *hostileService) result(n int) map[string]any {
	text := s.texts[n]
	return map[string]any{
		"requestId": fmt.Sprintf("r_%d", n), "originalFileName": text, "filename": text, "uploadedDate": text, "mediaType": "IMAGE", "releaseVersion": text,
		"overallStatus": []string{"NOT_APPLICABLE", "UNABLE_TO_EVALUATE", "FAKE"}[n%3],
		"resultsSummary": map[string]any{
			"status":   text,
			"metadata": map[string]any{"languages": []string{text}, "reasons": []any{map[string]any{"code": text, "message": text}}, "finalScore": 97},
			"error":    map[string]any{"code": text, "message": text},
		},
		"models": []any{
			map[string]any{"name": text, "status": "FAKE", "code": text, "data": map[string]any{"decision": text}, "predictionNumber": text, "normalizedPredictionNumber": 97},
			map[string]any{"name": "m", "status": text, "error": text},
		},
	}
}

func write(w io.Writer, v any) {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(v) // a client that has gone needs no answer
}

// call runs a subcommand; home is the folder of its records.
func (s *hostileService) call(t *testing.T, home string, args ...string) (stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	noWindow := func(context.Context, *session.Host, []string) error {
		return &session.Misuse{Sentence: "no window in this test"}
	}
	command.Main(t.Context(), session.Options{}, append(args, "--server", s.URL, "--home", home), nil, &out, &err, noWindow)
	return out.String(), err.String()
}

// wantLines holds what was printed to so many lines of its own.
func wantLines(t *testing.T, want int, stdout, stderr string) {
	t.Helper()
	plaintest.Lines(t, stdout)
	plaintest.Lines(t, stderr)
	if n := strings.Count(stdout, "\n"); n != want {
		t.Errorf("%d lines, want %d:\n%.2000q", n, want, stdout)
	}
	for line := range strings.Lines(stderr) {
		if !strings.HasPrefix(line, "assay: ") && !strings.HasPrefix(line, "time=") {
			t.Errorf("it says %q", line)
		}
	}
}

// wantJSON holds what was printed to so many lines of JSON without a hidden character, and returns them decoded.
func wantJSON(t *testing.T, want int, stdout, stderr string) []map[string]any {
	t.Helper()
	wantLines(t, want, stdout, stderr)
	var all []map[string]any
	for line := range strings.Lines(stdout) {
		var v map[string]any
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Errorf("%v: %.200q", err, line)
		}
		all = append(all, v)
	}
	return all
}

// files are a file for each of the texts, each of other contents.
func (s *hostileService) files(t *testing.T) []string {
	t.Helper()
	data, err := os.ReadFile(picture("poster.png"))
	assert.NoError(t, err)
	var paths []string
	for n := range s.texts {
		path := filepath.Join(t.TempDir(), fmt.Sprintf("photo_%d.png", n))
		assert.NoError(t, os.WriteFile(path, fmt.Appendf(bytes.Clone(data), "%d", n), 0o600))
		paths = append(paths, path)
	}
	return paths
}

func TestNoTextFromOutsideForgesALine(t *testing.T) {
	if testing.Short() {
		t.Skip("it is about words, and starts nothing that other tests do not")
	}
	for _, refused := range []struct {
		op     string
		status int
	}{{"upload", http.StatusBadRequest}, {"put", http.StatusBadRequest}, {"result", http.StatusBadRequest}, {"link", http.StatusBadRequest}, {"", 0}} {
		t.Run("scan, where the text is said by "+refused.op, func(t *testing.T) {
			s := startHostile(t)
			s.refuse, s.status = refused.op, refused.status
			given := s.files(t)
			if refused.op == "link" {
				for n := range given {
					given[n] = fmt.Sprintf("https://youtu.be/photo_%d", n)
				}
			}
			home := t.TempDir()
			stdout, stderr := s.call(t, home, append([]string{"scan"}, given...)...)
			wantLines(t, len(given), stdout, stderr)
			stdout, stderr = s.call(t, home, append([]string{"scan", "--json"}, given...)...) // what is stored by now
			for n, a := range wantJSON(t, len(given), stdout, stderr) {
				if refused.op != "" {
					said, ok := a["error"].(string)
					if !ok {
						t.Errorf("of %q it says %v", s.texts[n], a)
					}
					plaintest.OneLine(t, said)
				} else if a["releaseVersion"] != s.texts[n] || a["models"].([]any)[0].(map[string]any)["name"] != s.texts[n] {
					t.Errorf("%q came as %q and %v", s.texts[n], a["releaseVersion"], a["models"])
				}
			}
		})
	}
	t.Run("scan, of files that are called so", func(t *testing.T) {
		s := startHostile(t)
		dir := t.TempDir()
		var given []string
		for n, path := range s.files(t) {
			name := filepath.Join(dir, strings.NewReplacer("/", "", "\x00", "").Replace(s.texts[n])+".png")
			if len(filepath.Base(name)) < 250 && os.Rename(path, name) == nil { // not every file system has every name
				given = append(given, name)
			}
		}
		if len(given) == 0 {
			t.Fatal("none can be called so")
		}
		home := t.TempDir()
		stdout, stderr := s.call(t, home, append([]string{"scan"}, given...)...)
		wantLines(t, len(given), stdout, stderr)
		stdout, stderr = s.call(t, home, append([]string{"scan", "--json"}, given...)...)
		for n, a := range wantJSON(t, len(given), stdout, stderr) {
			if a["path"] != given[n] {
				t.Errorf("%q came as %q", given[n], a["path"])
			}
		}
		stdout, stderr = s.call(t, home, "scan", dir, filepath.Join(dir, "gone\x1b[2J\n"+plaintest.Forged("photo.jpg")), "x\u202e:\n//y")
		plaintest.Lines(t, stdout+stderr)
	})
	t.Run("list", func(t *testing.T) {
		s := startHostile(t)
		stdout, stderr := s.call(t, t.TempDir(), "list")
		wantLines(t, len(s.texts), stdout, stderr)
		stdout, stderr = s.call(t, t.TempDir(), "list", "--json")
		for n, a := range wantJSON(t, len(s.texts), stdout, stderr) {
			for _, field := range []string{"name", "uploaded", "releaseVersion"} {
				if a[field] != s.texts[n] {
					t.Errorf("%s: %q came as %q", field, s.texts[n], a[field])
				}
			}
			if a["requestId"] != fmt.Sprintf("r_%d%s", n, s.texts[n]) {
				t.Errorf("the ID came as %q", a["requestId"])
			}
		}
		s.refuse = "list"
		for n := range s.texts {
			stdout, stderr = s.call(t, t.TempDir(), "list", "--name", strconv.Itoa(n))
			wantLines(t, 0, stdout, stderr)
		}
	})
	t.Run("show", func(t *testing.T) {
		s := startHostile(t)
		for n, text := range s.texts {
			id := fmt.Sprintf("r_%d", n)
			stdout, stderr := s.call(t, t.TempDir(), "show", id)
			plaintest.Lines(t, stdout+stderr)
			if lines := strings.Count(stdout, "\n"); lines < 6 || lines > 8 {
				t.Errorf("%d lines: %q", lines, stdout)
			}
			stdout, stderr = s.call(t, t.TempDir(), "show", "--json", id)
			got := wantJSON(t, 1, stdout, stderr)[0]
			var want map[string]any
			var sent bytes.Buffer
			write(&sent, s.result(n))
			if err := json.Unmarshal(sent.Bytes(), &want); err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%q: %v: %.500s", text, err, stdout)
			}
		}
		s.refuse = "result"
		for n := range s.texts {
			stdout, stderr := s.call(t, t.TempDir(), "show", fmt.Sprintf("r_%d", n))
			wantLines(t, 0, stdout, stderr)
		}
	})
	for _, op := range []string{"feedback", ""} {
		t.Run("feedback, where the text is said by "+op, func(t *testing.T) {
			s := startHostile(t)
			s.refuse = op
			home := t.TempDir()
			for n := range s.texts {
				stdout, stderr := s.call(t, home, "feedback", fmt.Sprintf("r_%d", n), "--label", "real", "--category", "other")
				wantLines(t, strings.Count(stdout, "sent: "), stdout, stderr)
				if utf8.RuneCountInString(stdout+stderr) > 2000 {
					t.Errorf("%d characters", utf8.RuneCountInString(stdout+stderr))
				}
			}
		})
	}
	t.Run("what it was called with", func(t *testing.T) {
		s := startHostile(t)
		for _, text := range s.texts {
			for _, args := range [][]string{
				{"scan", text}, {"scan", "--" + text}, {"show", "/" + text}, {"list", "--from", text}, {"watch", text}, {text}, {"key", text},
				{"list", "--ca-file", text}, {"list", "--proxy", text}, {"list", "--proxy", "http://" + url.PathEscape(text)}, {"scan", "https://" + text},
			} {
				stdout, stderr := s.call(t, t.TempDir(), args...)
				plaintest.Lines(t, stdout+stderr)
			}
		}
		for _, text := range s.texts {
			var out, errs bytes.Buffer
			command.Main(t.Context(), session.Options{}, []string{"list", "--home", t.TempDir(), "--server", text}, nil, &out, &errs, nil)
			plaintest.Lines(t, out.String()+errs.String())
		}
	})
}
