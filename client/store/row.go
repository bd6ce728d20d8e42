package store

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"assay/client"
	"assay/client/i18n"
	"assay/client/plain"
	"assay/client/submission"
)

// column is a column of the table of submissions.
type column struct {
	name  string
	value func(*submission.Submission) any // to bind
	into  func(*submission.Submission) any // to scan into; nil: it is only written
}

func field[T any](name string, at func(*submission.Submission) *T) column {
	return column{name, func(s *submission.Submission) any { return *at(s) }, func(s *submission.Submission) any { return at(s) }}
}

func text[T ~string](name string, at func(*submission.Submission) *T) column {
	return column{name, func(s *submission.Submission) any { return string(*at(s)) }, func(s *submission.Submission) any { return at(s) }}
}

// line is a column of text that is shown as it is. An earlier Assay may have kept text from outside in it, just as it was sent.
func line(name string, at func(*submission.Submission) *string) column {
	return column{name, func(s *submission.Submission) any { return *at(s) }, func(s *submission.Submission) any { return lineInto{at(s)} }}
}

// lineInto scans a column made by line.
type lineInto struct{ text *string }

// Scan makes the kept text fit to be shown.
func (l lineInto) Scan(kept any) error {
	text, ok := kept.(string)
	if !ok {
		return fmt.Errorf("a %T is no text", kept)
	}
	*l.text = plain.From(text).String()
	return nil
}

// message is a column with an i18n.Message as JSON; "" for none.
func message(name string, at func(*submission.Submission) *i18n.Message) column {
	return column{name, func(s *submission.Submission) any { return messageJSON(*at(s)) }, func(s *submission.Submission) any { return messageInto{at(s)} }}
}

func messageJSON(m i18n.Message) string {
	if m.IsZero() {
		return ""
	}
	text, _ := m.MarshalJSON() // a message is JSON
	return string(text)
}

// messageInto scans a column made by message.
type messageInto struct{ message *i18n.Message }

// Scan reads a message's JSON. Any other text becomes a message that is shown as it is.
func (m messageInto) Scan(kept any) error {
	text, ok := kept.(string)
	if !ok {
		return fmt.Errorf("a %T is no message", kept)
	}
	*m.message = i18n.Message{}
	if text != "" && m.message.UnmarshalJSON([]byte(text)) != nil {
		*m.message = i18n.Verbatim(text)
	}
	return nil
}

// columns are all columns of a submission but its key, its answer, and what the person changes while it is in the queue: its note, its tags and its mark as graphic.
var columns = []column{
	text("id", func(s *submission.Submission) *string { return &s.ID }),
	text("source", func(s *submission.Submission) *submission.Source { return &s.Source }),
	text("state", func(s *submission.Submission) *submission.State { return &s.State }),
	text("step", func(s *submission.Submission) *submission.Step { return &s.Step }),
	field("paused", func(s *submission.Submission) *bool { return &s.Paused }),
	text("gate", func(s *submission.Submission) *submission.Gate { return &s.Gate }),
	field("neutral", func(s *submission.Submission) *bool { return &s.Neutral }),
	text("copy_path", func(s *submission.Submission) *string { return &s.Copy.Path }),
	text("copy_sha256", func(s *submission.Submission) *string { return &s.Copy.SHA256 }),
	field("copy_size", func(s *submission.Submission) *int64 { return &s.Copy.Size }),
	text("copy_removed", func(s *submission.Submission) *string { return &s.Copy.Removed }),
	text("copy_format", func(s *submission.Submission) *string { return &s.Copy.Format }),
	field("copy_metadata", func(s *submission.Submission) *bool { return &s.Copy.Metadata }),
	field("copy_from", func(s *submission.Submission) *time.Duration { return &s.Copy.Part.From }),
	field("copy_to", func(s *submission.Submission) *time.Duration { return &s.Copy.Part.To }),
	message("copy_note", func(s *submission.Submission) *i18n.Message { return &s.Copy.Note }),
	text("needs", func(s *submission.Submission) *submission.Need { return &s.Needs }),
	text("copies", func(s *submission.Submission) *submission.CopyRule { return &s.Copies }),
	text("colleagues", func(s *submission.Submission) *submission.ColleagueRule { return &s.Colleagues }),
	text("answered_by", func(s *submission.Submission) *string { return &s.AnsweredBy.Name }),
	field("part_from", func(s *submission.Submission) *time.Duration { return &s.Part.From }),
	field("part_to", func(s *submission.Submission) *time.Duration { return &s.Part.To }),
	text("folder", func(s *submission.Submission) *string { return &s.Folder }),
	field("filed", func(s *submission.Submission) *bool { return &s.Filed }),
	text("type", func(s *submission.Submission) *client.MediaType { return &s.Type }),
	field("size", func(s *submission.Submission) *int64 { return &s.Size }),
	line("name", func(s *submission.Submission) *string { return &s.Name }),
	text("link", func(s *submission.Submission) *string { return &s.Link }),
	text("request_id", func(s *submission.Submission) *string { return &s.RequestID }),
	text("earlier", func(s *submission.Submission) *string { return &s.Earlier }),
	text("path", func(s *submission.Submission) *string { return &s.Path }),
	text("sha256", func(s *submission.Submission) *string { return &s.SHA256 }),
	text("send_name", func(s *submission.Submission) *string { return &s.SendName }),
	message("warning", func(s *submission.Submission) *i18n.Message { return &s.Warning }),
	message("problem", func(s *submission.Submission) *i18n.Message { return &s.Problem }),
	field("anew", func(s *submission.Submission) *bool { return &s.Again }),
	text("recheck", func(s *submission.Submission) *string { return &s.Recheck }),
	field("asking_told", func(s *submission.Submission) *bool { return &s.Asking.Warned }),
	field("asking_refetch", func(s *submission.Submission) *bool { return &s.Asking.Refetch }),
	text("upload_url", func(s *submission.Submission) *string { return &s.Upload.SignedURL }),
	text("upload_request", func(s *submission.Submission) *string { return &s.Upload.RequestID }),
	{"accepted", func(s *submission.Submission) any { return timeValue(s.Accepted) }, func(s *submission.Submission) any { return timeInto{&s.Accepted} }},
	{"allowed", func(s *submission.Submission) any { return timeValue(s.Allowed) }, func(s *submission.Submission) any { return timeInto{&s.Allowed} }},
	{"uploaded", func(s *submission.Submission) any { return timeValue(s.Uploaded) }, func(s *submission.Submission) any { return timeInto{&s.Uploaded} }},
	{"answered", func(s *submission.Submission) any { return timeValue(s.Answered) }, func(s *submission.Submission) any { return timeInto{&s.Answered} }},
	{"answered_there", func(s *submission.Submission) any { return timeValue(s.AnsweredBy.At) }, func(s *submission.Submission) any { return timeInto{&s.AnsweredBy.At} }},
	{"modified", func(s *submission.Submission) any { return timeValue(s.Modified) }, func(s *submission.Submission) any { return timeInto{&s.Modified} }},
	{"asking_at", func(s *submission.Submission) any { return timeValue(s.Asking.At) }, func(s *submission.Submission) any { return timeInto{&s.Asking.At} }},
	{"upload_issued", func(s *submission.Submission) any { return timeValue(s.Upload.Issued) }, func(s *submission.Submission) any { return timeInto{&s.Upload.Issued} }},
	{"content", func(s *submission.Submission) any { return s.Content() }, nil},
	{"sort_name", func(s *submission.Submission) any { return sortName(s.Name) }, nil},
}

// names are the names of the columns that fit.
func names(fits func(column) bool) []string {
	var all []string
	for _, c := range columns {
		if fits(c) {
			all = append(all, c.name)
		}
	}
	return all
}

var (
	insertSubmission = "INSERT INTO submissions (key, note, tags, " + strings.Join(names(func(column) bool { return true }), ", ") +
		") VALUES (?, ?, ?" + strings.Repeat(", ?", len(columns)) + ")"

	updateSubmission = "UPDATE submissions SET " + strings.Join(names(func(column) bool { return true }), " = ?, ") + " = ? WHERE key = ?"

	// selectSubmission is completed with joins and conditions on s, the submissions, and a, their current answers.
	selectSubmission = "SELECT s.key, s.note, s.tags, s.graphic, a.raw, a.voice, s." + strings.Join(names(func(c column) bool { return c.into != nil }), ", s.") +
		" FROM submissions s LEFT JOIN answers a ON a.seq = s.answer "
)

// values are the values that insertSubmission and updateSubmission bind.
func values(sub *submission.Submission) []any {
	all := make([]any, len(columns))
	for i, c := range columns {
		all[i] = c.value(sub)
	}
	return all
}

// readSubmission reads a row of selectSubmission.
func readSubmission(row scanner) (submission.Submission, error) {
	var sub submission.Submission
	var raw, voice []byte
	into := []any{&sub.Key, &sub.Note, tagsInto{&sub.Tags}, &sub.Graphic, &raw, &voice}
	for _, c := range columns {
		if c.into != nil {
			into = append(into, c.into(&sub))
		}
	}
	if err := row.Scan(into...); err != nil {
		return submission.Submission{}, err
	}
	if raw != nil {
		var err error
		if sub.Result, err = readAnswer(raw, voice); err != nil {
			return submission.Submission{}, err
		}
	}
	return sub, nil
}

// readAnswer decodes an answer's JSON, with that of a clip's sound where there is one.
func readAnswer(raw, voice []byte) (*client.Result, error) {
	r, err := readResult(raw)
	if err == nil && voice != nil {
		r.Voice, err = readResult(voice)
	}
	return r, err
}

// readResult decodes a result's JSON, and keeps raw in it.
func readResult(raw []byte) (*client.Result, error) {
	r := new(client.Result)
	if !json.Valid(raw) || r.UnmarshalJSON(raw) != nil { // json.Unmarshal would look at each byte once more
		return nil, fmt.Errorf("%w: a kept answer is no result", ErrDamaged)
	}
	r.Raw = raw // with the white space around it
	return r, nil
}

// longestSortName is how many letters of a name count in the order by name.
const longestSortName = 200

func sortName(name string) string {
	letters := []rune(strings.ToLower(name))
	return string(slices.Clip(letters[:min(len(letters), longestSortName)]))
}

// rowText are the text columns of a Row.
const rowText = "s.id, s.name, s.link, s.note, s.request_id, s.source, s.folder, s.type, s.status, CASE WHEN s.changed THEN s.was_status ELSE '' END, " +
	"s.answered_by, CASE s.graphic WHEN 0 THEN '' ELSE 'graphic' END"

// rowColumns are the columns of a Row. The texts come as one column: the driver's work for each cell takes longer than all else in reading a row.
const rowColumns = "s.key, s.size, s.accepted, s.answered, concat_ws(char(31), " + rowText + ")"

// separator separates the texts; a row with it in a text is read again.
const separator = "\x1f"

// rowReader reads rows.
type rowReader struct {
	cells, into []any
	odd         []int64 // the keys of rows with a separator in their texts
}

// newRowReader reads rowColumns, followed by more columns.
func newRowReader(more int) *rowReader {
	r := &rowReader{cells: make([]any, 5+more)}
	for i := range r.cells {
		r.into = append(r.into, &r.cells[i]) // any: database/sql converts slowly
	}
	return r
}

// cell is the value of a cell; an error says that it is damaged, where it is of another type.
func cell[T any](r *rowReader, i int) (T, error) {
	value, ok := r.cells[i].(T)
	if !ok {
		return value, fmt.Errorf("%w: a cell holds a %T", ErrDamaged, r.cells[i])
	}
	return value, nil
}

// read scans the current row.
func (r *rowReader) read(from scanner) (row Row, err error) {
	if err := from.Scan(r.into...); err != nil {
		return Row{}, err
	}
	if row.Key, err = cell[int64](r, 0); err != nil {
		return Row{}, err
	}
	if row.Size, err = cell[int64](r, 1); err != nil {
		return Row{}, err
	}
	texts, err := cell[string](r, 4)
	if err != nil {
		return Row{}, err
	}
	if err := (timeInto{&row.Accepted}).Scan(r.cells[2]); err != nil {
		return Row{}, err
	}
	if err := (timeInto{&row.Answered}).Scan(r.cells[3]); err != nil {
		return Row{}, err
	}
	var graphic string
	all := row.texts(&graphic)
	if strings.Count(texts, separator)+1 != len(all) {
		r.odd = append(r.odd, row.Key)
		return row, nil
	}
	for _, into := range all {
		*into, texts, _ = strings.Cut(texts, separator)
	}
	row.Name, row.Graphic = plain.From(row.Name).String(), graphic != ""
	return row, nil
}

// texts are where the columns of rowText are scanned to.
func (row *Row) texts(graphic *string) [12]*string {
	return [...]*string{&row.ID, &row.Name, &row.Link, &row.Note, &row.RequestID, (*string)(&row.Source), &row.Folder, (*string)(&row.Type), (*string)(&row.Status),
		(*string)(&row.Was), &row.AnsweredBy, graphic}
}

// complete reads the texts of odd rows, one by one.
func (r *rowReader) complete(ctx context.Context, c *connection, rows []Row) error {
	for _, key := range r.odd {
		for i := range rows {
			if rows[i].Key != key {
				continue
			}
			var graphic string
			into := []any{}
			for _, text := range rows[i].texts(&graphic) {
				into = append(into, text)
			}
			if _, err := c.one(ctx, into, "SELECT "+rowText+" FROM submissions s WHERE s.key = ?", key); err != nil {
				return err
			}
			rows[i].Name, rows[i].Graphic = plain.From(rows[i].Name).String(), graphic != ""
		}
	}
	return nil
}

// timeInto scans a time: nanoseconds since 1970, or NULL for the zero time. A time that nanoseconds can't count to, such as a file's date from the
// year 2500, is kept as the text "s", the seconds, a point and nine digits. Either way no digit is lost. The time read is local time.
type timeInto struct{ *time.Time }

// timeValue returns the value to bind.
func timeValue(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	if seconds := t.Unix(); seconds <= math.MinInt64/1_000_000_000 || seconds >= math.MaxInt64/1_000_000_000 {
		return fmt.Sprintf("s%d.%09d", seconds, t.Nanosecond())
	}
	return t.UnixNano()
}

// Scan reads a value of timeValue.
func (m timeInto) Scan(kept any) error {
	switch kept := kept.(type) {
	case nil:
		*m.Time = time.Time{}
	case int64:
		*m.Time = time.Unix(0, kept)
	case string:
		var seconds, nanoseconds int64
		if _, err := fmt.Sscanf(kept, "s%d.%d", &seconds, &nanoseconds); err != nil {
			return fmt.Errorf("%q is no time: %w", kept, err)
		}
		*m.Time = time.Unix(seconds, nanoseconds)
	default:
		return fmt.Errorf("a %T is no time", kept)
	}
	return nil
}
