package i18n_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/i18n"
	"assay/client/plain"
	"assay/client/plain/plaintest"
)

// kept is a message as it comes back from a record.
func kept(t *testing.T, m i18n.Message) i18n.Message {
	t.Helper()
	record, err := json.Marshal(m)
	assert.NoError(t, err)
	var back i18n.Message
	assert.NoError(t, json.Unmarshal(record, &back))
	if back != m || !back.Equal(m) {
		t.Errorf("kept %s, came back %#v", record, back)
	}
	return back
}

func TestMessagesAreSaidInTheLanguageOfTheMoment(t *testing.T) {
	at := time.Date(2026, time.November, 21, 15, 4, 5, 0, time.Local)
	for name, c := range map[string]struct {
		m               i18n.Message
		english, german string
	}{
		"nothing":                  {i18n.Message{}, "", ""},
		"a sentence":               {i18n.M("This file is empty."), "This file is empty.", "Diese Datei ist leer."},
		"what came from outside":   {i18n.Verbatim("Media result does not exist!"), "Media result does not exist!", "Media result does not exist!"},
		"a text that is filled in": {i18n.M("This file can't be read: %s.", "no medium"), "This file can't be read: no medium.", "Diese Datei ist nicht lesbar: no medium."},
		"a text of plain's":        {i18n.M("The service says: “%s”", plain.From("No.")), "The service says: “No.”", "Der Dienst meldet: „No.“"},
		"a number and a message": {i18n.M("The service answered %d (%s).", 599, i18n.M("no standard meaning")),
			"The service answered 599 (no standard meaning).", "Der Dienst antwortete 599 (ohne übliche Bedeutung)."},
		"sizes": {i18n.M("This video is %s; the service takes videos up to %s. Cut out the part that matters, and add that.", i18n.SizeMessage(300<<20+1<<19), i18n.SizeMessage(250<<20)),
			"This video is 300.5 MB; the service takes videos up to 250 MB. Cut out the part that matters, and add that.", "Dieses Video hat 300,5\u00a0MB; der Dienst nimmt Videos bis 250\u00a0MB. Schneiden Sie den wichtigen Teil heraus, und fügen Sie diesen hinzu."},
		"bytes":         {i18n.BytesMessage(1234567), "1,234,567 bytes", "1.234.567\u00a0Byte"},
		"a count":       {i18n.CountMessage(1234), "1,234", "1.234"},
		"a wait":        {i18n.M("Assay asks again in %s.", i18n.WaitMessage(20*time.Second)), "Assay asks again in 20 s.", "Assay fragt in 20\u00a0s wieder an."},
		"a time of day": {i18n.ClockMessage(at), "15:04", "15:04"},
		"one of them":   {i18n.MN(1, "%s year", "%s years"), "1 year", "1 Jahr"},
		"several":       {i18n.MN(3000, "%s year", "%s years"), "3,000 years", "3.000 Jahren"},
		"two sentences": {i18n.Sentences(i18n.M("The download stopped moving."), i18n.Message{}, i18n.Verbatim("So.")),
			"The download stopped moving. So.", "Der Download steht still. So."},
		"no sentences": {i18n.Sentences(i18n.Message{}), "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			back := kept(t, c.m)
			use(t, "de", "")
			if got := back.String(); got != c.german {
				t.Errorf("in German %q", got)
			}
			use(t, "en", "")
			if got := back.String(); got != c.english {
				t.Errorf("in English %q", got)
			}
			if back.IsZero() != (c.english == "") {
				t.Error("whether it says nothing")
			}
		})
	}
}

func TestMessagesOfUnknownRecords(t *testing.T) {
	read := func(t *testing.T, record string) (i18n.Message, error) {
		t.Helper()
		var m i18n.Message
		err := json.Unmarshal([]byte(record), &m)
		return m, err
	}
	t.Run("a code that this Assay does not know is said in English", func(t *testing.T) {
		use(t, "de", "")
		if m, err := read(t, `{"code":"The moon (%s) is in the way.","args":["full"]}`); err != nil || m.String() != "The moon (full) is in the way." {
			t.Errorf("%q, %v", m, err)
		}
	})
	t.Run("a code that is said otherwise by now is said as it is now, in every language", func(t *testing.T) {
		i18n.Reword(t, "The file is void.", i18n.Plural{Other: "This file is empty."})
		use(t, "de", "")
		if m, err := read(t, `{"code":"The file is void."}`); err != nil || m.String() != "Diese Datei ist leer." {
			t.Errorf("%q, %v", m, err)
		}
	})
	t.Run("null and an empty text say nothing", func(t *testing.T) {
		for _, record := range []string{`null`, `""`} {
			if m, err := read(t, record); err != nil || !m.IsZero() {
				t.Errorf("%s: %q, %v", record, m, err)
			}
		}
		if record, err := json.Marshal(struct{ M i18n.Message }{}); err != nil || string(record) != `{"M":null}` {
			t.Errorf("%s, %v", record, err)
		}
	})
	t.Run("what is no message is an error", func(t *testing.T) {
		for _, record := range []string{`[]`, `true`, `{"code":1}`, `{"args":[[]]}`} {
			if m, err := read(t, record); err == nil {
				t.Errorf("%s: %q", record, m)
			}
		}
	})
	t.Run("what is filled in stays in its line", func(t *testing.T) {
		for _, text := range plaintest.Hostile() {
			for _, m := range []i18n.Message{i18n.Verbatim(text), i18n.M("The service says: “%s”", text), i18n.M("The service says: “%s”", i18n.Verbatim(text)), i18n.Sentences(i18n.Verbatim(text), i18n.Verbatim(text))} {
				plaintest.OneLine(t, kept(t, m).String())
			}
		}
	})
}

func TestMapChangesTextsFromOutsideAlone(t *testing.T) {
	m := i18n.Sentences(i18n.M("The service answered %d (%s).", 404, "key"), i18n.Verbatim("key, key"), i18n.M("This file is empty."))
	got := m.Map(func(text string) string { return strings.ReplaceAll(text, "key", "…") })
	if got.String() != "The service answered 404 (…). …, … This file is empty." {
		t.Errorf("%q", got)
	}
	if none := (i18n.Message{}).Map(strings.ToUpper); !none.IsZero() {
		t.Errorf("%q", none)
	}
}

// speaking is an error with a sentence in the language of the moment alone.
type speaking struct{}

func (speaking) Error() string    { return "log" }
func (speaking) Sentence() string { return "Said." }

// wrapping says what it has to say before what it wraps does.
type wrapping struct {
	speaking
	err error
}

func (w wrapping) Unwrap() error { return w.err }

func TestSentenceOfAnError(t *testing.T) {
	coded := &client.Error{Op: "t", Kind: client.KindBusy, Message: i18n.M("This file is empty."), Hint: i18n.M("Retry.")}
	for _, c := range []struct {
		err  error
		want string
	}{
		{fmt.Errorf("wrapped: %w", coded), "This file is empty. Retry."},
		{fmt.Errorf("wrapped: %w", speaking{}), "Said."},
		{wrapping{err: coded}, "Said."},
		{errors.Join(errors.New("log"), fmt.Errorf("wrapped: %w", coded)), "This file is empty. Retry."},
		{errors.Join(errors.New("log"), errors.New("log")), "It failed."},
		{errors.New("log"), "It failed."},
		{nil, "It failed."},
	} {
		if got := i18n.MessageOf(c.err, i18n.M("It failed.")).String(); got != c.want {
			t.Errorf("of %v: %q", c.err, got)
		}
	}
	if said, log := i18n.Sentence(speaking{}), i18n.Sentence(errors.New("log")); said != "Said." || log != "log" {
		t.Errorf("%q, %q", said, log)
	}
	use(t, "de", "")
	if got := i18n.Sentence(coded); got != "Diese Datei ist leer. Retry." {
		t.Errorf("in German %q", got)
	}
}

// TestCodesInRecordsAreSaid holds every code that a record may hold, now or ever, to be said still, or to be among the reworded.
func TestCodesInRecordsAreSaid(t *testing.T) {
	if testing.Short() {
		t.Skip("reads the whole source; no goroutine is in it")
	}
	raw, err := os.ReadFile("testdata/recorded.json")
	assert.NoError(t, err)
	var listed []string
	assert.NoError(t, json.Unmarshal(raw, &listed))
	said := texts(sourceOf(t).used)
	for _, code := range listed {
		if now, isReworded := i18n.Reworded(code); isReworded {
			code = now
		}
		if _, ok := said[code]; !ok {
			t.Errorf("records may hold %q, and nothing says it any more: put into reworded what does", code)
		}
	}
	var missing []string
	for code, u := range said {
		if u.kept && !slices.Contains(listed, code) {
			missing = append(missing, code)
		}
	}
	if len(missing) > 0 {
		slices.Sort(missing)
		t.Errorf("records may hold these: add them to testdata/recorded.json, from which nothing is ever taken:\n%s", strings.Join(missing, "\n"))
	}
}
