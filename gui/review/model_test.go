package review_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"assay/client"
	"assay/client/assert"
	"assay/client/i18n"
	"assay/client/media/facts"
	"assay/client/media/strip"
	"assay/client/submission"
	"assay/client/verdict"
	"assay/gui/present"
	"assay/gui/review"
)

// heldPicture waits for the person's word.
func heldPicture(id string) submission.Submission {
	return submission.Submission{ID: id, Path: "/in/" + id + ".jpg", Name: id + ".jpg", SendName: id + "-1a2b3c4d.jpg", Type: client.Image, Size: 3 << 20,
		SHA256: strings.Repeat("ab", 32), State: submission.Held, Gate: submission.GateAsk}
}

// telling are the facts of a picture that says where it was made and with what.
func telling() facts.Facts {
	return facts.Facts{Format: facts.JPEG, Thumbnail: true, EXIF: []facts.Field{
		{Key: "ExposureTime", Label: "Exposure", Value: "1/60 s"},
		{Key: "BodySerialNumber", Label: "Camera's serial number", Value: "12345", Identifying: true},
		{Key: "GPSPosition", Label: "Position", Value: "52.5 N, 13.4 E", Identifying: true},
	}}
}

// lines are a sheet's lines as a person reads them.
func lines(all []review.Line) (said []string) {
	for _, l := range all {
		said = append(said, l.Label+": "+l.Value)
	}
	return said
}

// rows are the table's lines as a person reads them.
func rows(all []review.Row) (said []string) {
	for _, r := range all {
		said = append(said, r.Label+": "+r.AsItIs+" | "+r.Copy)
	}
	return said
}

func TestTheSheetSaysWhatWouldLeave(t *testing.T) {
	t.Run("at once, and what the file says as soon as it was read", func(t *testing.T) {
		l := review.NewReview([]submission.Submission{heldPicture("a")}, "api.example.org")
		s := l.Content(review.Choice{})
		want := []string{"Name as sent: a-1a2b3c4d.jpg | ", "Size: 3 MB | ", "SHA-256: " + strings.Repeat("ab", 32) + " | ", "Goes to: api.example.org | "}
		if got := rows(s.Rows); !slices.Equal(got, want) {
			t.Errorf("%q", got)
		}
		if s.Title != "Send a.jpg?" || s.Kind != "Picture" || s.To != "Nothing has left this computer." || s.Pending == "" || s.Send != "Send without waiting" || len(s.Finds) > 0 || s.Copy.Possible || !s.Copy.Offered {
			t.Errorf("%+v", s)
		}
		l.Looked("a", telling(), nil)
		s = l.Content(review.Choice{})
		if s.Pending != "" || s.Send != "Send" || !s.Copy.Possible {
			t.Errorf("%+v", s)
		}
		found := lines(s.Finds)
		if len(found) != 3 || !strings.Contains(found[0], "52.5 N") || !strings.Contains(found[1], "12345") {
			t.Errorf("what identifies, the position first: %q", found)
		}
		if got := lines(s.Other); !slices.Equal(got, []string{"Exposure: 1/60 s"}) || s.OtherMany != "1 other field" {
			t.Errorf("besides: %q, %q", got, s.OtherMany)
		}
	})
	t.Run("under the name that is chosen", func(t *testing.T) {
		l := review.NewReview([]submission.Submission{heldPicture("jane")}, "")
		s := l.Content(review.Choice{NeutralName: true})
		if got := rows(s.Rows); got[0] != "Name as sent: picture-1a2b3c4d.jpg | " || got[3] != "Goes to: the sandbox, which runs on this computer | " {
			t.Errorf("%q", got)
		}
	})
	t.Run("what a copy would be, beside it", func(t *testing.T) {
		l := review.NewReview([]submission.Submission{heldPicture("a")}, "")
		said := telling()
		said.Width, said.Height = 4000, 3000
		l.Looked("a", said, nil)
		l.Summed("a", review.Sum{Size: 2 << 20, SHA256: "6e6f"})
		s := l.Content(review.Choice{})
		if got := rows(s.Rows); got[0] != "Name as sent: a-1a2b3c4d.jpg | a-1a2b3c4d.jpg" || got[1] != "Size: 3 MB | 2 MB" || !strings.HasSuffix(got[2], " | 6e6f") {
			t.Errorf("%q", got)
		}
		if s.Kind != "JPEG picture · 4000 × 3000" {
			t.Errorf("%q", s.Kind)
		}
	})
	t.Run("that there is no metadata to take out, where the copy would be the same", func(t *testing.T) {
		clean := heldPicture("a")
		l := review.NewReview([]submission.Submission{clean}, "")
		l.Looked("a", facts.Facts{Format: facts.PNG}, nil)
		l.Summed("a", review.Sum{Size: clean.Size, SHA256: clean.SHA256})
		if s := l.Content(review.Choice{}); s.Copy.Possible || s.Copy.Means != "There is no metadata in it to take out." || strings.Contains(s.Noted, "both") {
			t.Errorf("%+v, %q", s.Copy, s.Noted)
		}
	})
	t.Run("in the sandbox, that nothing leaves", func(t *testing.T) {
		s := review.NewReview([]submission.Submission{heldPicture("a")}, "").Content(review.Choice{})
		if s.Title != "Check a.jpg in the sandbox?" || s.To != "Nothing leaves this computer." {
			t.Errorf("%q, %q", s.Title, s.To)
		}
		l := review.NewReview([]submission.Submission{heldPicture("a"), heldPicture("b")}, "")
		l.SetTogether(true)
		if s := l.Content(review.Choice{}); s.Title != "Check all 2 in the sandbox?" || s.To != "Nothing leaves this computer." {
			t.Errorf("%q, %q", s.Title, s.To)
		}
	})
	t.Run("of several, one after another", func(t *testing.T) {
		l := review.NewReview([]submission.Submission{heldPicture("a"), heldPicture("b"), heldPicture("c")}, "")
		at := func() string {
			words, before, after := l.Steps()
			return fmt.Sprint(l.Current(), " ", words, " ", before, " ", after)
		}
		l.Sampled("a", review.Sample{Text: "of a"})
		l.Step(-1)
		if got := at(); got != "a 1 of 3 false true" {
			t.Errorf("%q", got)
		}
		l.Step(1)
		if sample, _ := l.Sample(); sample.Text != "" {
			t.Error("that of another is shown")
		}
		l.Drop("a")
		if got := at(); got != "b 1 of 2 false true" {
			t.Errorf("%q", got)
		}
		l.Step(1)
		l.Drop("c")
		if got := at(); got != "b  false false" {
			t.Errorf("%q", got)
		}
	})
	t.Run("that nothing known of is in it, and what could not be read", func(t *testing.T) {
		l := review.NewReview([]submission.Submission{heldPicture("a")}, "")
		l.Looked("a", facts.Facts{Format: facts.PNG, Notes: []string{"The text could not be read."}}, nil)
		if s := l.Content(review.Choice{}); !strings.HasPrefix(s.FindsNote, "Nothing in it identifies") || !strings.HasSuffix(s.FindsNote, "could not be read.") {
			t.Errorf("%q", s.FindsNote)
		}
	})
	t.Run("that it could not be read fully, before all that was found", func(t *testing.T) {
		l := review.NewReview([]submission.Submission{heldPicture("a")}, "")
		cut := telling()
		cut.Incomplete, cut.Notes = true, []string{facts.IncompleteText(), "Not all of the XMP data could be read."}
		l.Looked("a", cut, nil)
		if s := l.Content(review.Choice{}); s.Warning != "Assay could not read all of this file. It may contain more." || s.FindsNote != "Not all of the XMP data could be read." || len(s.Finds) != 3 {
			t.Errorf("%+v", s)
		}
		l.Looked("a", facts.Facts{Format: facts.PNG, Incomplete: true}, nil)
		if s := l.Content(review.Choice{}); s.Warning == "" || !strings.HasPrefix(s.FindsNote, "Nothing that identifies") || strings.Contains(s.FindsNote, "as far as Assay knows") {
			t.Errorf("%+v", s)
		}
		l.Looked("a", telling(), nil)
		if s := l.Content(review.Choice{}); s.Warning != "" {
			t.Errorf("%+v", s)
		}
	})
	t.Run("why no copy can be made of this very file", func(t *testing.T) {
		l := review.NewReview([]submission.Submission{heldPicture("a")}, "")
		l.Looked("a", telling(), nil)
		l.NoCopy("a", strip.ErrDamaged)
		if s := l.Content(review.Choice{}); s.Copy.Possible || s.Copy.Means != strip.ErrDamaged.Sentence() {
			t.Errorf("%+v", s.Copy)
		}
	})
	t.Run("why no copy can be made", func(t *testing.T) {
		l := review.NewReview([]submission.Submission{heldPicture("a")}, "")
		l.Looked("a", facts.Facts{Format: facts.PDF}, nil)
		if s := l.Content(review.Choice{}); s.Copy.Possible || s.Copy.Means == "" {
			t.Errorf("%+v", s.Copy)
		}
	})
	t.Run("what a copy loses", func(t *testing.T) {
		l := review.NewReview([]submission.Submission{heldPicture("a")}, "")
		l.Looked("a", facts.Facts{Format: facts.MP4, Tracks: []string{"Subtitles"}, Credentials: facts.Credentials{State: facts.NotConfirmed}}, nil)
		if s := l.Content(review.Choice{}); !strings.Contains(s.Copy.Means, "credentials are lost") || !strings.Contains(s.Copy.Means, "tracks are lost") {
			t.Errorf("%q", s.Copy.Means)
		}
	})
	t.Run("that it can't be read", func(t *testing.T) {
		l := review.NewReview([]submission.Submission{heldPicture("a")}, "")
		l.Looked("a", facts.Facts{}, errors.New("gone"))
		if s := l.Content(review.Choice{}); !strings.HasPrefix(s.FindsNote, "What the file says about itself can't be shown.") || s.Copy.Possible || s.Pending != "" {
			t.Errorf("%+v", s)
		}
	})
	t.Run("why it waits again", func(t *testing.T) {
		again := heldPicture("a")
		again.Problem = i18n.Verbatim("The copy was gone.")
		if s := review.NewReview([]submission.Submission{again}, "").Content(review.Choice{}); s.Problem != "The copy was gone." {
			t.Errorf("%+v", s)
		}
	})
	t.Run("of a text, that nobody looks for names in it", func(t *testing.T) {
		text := heldPicture("a")
		text.Type = client.Text
		s := review.NewReview([]submission.Submission{text}, "").Content(review.Choice{})
		if !strings.Contains(s.FindsNote, "does not look for names") || s.Copy.Offered || !s.Neutral.Offered {
			t.Errorf("%+v", s)
		}
	})
	t.Run("of a picture that goes by a text's name, what is in the picture", func(t *testing.T) {
		disguised := heldPicture("a")
		disguised.Type, disguised.Name = client.Text, "notes.txt"
		l := review.NewReview([]submission.Submission{disguised}, "")
		l.Looked("a", telling(), nil)
		if s := l.Content(review.Choice{}); len(s.Finds) != 3 || !s.Copy.Possible || strings.Contains(s.FindsNote, "does not look for names") {
			t.Errorf("%+v", s)
		}
		l = review.NewReview([]submission.Submission{disguised, heldPicture("b")}, "")
		l.SetTogether(true)
		l.Looked("a", telling(), nil)
		if s := l.Content(review.Choice{}); len(s.Finds) == 0 || strings.Contains(s.FindsNote, "1 text") {
			t.Errorf("of several: %+v", s)
		}
	})
	t.Run("of a link, the link", func(t *testing.T) {
		link := submission.Submission{ID: "l", Link: "https://posts.example/1?a=b\u202e", Name: "posts.example/1", State: submission.Held, Gate: submission.GateAsk}
		l := review.NewReview([]submission.Submission{link}, "")
		s := l.Content(review.Choice{})
		if sample, _ := l.Sample(); sample.Text != "https://posts.example/1?a=b\ufffd" {
			t.Errorf("%q", sample.Text)
		}
		if got := rows(s.Rows); !slices.Equal(got, []string{"Goes to: the sandbox, which runs on this computer | "}) || s.Copy.Offered || s.Neutral.Offered || s.Pending != "" || s.Send != "Send" {
			t.Errorf("%+v", s)
		}
	})
	t.Run("of none, nothing", func(t *testing.T) {
		l := review.NewReview([]submission.Submission{heldPicture("a")}, "")
		l.Drop("a")
		if len(l.IDs()) > 0 {
			t.Errorf("%v", l.IDs())
		}
		l.Content(review.Choice{})
	})
}

// heldHEIC waits for the person's word, and is sent as a copy.
func heldHEIC() submission.Submission {
	s := heldPicture("a")
	s.Name, s.SendName, s.Needs = "a.heic", "a-1a2b3c4d.heic", submission.NeedsCopy
	return s
}

func TestTheSheetSaysThatACopyWouldLeave(t *testing.T) {
	l := review.NewReview([]submission.Submission{heldHEIC()}, "api.example.org")
	s := l.Content(review.Choice{})
	if s.Heads != [2]string{"Copy as JPEG", "Without metadata"} || !strings.HasPrefix(s.Pending, "Making the copy") && !strings.HasPrefix(s.Pending, "Looking") {
		t.Errorf("%q, %q", s.Heads, s.Pending)
	}
	if want := "The service does not take this kind of file. Assay makes a copy in JPEG format, and the copy is analysed. The file itself stays here."; s.Copied != want {
		t.Errorf("%q", s.Copied)
	}
	if got := rows(s.Rows); got[0] != "Name as sent: a-1a2b3c4d.jpg | " || got[1] != "Size:  | " || got[2] != "SHA-256:  | " || got[3] != "File's SHA-256: "+strings.Repeat("ab", 32)+" | " {
		t.Errorf("%q", got)
	}
	said := telling()
	said.Format = facts.HEIF
	l.Looked("a", said, nil)
	if s := l.Content(review.Choice{}); !strings.HasPrefix(s.Pending, "Making the copy") || !s.Plain.Possible || !s.Copy.Possible || len(s.Finds) != 3 || s.Kind != "HEIF picture" {
		t.Errorf("%+v", s)
	}
	l.Made("a", review.Made{Sum: review.Sum{Size: 2 << 20, SHA256: "cdcd"}, Extension: ".jpg", Format: "JPEG", Note: "The file has 2 pages. The copy has only the first."})
	l.Summed("a", review.Sum{Size: 1 << 20, SHA256: "efef"})
	s = l.Content(review.Choice{NeutralName: true})
	if got := rows(s.Rows); got[0] != "Name as sent: picture-1a2b3c4d.jpg | picture-1a2b3c4d.jpg" || got[1] != "Size: 2 MB | 1 MB" || got[2] != "SHA-256: cdcd | efef" {
		t.Errorf("%q", got)
	}
	if s.Pending != "" || !strings.HasSuffix(s.Copied, "The copy has only the first.") || s.Noted != "The custody log notes your choice and both SHA-256." || !strings.Contains(s.Plain.Means, "JPEG copy") {
		t.Errorf("%+v", s)
	}
	t.Run("and why there can be none", func(t *testing.T) {
		l.Made("a", review.Made{Err: strip.ErrDamaged})
		if s := l.Content(review.Choice{}); s.Plain.Possible || s.Copy.Possible || s.Plain.Means != strip.ErrDamaged.Sentence() || s.Pending != "" {
			t.Errorf("%+v", s)
		}
	})
	t.Run("of how many of several", func(t *testing.T) {
		l := review.NewReview([]submission.Submission{heldHEIC(), heldPicture("b")}, "api.example.org")
		l.SetTogether(true)
		if s := l.Content(review.Choice{}); !strings.HasPrefix(s.Copied, "The service does not take 1 of these files as it is") {
			t.Errorf("%q", s.Copied)
		}
	})
}

func TestTheSheetOfSeveralCounts(t *testing.T) {
	var subs []submission.Submission
	for i := range 5 {
		subs = append(subs, heldPicture(fmt.Sprint("f", i)))
	}
	text := heldPicture("text")
	text.Type = client.Text
	link := submission.Submission{ID: "link", Link: "https://posts.example/1", State: submission.Held, Gate: submission.GateAsk}
	l := review.NewReview(append(subs, text, link), "api.example.org")
	l.SetTogether(true)
	l.Looked("f0", telling(), nil)
	l.Looked("f1", telling(), nil)
	l.Looked("f2", facts.Facts{Format: facts.PNG}, nil)
	l.Looked("f3", facts.Facts{}, errors.New("gone"))
	l.Looked("text", facts.Facts{Format: facts.Text}, nil)
	s := l.Content(review.Choice{NeutralName: true})
	if s.To != "7 files and links would go to api.example.org. Nothing has left this computer." || s.Pending != "1 file was not looked at yet…" {
		t.Errorf("%q, %q", s.To, s.Pending)
	}
	found := lines(s.Finds)
	if len(found) != 3 || found[0] != "Position: in 2 files" || found[1] != "Serial numbers: in 2 files" {
		t.Errorf("%q", found)
	}
	for _, part := range []string{"Nothing identifies in 1 file,", "What 1 file says about itself can't be shown.", "1 text is sent as it is", "The service fetches"} {
		if !strings.Contains(s.FindsNote, part) {
			t.Errorf("%q is not in %q", part, s.FindsNote)
		}
	}
	if !s.Copy.Possible || !strings.Contains(s.Copy.Means, "No copy can be made of 1 file: it is not sent, and waits for your decision.") {
		t.Errorf("%+v", s.Copy)
	}
	if len(s.Files) != 7 || !strings.HasPrefix(s.Files[0], "picture-1a2b3c4d.jpg · 3 MB · Position, Serial numbers") || s.Files[6] != "https://posts.example/1" || !strings.HasSuffix(s.Files[4], "not looked at yet") {
		t.Errorf("%q", s.Files)
	}
	t.Run("which could not be read fully, and of which no copy can be made", func(t *testing.T) {
		l.Looked("f2", facts.Facts{Format: facts.PNG, Incomplete: true}, nil)
		l.NoCopy("f2", strip.ErrDamaged)
		s := l.Content(review.Choice{})
		if s.Warning != "1 file could not be read fully: it may hold more." || strings.Contains(s.FindsNote, "Nothing identifies") || !strings.HasSuffix(s.Files[2], "not read fully") ||
			!strings.Contains(s.Copy.Means, "No copy can be made of 2 files") {
			t.Errorf("%+v", s)
		}
	})
	t.Run("and names only so many", func(t *testing.T) {
		many := make([]submission.Submission, 1201)
		for i := range many {
			many[i] = heldPicture(fmt.Sprint(i))
		}
		l := review.NewReview(many, "")
		l.SetTogether(true)
		s := l.Content(review.Choice{})
		if len(s.Files) != 200 || s.FilesMore != "and 1,001 more" {
			t.Errorf("%d, %q", len(s.Files), s.FilesMore)
		}
	})
}

func TestTheSheetSaysWhatIsNearlyTheSame(t *testing.T) {
	asked := review.NewReview([]submission.Submission{heldPicture("a")}, "https://service.example")
	asked.NearTo("a", present.NearHint{Line: "Nearly the same as a picture that Rui shared (likely manipulated, checked 3 Nov)", Mark: verdict.MarkFake, Case: "case"})
	sheet := asked.Content(review.Choice{})
	assert.Equal(t, review.CheckedContent{Mark: verdict.MarkFake, Headline: "Nearly the same as a picture that Rui shared (likely manipulated, checked 3 Nov)",
		Detail: "A hint: each file keeps its own verdict", Case: present.Case{ID: "case"}}, sheet.Checked)
	assert.True(t, !sheet.Use.Offered && sheet.Send != "Send anyway", "a hint is taken for an answer")
}
