package command_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"assay/client/assert"
	"assay/client/command"
	"assay/client/sandbox"
	"assay/client/session"
)

// pictures are so many files of different content, whose names tell their order.
func pictures(t *testing.T, n int) (files []string) {
	t.Helper()
	folder := t.TempDir()
	for i := range n {
		img := image.NewGray(image.Rect(0, 0, 160, 160))
		for p := range img.Pix {
			img.Pix[p] = uint8(p*7 + p/160*i)
		}
		img.Set(i, i, color.White)
		var b bytes.Buffer
		assert.NoError(t, png.Encode(&b, img))
		path := filepath.Join(folder, fmt.Sprintf("%d.png", i+1))
		assert.NoError(t, os.WriteFile(path, b.Bytes(), 0o600))
		files = append(files, path)
	}
	return files
}

// scan runs `assay scan` against a service, with this home.
func (s *countingService) scan(ctx context.Context, home string, args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = command.Main(ctx, session.Options{}, append([]string{"scan", "--server", s.url, "--home", home}, args...), nil, &out, &errs, nil)
	return code, out.String(), errs.String()
}

// TestARefusalInMidRunLosesNoLine is about eight files, of which four are up when the service says no.
func TestARefusalInMidRunLosesNoLine(t *testing.T) {
	setKey(t)
	const sent, unsent = "It was sent: the next scan prints its answer.", "The next scan goes on with it."
	for _, c := range []struct {
		name     string
		status   int
		body     string
		uploads  bool // only these are refused
		says     string
		answered int // of those that were uploaded
	}{
		{"402", http.StatusPaymentRequired, `{}`, true, "The service answered 402 (Payment Required).", 4},
		{"400 upload-limit-reached", http.StatusBadRequest, `{"code":"upload-limit-reached","response":"No more uploads."}`, true, "No more uploads.", 4},
		{"400 free-tier-not-allowed", http.StatusBadRequest, `{"code":"free-tier-not-allowed","message":"Not in this plan."}`, true, "Not in this plan.", 4},
		{"402 of every call", http.StatusPaymentRequired, `{}`, false, "The service answered 402 (Payment Required).", 0},
		{"401", http.StatusUnauthorized, `{}`, false, "The key was not accepted. Check the key in Settings, or with assay key.", 0},
	} {
		for _, asJSON := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, with --json: %v", c.name, asJSON), func(t *testing.T) {
				t.Parallel()
				var asked atomic.Int64
				var over atomic.Bool
				service := startServiceBehind(t, sandbox.Options{}, func(w http.ResponseWriter, r *http.Request) bool {
					upload := strings.HasSuffix(r.URL.Path, "cloud-presigned")
					if upload && asked.Add(1) <= 4 || r.Method == http.MethodPut || over.Load() || c.uploads && !upload ||
						!c.uploads && !upload && asked.Load() < 4 {
						return false
					}
					if !upload && asked.Load() <= 4 { // a result is not there yet
						w.WriteHeader(http.StatusNotFound)
						return true
					}
					w.Header().Set("Content-Type", "application/json")
					w.WriteHeader(c.status)
					_, _ = w.Write([]byte(c.body))
					return true
				})
				files, home := pictures(t, 8), t.TempDir()
				args := files
				if asJSON {
					args = append([]string{"--json"}, files...)
				}
				code, stdout, stderr := service.scan(t.Context(), home, args...)
				if code != command.ExitFailed || !strings.Contains(stderr, c.says) {
					t.Errorf("exit %d, it says %q", code, stderr)
				}
				lines := strings.Split(strings.TrimSpace(stdout), "\n")
				if len(lines) != 8 {
					t.Fatalf("%d lines:\n%s", len(lines), stdout)
				}
				var answered, left int
				for i, line := range lines {
					name := fmt.Sprintf("%d.png", i+1)
					isLeft := strings.Contains(line, c.says) && (strings.Contains(line, sent) || strings.Contains(line, unsent))
					switch {
					case asJSON:
						a := answers(t, line)[0]
						if filepath.Base(a.Path) != name || isLeft != (a.Verdict == "") ||
							strings.Contains(a.Error, sent) != (isLeft && a.RequestID != "") {
							t.Errorf("line %d is %s", i, line)
						}
					case !strings.HasPrefix(line, name+": ") || isLeft != strings.Contains(line, ": not answered. "):
						t.Errorf("line %d is %q", i, line)
					}
					if isLeft {
						left++
					} else {
						answered++
					}
				}
				if c.uploads && (answered != 4 || left != 4) || !c.uploads && answered+left != 8 {
					t.Errorf("%d are answered and %d left:\n%s", answered, left, stdout)
				}
				over.Store(true)
				code, stdout, stderr = service.scan(t.Context(), home, files...)
				if code != command.ExitAnswered || strings.Count(stdout, "\n") != 8 {
					t.Errorf("the next scan: exit %d, %q\n%s", code, stderr, stdout)
				}
				if uploads := service.uploads.Load(); c.uploads && uploads != 8 { // else one that was under way is sent once more to the same address
					t.Errorf("%d uploads of 8 files", uploads)
				}
				code, stdout, stderr = call(t, "list", "--json", "--server", service.url)
				if got := answers(t, stdout); code != command.ExitAnswered || len(got) != 8 {
					t.Errorf("the service has %d submissions: exit %d, %q", len(got), code, stderr)
				}
			})
		}
	}
}

// TestAScanOfABusyServiceEndsWithItsTimeout also holds that nothing is lost, and nothing sent twice.
func TestAScanOfABusyServiceEndsWithItsTimeout(t *testing.T) {
	setKey(t)
	for _, c := range []struct {
		fault   string
		uploads int64 // until the timeout
		says    string
	}{
		{"upload-url:503@2-,retry-after=3000", 1, "The service is busy (503). The next scan goes on with it."},
		{"upload-url:429@2-,retry-date=94672800", 1, "The service asked Assay to wait "},
		{"result:503,retry-after=94672800", 3, "The service asked Assay to wait 3 years. It was sent: the next scan prints its answer."},
		{"upload-url:reset@2-", 1, "The next scan goes on with it."},
	} {
		t.Run(c.fault, func(t *testing.T) {
			t.Parallel()
			fault, err := sandbox.ParseFault(c.fault)
			assert.NoError(t, err)
			service := startService(t, sandbox.Options{Faults: []sandbox.Fault{fault}})
			files, home := pictures(t, 3), t.TempDir()
			began := time.Now()
			code, stdout, stderr := service.scan(t.Context(), home, append([]string{"--timeout", "8s"}, files...)...)
			lines := strings.Split(strings.TrimSpace(stdout), "\n")
			if code != command.ExitFailed || len(lines) != 3 || time.Since(began) > patience/2 {
				t.Fatalf("exit %d after %v, %q, %q", code, time.Since(began), stdout, stderr)
			}
			if !strings.Contains(stdout, "not answered. There was no answer within 8 s. ") || !strings.Contains(stdout, c.says) {
				t.Errorf("it prints %q, without %q", stdout, c.says)
			}
			assert.Equal(t, c.uploads, service.uploads.Load())
		})
	}
	t.Run("--timeout below 0 is misuse", func(t *testing.T) {
		if code, _, stderr := call(t, "scan", "--sandbox", "--timeout", "-1s", picture("poster.png")); code != command.ExitMisuse || !strings.Contains(stderr, "--timeout") {
			t.Errorf("exit %d, %q", code, stderr)
		}
	})
}

// soon is less than the subcommands once waited for copies that never came, and more than a busy machine needs to end.
const soon = 4 * time.Second

// printing calls do once a line that holds this is printed.
type printing struct {
	text bytes.Buffer
	this string
	do   func()
}

func (p *printing) Write(b []byte) (int, error) {
	n, err := p.text.Write(b)
	if p.do != nil && strings.Contains(p.text.String(), p.this) {
		p.do()
		p.do = nil
	}
	return n, err
}

// TestWhatFailsBehindAnAnswerHoldsNobodyUp is about pictures and details that can't be fetched.
func TestWhatFailsBehindAnAnswerHoldsNobodyUp(t *testing.T) {
	setKey(t)
	for _, text := range []string{"artifact:503", "artifact:503,retry-after=50", "artifact:500", "artifact:reset"} {
		fault, err := sandbox.ParseFault(text)
		assert.NoError(t, err)
		for _, signal := range []bool{false, true} {
			name := "a scan ends with its last answer: "
			if signal {
				name = "a signal ends a watch at once: "
			}
			t.Run(name+text, func(t *testing.T) {
				t.Parallel()
				service := startService(t, sandbox.Options{Faults: []sandbox.Fault{fault}})
				ctx, stop := context.WithTimeout(t.Context(), patience)
				defer stop()
				var printed time.Time
				out := &printing{this: "1.png: ", do: func() { printed = time.Now() }}
				var errs bytes.Buffer
				file := pictures(t, 1)[0]
				args := []string{"scan", "--server", service.url, "--home", t.TempDir(), file}
				if signal {
					out.do = func() {
						printed = time.Now()
						stop()
					}
					args = []string{"watch", "--server", service.url, "--home", t.TempDir(), "--gate", "send", "--all", "--quiet", "200ms", filepath.Dir(file)}
				}
				code := command.Main(ctx, session.Options{}, args, nil, out, &errs, nil)
				if code != command.ExitAnswered || printed.IsZero() {
					t.Fatalf("exit %d: %q, %q", code, out.text.String(), errs.String())
				}
				if took := time.Since(printed); took > soon {
					t.Errorf("it ended %v after the answer: %q", took, errs.String())
				}
			})
		}
	}
}
