package logs

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/config"
	"assay/client/intake"
	"assay/client/keys"
	"assay/client/submission"
)

// markers are what a newsroom must find nowhere in what it hands on.
var markers = []string{"NAME-MARKER", "LINK-MARKER", "KEY-MARKER", "name-marker", "marker"}

func without(t *testing.T, text string) {
	t.Helper()
	for _, m := range markers {
		if strings.Contains(strings.ToLower(text), strings.ToLower(m)) {
			t.Errorf("%s is in:\n%s", m, text)
		}
	}
}

func TestDiagnostics(t *testing.T) {
	t.Run("it tells the facts", func(t *testing.T) {
		text := Diagnostics(Facts{Version: "0.1.0 (3f2a1c9)", Display: "x11", Language: "en", Theme: "dark", Scale: 1.25, Service: "service", Encrypted: true,
			Keychain: "locked", HasKey: true, FFmpeg: true, States: map[string]int{"done": 12, "held": 3}, QueueStatus: "key",
			VaultBytes: 12_000_000, FreeBytes: 5_000_000_000})
		for _, want := range []string{"Assay: 0.1.0 (3f2a1c9)\n", "Display: x11\n", "Language: en\n", "Theme: dark\n", "Scale: 1.25\n", "Service: service, https\n",
			"Proxy: no\n", "Keychain: locked\n", "Key: yes\n", "ffmpeg: yes\n", "Queue: key\n", "Submissions: 3 held, 12 done\n", "Vault: 12 MB\n", "Free on the disk: 5000 MB\n"} {
			if !strings.Contains(text, want) {
				t.Errorf("without %q:\n%s", want, text)
			}
		}
	})
	t.Run("of nothing it tells nothing wrong", func(t *testing.T) {
		text := Diagnostics(Facts{})
		for _, want := range []string{"Assay: unknown\n", "Display: unknown\n", "Language: as the system\n", "Scale: automatic\n", "Service: undecided\n",
			"Keychain: answers\n", "Queue: moves\n", "Submissions: none\n", "its last 0 lines"} {
			if !strings.Contains(text, want) {
				t.Errorf("without %q:\n%s", want, text)
			}
		}
	})
	t.Run("no name, link or key is in it, whatever it was given", func(t *testing.T) {
		for _, m := range markers {
			dir := t.TempDir()
			facts := Facts{States: map[string]int{m: 1}, LogDir: dir}
			fields := reflect.ValueOf(&facts).Elem()
			for i := range fields.NumField() {
				if field := fields.Field(i); field.Kind() == reflect.String && fields.Type().Field(i).Name != "LogDir" {
					field.SetString(m)
				}
			}
			f := opened(t, dir)
			log := New(f, slog.LevelDebug, nil) // the file may hold what it likes
			log.Info("answered", "id", m, "status", m, "state", m, "cause", m, "kind", m, "call", m, "count", m, "attempt", m, "name", m, m, m)
			log.Info("The file "+strings.ToUpper(m)+".jpg", "error", errors.New(m))
			log.WithGroup(m).Info("grouped", "id", m)
			log.Info("two lines", "error", "x\ntime=2026-11-21T19:15:00Z level=INFO msg=\"of "+strings.ToUpper(m)+"\" id="+m)
			for _, raw := range []string{m, m + "=" + m, "time=" + m + " level=INFO msg=x", "time=2026-11-21T19:15:00Z level=" + m + " msg=x", `time="` + m} {
				line(t, f, raw+"\n")
			}
			without(t, Diagnostics(facts))
		}
	})
	t.Run("of the log it tells times, levels, fixed words and its own values", func(t *testing.T) {
		dir := t.TempDir()
		f := opened(t, dir)
		for _, raw := range []string{
			`time=2026-11-21T19:15:00.123+01:00 level=INFO msg="submission ended" id=6ba7b810-9dad-11d1-80b4-00c04fd430c8 state=failed problem="It is NAME-MARKER" error="open /home/jane"`,
			`time=2026-11-21T19:15:01Z level=DEBUG msg="call failed" call="fetch the result" attempt=2 kind=network status=503 again=true why=LINK-MARKER`,
			`time=2026-11-21T19:15:02Z level=WARN msg="the sandbox's old copies could not be removed" error=x`,
			`time=2026-11-21T19:15:03Z level=INFO msg="Sent NAME-MARKER"`,
			`panic: KEY-MARKER`,
		} {
			line(t, f, raw+"\n")
		}
		_, told, _ := strings.Cut(Diagnostics(Facts{LogDir: dir}), "\n\n")
		want := "Log, its last 4 lines:\n" +
			"2026-11-21T18:15:00.123Z INFO submission ended id=6ba7b810-9dad-11d1-80b4-00c04fd430c8 state=failed\n" +
			"2026-11-21T19:15:01.000Z DEBUG call failed call=fetch the result attempt=2 kind=network status=503\n" +
			"2026-11-21T19:15:02.000Z WARN the sandbox's old copies could not be removed\n" +
			"2026-11-21T19:15:03.000Z INFO …\n"
		assert.Equal(t, want, told)
	})
	t.Run("its last two hundred lines, also where a new file was just begun", func(t *testing.T) {
		dir := t.TempDir()
		log := func(n int) string {
			return fmt.Sprintf("time=2026-11-21T19:15:00Z level=INFO msg=answered count=%d\n", n)
		}
		for file, from := range map[string]int{"assay.1.log": 0, "assay.log": 300} {
			var text strings.Builder
			for n := from; n < from+50+from; n++ {
				text.WriteString(log(n))
			}
			assert.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(text.String()), 0o600))
		}
		lines := lastLines(dir, 380)
		if len(lines) != 380 || !strings.HasSuffix(lines[0], "count=20") || !strings.HasSuffix(lines[379], "count=649") {
			t.Errorf("%d lines, %q", len(lines), lines)
		}
		assert.Equal(t, shownLines, len(lastLines(dir, shownLines)))
	})
}

func TestTheWordsThatMayBeTold(t *testing.T) {
	for _, words := range []struct{ told, said []string }{
		{keychains, []string{string(keys.Missing), string(keys.Absent), string(keys.Locked), string(keys.Slow), string(keys.Refused), string(keys.TooLarge), string(keys.Waiting)}},
		{standings, []string{string(intake.PausedAll), string(intake.NoKey), string(intake.NoQuota), string(intake.NoDisk), string(intake.NoNetwork)}},
		{states, []string{string(submission.Waiting), string(submission.Checking), string(submission.Held), string(submission.Sending), string(submission.Analysing),
			string(submission.Done), string(submission.Refused), string(submission.Failed), string(submission.Cancelled), string(submission.Stays)}},
		{services, []string{string(config.UseSandbox), string(config.UseService)}},
		{themes, config.Themes[1:]},
	} {
		assert.Equal(t, words.said, words.told)
	}
	for name, values := range map[string][]string{
		"kind": {string(client.KindSetup), string(client.KindKey), string(client.KindNetwork), string(client.KindStalled), string(client.KindBusy),
			string(client.KindService), string(client.KindRefused), string(client.KindExpired), string(client.KindAnswer), string(client.KindFile)},
		"status": {string(client.Authentic), string(client.Fake), string(client.Suspicious), string(client.NotApplicable), string(client.UnableToEvaluate), "429"},
	} {
		for _, value := range values {
			if !safeAttributes[name]().MatchString(value) {
				t.Errorf("%s %q", name, value)
			}
		}
	}
}

// FuzzToldLine holds that whatever stands in a line of the log, diagnostics tell one line of printable ASCII and of bounded length; and that
// nothing which slog itself wrote there for somebody's words can become an attribute of Assay's own.
func FuzzToldLine(f *testing.F) {
	for _, seed := range []string{
		`time=2026-05-01T10:20:30Z level=INFO msg="sent it" count=3 path=/home/jane`, `time=x level=INFO msg=a`, `time=2026-05-01T10:20:30Z level=INFO msg="a\nb" id="`, "jane status=FAKE\ncount=1", `" status=FAKE x="`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		check := func(line string) (told string) {
			told = safeLine(line)
			if len(told) > 10_000+len(line) || strings.ContainsFunc(told, func(r rune) bool { return r < ' ' || r > '~' && r != '…' }) {
				t.Errorf("%q is told as %q", line, told)
			}
			return told
		}
		check(text)
		var line strings.Builder
		slog.New(slog.NewTextHandler(&line, nil)).Info(text, "name", text, text, "x", "count", 7) //nolint:sloglint // any words
		told := check(line.String())
		if strings.TrimSpace(text) != "" && told != "" && !strings.HasSuffix(told, " count=7") {
			t.Errorf("%q is told as %q", line.String(), told)
		}
		if _, err := time.Parse("2006-01-02T15:04:05.000Z", strings.SplitN(told+" ", " ", 2)[0]); told != "" && err != nil {
			t.Errorf("%q is told as %q", line.String(), told)
		}
		for _, attribute := range []string{" status=", " id=", " state=", " cause=", " kind=", " attempt=", " call="} {
			if strings.Contains(told, attribute) {
				t.Errorf("words became %s: %q is told as %q", attribute, line.String(), told)
			}
		}
	})
}
