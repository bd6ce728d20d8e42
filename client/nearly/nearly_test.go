package nearly_test

import (
	"image"
	"image/color"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/events"
	"assay/client/media/mediatest"
	"assay/client/nearly"
	"assay/client/submission"
	"assay/client/vault"

	"github.com/disintegration/imaging"
)

func TestHintsForWhatIsNotSentYet(t *testing.T) {
	t.Run("name the result that is nearly the same, however it is held", func(t *testing.T) {
		f := setup(t)
		mountains := photo(t, "mountains.jpg")
		f.result("mountains.jpg", jpeg(t, mountains, 90), client.Fake)
		f.result("peaks.jpg", jpeg(t, photo(t, "peaks-composite.jpg"), 90), client.Authentic)
		other := f.held("dandelion.jpg", jpeg(t, photo(t, "dandelion.webp"), 90))
		kept := f.file("copy.jpg", resaved(t, mountains))
		kept.State, kept.Gate = submission.Stays, submission.GateNever
		f.put(kept)
		f.finder.Start()
		f.rested() // after the first result of before
		f.rested()
		hint := f.awaitHint(kept.ID)
		assert.Equal(t, "mountains.jpg FAKE 0", hint.Name+" "+string(hint.Status)+" "+string(rune('0'+hint.More)))
		sub, _ := f.queue.Get(other)
		_, hinted := f.finder.Hint(sub)
		assert.True(t, !hinted, "another picture has a hint")
		assert.Equal(t, []string{"mountains.jpg picture"}, f.near(kept.ID))
		assert.Equal(t, nil, f.near(other))
	})
	t.Run("come with an answer, count the others, and go with their own", func(t *testing.T) {
		f := setup(t)
		mountains := photo(t, "mountains.jpg")
		first, second := f.file("first.jpg", jpeg(t, mountains, 90)), f.file("second.jpg", jpeg(t, mountains, 80))
		f.put(first)
		f.put(second)
		waiting := f.held("waiting.jpg", resaved(t, mountains))
		f.finder.Start()
		f.put(answer(t, first, client.Suspicious))
		assert.Equal(t, "first.jpg", f.awaitHint(waiting).Name)
		f.put(answer(t, second, client.Fake))
		for f.awaitHint(waiting).More != 1 { //nolint:revive // until the second one counts
		}
		sub, _ := f.queue.Get(waiting)
		f.put(answer(t, sub, client.Authentic))
		last := f.held("last.jpg", jpeg(t, mountains, 20))
		f.awaitHint(last) // by then the one before was followed
		_, hinted := f.finder.Hint(sub)
		assert.True(t, !hinted, "what was answered still has a hint")
		assert.Equal(t, 3, len(f.near(last)))
	})
}

func TestOlderSubmissionsAreTakenInSlowly(t *testing.T) {
	f := setup(t)
	mountains := photo(t, "mountains.jpg")
	one, two := f.result("one.jpg", jpeg(t, mountains, 90), client.Fake), f.result("two.jpg", jpeg(t, mountains, 60), client.Fake)
	gone := f.result("gone.jpg", jpeg(t, mountains, 50), client.Fake)
	assert.NoError(t, os.Remove(gone.Path))
	changed := f.result("changed.jpg", jpeg(t, mountains, 40), client.Fake)
	content := jpeg(t, photo(t, "dandelion.webp"), 40)
	assert.NoError(t, os.WriteFile(changed.Path, append(content, make([]byte, max(0, int(changed.Size)-len(content)))...)[:changed.Size], 0o600))
	assert.NoError(t, os.Chtimes(changed.Path, changed.Modified, changed.Modified))
	f.result("damaged.jpg", []byte("no picture"), client.NotApplicable)
	f.result("text.txt", []byte("words"), client.Authentic)
	busy := make(chan bool, 1)
	busy <- true
	f.busy = func() bool {
		select {
		case b := <-busy:
			return b
		default:
			return false
		}
	}
	f.finder.Start()
	assert.True(t, f.rested() >= time.Second, "it does not wait for the queue")
	for range 5 {
		assert.True(t, f.rested() >= 100*time.Millisecond, "it does not rest")
	}
	assert.Equal(t, []string{"two.jpg picture"}, f.near(one.ID))
	assert.Equal(t, []string{"one.jpg picture"}, f.near(two.ID))
	assert.Equal(t, nil, f.near(changed.ID))
	assert.Equal(t, 5*time.Minute, f.rested()) // then what is in memory is let go of
	t.Run("and need their files no more in the next run, in which none is tried again", func(t *testing.T) {
		assert.NoError(t, os.Remove(one.Path))
		assert.NoError(t, os.Remove(two.Path))
		f.again()
		f.finder.Start()
		assert.Equal(t, []string{"two.jpg picture"}, f.near(one.ID))
		assert.Equal(t, 5*time.Minute, f.rested())
	})
	t.Run("and what has none is tried again after a week", func(t *testing.T) {
		f.now = noon.Add(8 * 24 * time.Hour)
		f.again()
		f.finder.Start()
		assert.True(t, f.rested() < 5*time.Minute, "it is not tried")
		assert.Equal(t, []string{"two.jpg picture"}, f.near(one.ID))
	})
	t.Run("and a look-up waits but a moment until all are read", func(t *testing.T) {
		f.again()
		release := nearly.HoldReading(f.finder)
		found := make(chan []string)
		go func() { found <- f.near(one.ID) }()
		assert.Equal(t, 150*time.Millisecond, f.rested())
		assert.Equal(t, nil, <-found)
		f.hinted.Take()
		release()
		<-f.hinted.Ready()
		assert.Equal(t, []string{"two.jpg picture"}, f.near(one.ID))
	})
}

func TestAnOriginalInTheVaultServesWhereThereIsNoFile(t *testing.T) {
	f := setup(t)
	mountains := photo(t, "mountains.jpg")
	link := f.file("clip", nil)
	link.Path, link.SHA256, link.Size, link.Modified, link.Link, link.Type = "", "", 0, time.Time{}, "https://pictures.example/1", ""
	link = answer(t, link, client.Fake)
	link.Result.MediaType = client.Image
	link.Result.Raw = []byte(strings.Replace(string(link.Result.Raw), `"mediaType": ""`, `"mediaType": "IMAGE"`, 1))
	f.put(link)
	waiting := f.held("copy.jpg", resaved(t, mountains))
	f.finder.Start()
	_, err := f.store.Keep(t.Context(), link.RequestID, vault.Original, "", func(w io.Writer) error {
		_, err := w.Write(jpeg(t, mountains, 90))
		return err
	})
	assert.NoError(t, err)
	f.events.Publish(events.Event{Topic: events.Artifacts, ID: link.ID})
	assert.Equal(t, link.ID, f.awaitHint(waiting).ID)
	assert.Equal(t, nil, f.near(link.ID)) // what waits is no result
}

func TestCroppedFramedAndCaptionedPicturesAreFound(t *testing.T) {
	f := setup(t)
	mountains := photo(t, "mountains.jpg")
	w, h := mountains.Rect.Dx(), mountains.Rect.Dy()
	f.result("mountains.jpg", jpeg(t, mountains, 90), client.Fake)
	captioned := imaging.Paste(mountains, imaging.New(w, h/6, color.White), image.Pt(0, h-h/6))
	var ids []string
	for name, img := range map[string]image.Image{
		"cropped.jpg":   imaging.CropCenter(mountains, w*9/10, h*9/10),
		"framed.jpg":    imaging.Paste(imaging.New(w*10/9, h*10/9, color.NRGBA{R: 40, G: 40, B: 44, A: 255}), mountains, image.Pt(w/18, h/18)),
		"captioned.jpg": captioned,
	} {
		ids = append(ids, f.held(name, jpeg(t, imaging.Resize(img, 900, 0, imaging.Linear), 70)))
	}
	f.finder.Start()
	for _, id := range ids {
		f.awaitHint(id)
		assert.Equal(t, []string{"mountains.jpg picture"}, f.near(id))
	}
}

func TestMirroredAndRotatedPicturesAreFound(t *testing.T) {
	f := setup(t)
	mountains := photo(t, "mountains.jpg")
	f.result("mountains.jpg", jpeg(t, mountains, 90), client.Fake)
	mirrored, rotated := f.held("mirrored.jpg", jpeg(t, imaging.FlipH(mountains), 70)), f.held("rotated.jpg", jpeg(t, imaging.Rotate90(mountains), 70))
	f.finder.Start()
	f.awaitHint(mirrored)
	assert.True(t, f.awaitHint(rotated).Oriented, "a rotated picture is said to be like it as it is")
	assert.Equal(t, []string{"mountains.jpg picture oriented"}, f.near(mirrored))
}

func TestClipsAndTheirFrames(t *testing.T) {
	f := setup(t)
	folder := t.TempDir()
	for name, of := range map[string]string{"1.jpg": "mountains.jpg", "2.jpg": "dogs-portrait.jpg", "3.jpg": "peaks-composite.jpg", "4.jpg": "dandelion.webp"} {
		assert.NoError(t, os.WriteFile(filepath.Join(folder, name), jpeg(t, imaging.Resize(photo(t, of), 640, 360, imaging.Linear), 90), 0o600))
	}
	slides := func(first, seconds string) []byte {
		return mediatest.Read(t, mediatest.Made(t, "slides.mp4", "-framerate", "1", "-start_number", first, "-i", "file:"+filepath.Join(folder, "%d.jpg"),
			"-t", seconds, "-r", "25", "-pix_fmt", "yuv420p"))
	}
	all := slides("1", "4")
	f.result("clip.mp4", all, client.Fake)
	smaller := mediatest.Read(t, mediatest.Made(t, "smaller.mov", "-i", mediatest.Saved(t, "clip.mp4", all), "-vf", "scale=320:-2", "-c:v", "mpeg4", "-q:v", "12"))
	f.result("picture.jpg", jpeg(t, photo(t, "peaks-composite.jpg"), 70), client.Authentic)
	part, copied := f.held("part.mp4", slides("2", "2")), f.held("copy.mov", smaller)
	still := f.held("still.jpg", jpeg(t, imaging.Resize(photo(t, "dandelion.webp"), 640, 360, imaging.Linear), 60))
	f.finder.Start()
	for range 2 {
		f.rested()
	}
	f.awaitHint(still)
	assert.Equal(t, []string{"clip.mp4 frame-of"}, f.near(still))
	assert.Equal(t, 2, len(f.near(part)))
	assert.True(t, strings.Contains(strings.Join(f.near(part), ", "), "clip.mp4 clip"), "%v", f.near(part))
	assert.True(t, strings.Contains(strings.Join(f.near(part), ", "), "picture.jpg has-frame"), "%v", f.near(part))
	assert.True(t, strings.Contains(strings.Join(f.near(copied), ", "), "clip.mp4 clip"), "%v", f.near(copied))
}

func TestRecordingsThatSoundAlike(t *testing.T) {
	mediatest.Program(t, "fpcalc")
	f := setup(t)
	melody := func(seed, name string, arguments ...string) []byte {
		return mediatest.Read(t, mediatest.Made(t, name, append([]string{
			"-f", "lavfi", "-i", "aevalsrc='0.3*sin(2*PI*t*(200+150*mod(floor(t*5)*" + seed + ",7)))':d=20:s=22050",
		}, arguments...)...))
	}
	f.result("statement.wav", melody("3", "statement.wav"), client.Fake)
	f.result("other.wav", melody("2", "other.wav"), client.Fake)
	waiting := f.held("forwarded.m4a", melody("3", "forwarded.m4a", "-b:a", "32k"))
	f.finder.Start()
	f.rested()
	f.rested()
	f.awaitHint(waiting)
	assert.Equal(t, []string{"statement.wav recording"}, f.near(waiting))
}
