package gui

import (
	"os"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/custody"
	"assay/client/media/mediatest"
	"assay/client/sandbox"
	"assay/client/submission"
	"assay/gui/guitest"
	"assay/gui/present"
)

// A clip over the service's limit waits in the inbox until a part of it is chosen, which is sent, and nothing else of it.
func TestAPartOfAClipThatIsTooLargeIsSent(t *testing.T) {
	box, server := newSandbox(t, sandbox.Options{}, nil)
	d := setupOn(t, newClient(t, client.Options{BaseURL: server.URL, Key: box.Key}), sessionOptions{pollMin: 20 * time.Millisecond, copies: true})
	path := mediatest.Made(t, "harbour.mp4", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=8", "-pix_fmt", "yuv420p", "-g", "25", "-sc_threshold", "0")
	assert.NoError(t, os.Truncate(path, 300<<20)) // what follows the clip is a hole, which ffmpeg passes over
	d.drop(path)
	var id string
	d.Until("it waits for the person", func() bool {
		for _, s := range d.Queue.All() {
			if id = s.ID; s.State == submission.Held {
				return true
			}
		}
		return false
	})
	d.Until("its row says so", func() bool {
		return guitest.Reads(d.top(), "Too large: choose a part") && guitest.Reads(d.top(), "Choose a part…")
	})
	d.act([]string{id}, present.Approve)
	d.Until("the sheet knows the clip", func() bool { return d.sheetSays("Choose a part of harbour.mp4") && d.sheetSays("of at most 250 MB") })
	d.window.Canvas().OnTypedRune()('o') // at the beginning, from where nothing could go
	d.Until("it is said", func() bool { return d.sheetSays("The end must come after the beginning.") })
	d.parts.Leave()
	d.press("Not now")
	if s, _ := d.Queue.Get(id); s.State != submission.Held {
		t.Fatalf("it is %q", s.State)
	}

	assert.NoError(t, d.Store.SetGraphic(t.Context(), []string{id}, true)) // which the queue is not told
	d.act([]string{id}, present.Approve)
	d.Until("the sheet knows the clip, and has it covered", func() bool { return d.sheetSays("of at most 250 MB") && d.sheetSays("Show as it is") })
	d.press("Send this part")
	var got submission.Submission
	d.Until("it is answered", func() bool { got, _ = d.Queue.Get(id); return got.State == submission.Done })
	part := got.Copy.Part
	if part.From != 0 || part.To < 4*time.Second || part.To > 7*time.Second || got.Copy.Size > 250<<20 || got.Copy.SHA256 == got.SHA256 || len(got.SHA256) != 64 {
		t.Errorf("sent was %+v of %s", got.Copy, got.SHA256)
	}
	d.open(id)
	d.Until("the viewer says which part it shows", func() bool { return guitest.Reads(d.top(), "part 00:00–00:0") })
	shown, err := newSubmissions(d.Queue, d.Store, d.Client, d.Keep, time.Now).OpenOriginal(t.Context(), id)
	assert.NoError(t, err)
	defer shown.Close() //nolint:errcheck // of a test
	if info, err := shown.Stat(); err != nil || info.Size() != got.Copy.Size {
		t.Errorf("the viewer plays %v, %v, not the part that was sent", info, err)
	}
	entries, err := d.Store.Custody(t.Context(), id)
	assert.NoError(t, err)
	approved := false
	for _, e := range entries {
		approved = approved || e.Event == custody.ApprovedAsCopy
	}
	assert.True(t, approved, "the log does not say that it was allowed: %v", entries)
}
