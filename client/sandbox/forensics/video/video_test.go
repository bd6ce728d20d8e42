package video

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"assay/client/assert"
	"assay/client/media/mediatest"
	"assay/client/sandbox/forensics"
	"assay/client/sandbox/forensics/forensicstest"

	"github.com/google/go-cmp/cmp"
)

func analysedClip(t *testing.T, data []byte) *Report {
	t.Helper()
	report, err := withoutFFmpeg.analyse(t.Context(), savedClip(t, data), nil)
	if err != nil {
		t.Fatalf("analyse: %v", err)
	}
	checkReport(t, report)
	return report
}

func TestTheContainersFactsAreReadWithoutFFmpeg(t *testing.T) {
	report := analysedClip(t, mp4Clip(itunesText("\xa9too", "Lavf60.16.100")))
	if report.Width != 640 || report.Height != 360 || report.Duration != 10 || !report.HasAudio {
		t.Errorf("%d × %d, %v s, audio %v; want 640 × 360, 10 s with audio", report.Width, report.Height, report.Duration, report.HasAudio)
	}
	common := map[string]any{
		"id": uint32(1), "duration": 10.0, "samples": uint32(250), "handler_name": "Core Media", "language": "eng",
		"created": "2024-05-31T11:33:20Z", "modified": "2024-06-01T11:33:20Z",
		"edits": []map[string]any{{"media_time": int64(40), "duration": uint64(10_000)}},
	}
	with := func(more map[string]any) map[string]any {
		for key, value := range common {
			more[key] = value
		}
		return more
	}
	want := map[string]any{
		"major_brand": "isom", "compatible_brands": []string{"isom", "iso2", "avc1", "mp41"}, "duration": 10.0,
		"created": "2024-05-31T11:33:20Z", "modified": "2024-06-01T11:33:20Z",
		"tracks": []map[string]any{
			with(map[string]any{"handler": "vide", "codec": "avc1", "compressor": "Lavc60 libx26", "width": 640, "height": 360, "rotation": 0}),
			with(map[string]any{"handler": "soun", "codec": "mp4a", "channels": 2, "sample_rate": 44_100}),
		},
		"texts": []map[string]any{{"where": "MP4", "key": "too", "value": "Lavf60.16.100"}},
		"notes": []string{"The container was changed after it was created."}, "fragmented": false, "index_before_media": true,
		"location_present": false, "c2pa_manifest": false, "c2pa_signature_verified": false,
	}
	if diff := cmp.Diff(want, report.Facts); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
}

func TestWithoutFFmpegTheClipIsUnevaluatedUnlessTheContainerDecides(t *testing.T) {
	t.Run("nothing declared", func(t *testing.T) {
		report := analysedClip(t, mp4Clip())
		frames := report.Models[1]
		if frames.Status != forensics.Unable || frames.Code != "model-error" || !strings.Contains(frames.Message, "ffmpeg is not installed") {
			t.Errorf("frames %s, %q, %q", frames.Status, frames.Code, frames.Message)
		}
		if report.Status != forensics.Unable || report.Score != nil || report.Models[2].Code != "model-error" || report.Scenes != nil || report.Thumbnail != nil {
			t.Errorf("report %s with %v, %v; want UNABLE_TO_EVALUATE and no frames", report.Status, report.Score, report.Models[2])
		}
	})
	t.Run("a declaration", func(t *testing.T) {
		if report := analysedClip(t, mp4Clip(itunesText("\xa9too", "HeyGen 2"))); report.Status != forensics.Fake || report.Models[1].Status != forensics.Unable {
			t.Errorf("report %s, frames %s", report.Status, report.Models[1].Status)
		}
	})
}

func TestWhatAFileSaysOfItself(t *testing.T) {
	xmp := `<x:xmpmeta xmlns:x="adobe:ns:meta/"><r Iptc4xmpExt:DigitalSourceType="http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia"/></x:xmpmeta>`
	store := forensicstest.Store(t, forensicstest.Manifest(t, "App", "trainedAlgorithmicMedia"))
	ingredient := forensicstest.Store(t, forensicstest.Manifest(t, "App", "trainedAlgorithmicMedia"), forensicstest.Manifest(t, "Editor", "humanEdits"))
	purpose := func(name string) string { return words32(0) + name + "\x00" }
	for name, c := range map[string]struct {
		data []byte
		want forensics.Status
		tool string
	}{
		"an encoder":                       {mp4Clip(itunesText("\xa9too", "Lavf60.16.100")), forensics.NotApplicable, ""},
		"an editor":                        {mp4Clip(quickTimeText("com.apple.quicktime.software", "Adobe Premiere Pro 24")), forensics.NotApplicable, ""},
		"a title about a generator":        {mp4Clip(itunesText("\xa9nam", "How OpenAI Sora works")), forensics.NotApplicable, ""},
		"a generator in iTunes' form":      {mp4Clip(itunesText("\xa9too", "OpenAI Sora")), forensics.Fake, "openai sora"},
		"a generator in QuickTime's form":  {mp4Clip(quickTimeText("com.apple.quicktime.software", "RunwayML Gen-3")), forensics.Fake, "runwayml"},
		"a generator in old QuickTime":     {mp4Clip(mp4Box("udta", mp4Box("\xa9swr", "\x00\x07\x55\xc4", "Kling A"), mp4Box("\xa9swr", "\x00\x08\x55\xc4", "Kling AI"), zeros(4))), forensics.Fake, "kling ai"},
		"ComfyUI's graph in a comment":     {mp4Clip(itunesText("\xa9cmt", `{"prompt": {"3": {"class_type": "KSampler"}}}`)), forensics.Fake, "ComfyUI"},
		"XMP":                              {withUUID(t, uuidXMP, xmp), forensics.Fake, ""},
		"XMP in udta":                      {mp4Clip(mp4Box("udta", mp4Box("XMP_", xmp))), forensics.Fake, ""},
		"a C2PA manifest":                  {withUUID(t, uuidC2PA, purpose("manifest"), zeros(8), store), forensics.Fake, ""},
		"a C2PA manifest of an ingredient": {withUUID(t, uuidC2PA, purpose("manifest"), zeros(8), ingredient), forensics.Fake, ""},
		"a C2PA box for hashes":            {withUUID(t, uuidC2PA, purpose("merkle"), zeros(8), store), forensics.NotApplicable, ""},
		"an empty C2PA box":                {withUUID(t, uuidC2PA), forensics.NotApplicable, ""},
	} {
		t.Run(name, func(t *testing.T) {
			report := analysedClip(t, c.data)
			m := report.Models[0]
			if m.Status != c.want {
				t.Errorf("%s, want %s: %v", m.Status, c.want, m.Data)
			}
			traces, _ := m.Data["traces"].([]map[string]any)
			if c.tool != "" && (len(traces) == 0 || traces[0]["tool"] != c.tool) {
				t.Errorf("traces %v, want %s", traces, c.tool)
			}
		})
	}
}

func TestAPlaceIsSaidToBeThereAndNotRepeated(t *testing.T) {
	report := analysedClip(t, mp4Clip(quickTimeText("com.apple.quicktime.location.ISO6709", "+48.1+011.5/")))
	if report.Facts["location_present"] != true || len(report.Facts["texts"].([]map[string]any)) != 0 {
		t.Errorf("facts %v", report.Facts)
	}
}

func TestOddButWholeClips(t *testing.T) {
	minimal := mediatest.Join
	movie := func(tracks ...string) string { return mp4Box("moov", append([]string{fullMvhd}, tracks...)...) }
	picture := mp4Track("vide", pictureEntry)
	turned := mp4Track("vide", pictureEntry, 0, 0x10000, 0, 0xffff0000, 0, 0, 0, 0, 0x40000000)
	media := mp4Box("mdat", zeros(10))
	large := words32(1) + "mdat" + words32(0, 26) + zeros(10)
	for name, c := range map[string]struct {
		data  []byte
		check func(*Report) bool
	}{
		"QuickTime without brands":     {minimal(mp4Box("wide"), media, movie(picture)), func(r *Report) bool { return r.Facts["index_before_media"] == false && !r.HasAudio }},
		"turned by a phone":            {minimal(movie(turned), media), func(r *Report) bool { return r.Width == 360 && r.Height == 640 }},
		"media to the end of the file": {minimal(movie(picture), words32(0), "mdat", zeros(9)), func(r *Report) bool { return r.Duration == 10 }},
		"a size of 64 bits":            {minimal(movie(picture), large), func(r *Report) bool { return r.Duration == 10 }},
		"bytes behind the last box": {append(mp4Clip(), "thumbnail of a phone"...), func(r *Report) bool {
			return strings.Contains(strings.Join(r.Facts["notes"].([]string), ""), "no box")
		}},
		"fragments": {minimal(mp4Box("ftyp", "iso5", words32(0)), movie(picture, mp4Box("mvex", mp4Box("mehd", words32(0, 25_000)))), mp4Box("moof"), media), func(r *Report) bool { return r.Duration == 25 && r.Facts["fragmented"] == true }},
		"damaged metadata": {mp4Clip(mp4Box("udta", words32(99), "meta")), func(r *Report) bool {
			return strings.Contains(strings.Join(r.Facts["notes"].([]string), ""), "metadata")
		}},
		"a text longer than its box says": {mp4Clip(mp4Box("udta", mp4Box("\xa9nam", "\xff\xff\x00\x00title"))), func(r *Report) bool { return len(r.Facts["texts"].([]map[string]any)) == 1 }},
	} {
		t.Run(name, func(t *testing.T) {
			if report := analysedClip(t, c.data); !c.check(report) {
				t.Errorf("report %+v", report)
			}
		})
	}
}

func TestDamagedClipsAreUnreadable(t *testing.T) {
	whole := mp4Clip()
	replaced := func(old, with string) []byte { return bytes.Replace(whole, []byte(old), []byte(with), 1) }
	sized := func(kind string, size int) []byte {
		data := bytes.Clone(whole)
		copy(data[bytes.Index(data, []byte(kind))-4:], words32(size))
		return data
	}
	mountains := mediatest.Read(t, "../../../../testdata/pictures/mountains.jpg")
	many := bytes.Repeat([]byte(mp4Box("free")), mostBoxes+1)
	for name, data := range map[string][]byte{
		"empty":                       nil,
		"a picture":                   mountains,
		"text":                        []byte("this is no clip at all, and never was one"),
		"cut in the media":            whole[:len(whole)-10],
		"cut in the description":      whole[:300],
		"cut in a header":             whole[:28],
		"no media":                    whole[:len(whole)-108],
		"no description":              replaced("moov", "free"),
		"two descriptions":            slices.Concat(whole, whole),
		"no picture track":            replaced("vide", "text"),
		"a size below its header":     sized("trak", 7),
		"a child beyond its parent":   sized("mdia", 0x7fffffff),
		"a size of 64 bits that wrap": mediatest.Join(mp4Box("free"), words32(1), "moov", words32(0xffffffff, 0xfffffff0)),
		"a list of 4 billion edits":   bytes.Replace(whole, []byte("elst"+words32(0, 1)), []byte("elst"+words32(0, 0xfffffffe)), 1),
		"an impossible size":          bytes.Replace(whole, []byte{2, 128, 1, 104}, []byte{255, 255, 255, 255}, 1),
		"more boxes than anyone has":  many,
	} {
		t.Run(name, func(t *testing.T) {
			report, err := withoutFFmpeg.analyse(t.Context(), savedClip(t, data), nil)
			var unreadable *forensics.Unreadable
			if !errors.As(err, &unreadable) || unreadable.Error() == "" {
				t.Errorf("got %+v, %v, want an *Unreadable", report, err)
			}
		})
	}
}

func TestAClipThatIsNotThereIsAnErrorOfTheFile(t *testing.T) {
	_, err := Analyse(t.Context(), filepath.Join(t.TempDir(), "gone.mp4"), nil)
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v, want fs.ErrNotExist", err)
	}
	var unreadable *forensics.Unreadable
	if _, err := Analyse(t.Context(), t.TempDir(), nil); !errors.As(err, &unreadable) {
		t.Errorf("a folder gives %v, want an *Unreadable", err)
	}
}

func TestTheOrderOfModelsAndTheEndOfTheContext(t *testing.T) {
	path := savedClip(t, mp4Clip())
	forensicstest.CheckRun(t, Models(), func(ctx context.Context, finished func(forensics.Model)) error {
		_, err := withoutFFmpeg.analyse(ctx, path, finished)
		return err
	})
}

func TestSoundNeedsATrackAndFFmpeg(t *testing.T) {
	silent := bytes.Replace(mp4Clip(), []byte("soun"), []byte("text"), 1)
	for name, c := range map[string]struct {
		data []byte
		want error
	}{
		"no sound track": {silent, ErrNoSoundTrack},
		"no ffmpeg":      {mp4Clip(), ErrNoFFmpeg},
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := withoutFFmpeg.audio(t.Context(), savedClip(t, c.data), &b); !errors.Is(err, c.want) || b.Len() != 0 {
				t.Errorf("got %v and %d bytes, want %v", err, b.Len(), c.want)
			}
		})
	}
	t.Run("another failure of the look-up", func(t *testing.T) {
		w := analyser{func() (string, error) { return "", fs.ErrPermission }}
		if err := w.audio(t.Context(), savedClip(t, mp4Clip()), new(bytes.Buffer)); !errors.Is(err, ErrNoFFmpeg) || !errors.Is(err, fs.ErrPermission) {
			t.Errorf("got %v, want ErrNoFFmpeg and its cause", err)
		}
	})
}

func TestFFmpegIsLookedForOnTheSearchPathAlone(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if program, err := findFFmpeg(); !errors.Is(err, ErrNoFFmpeg) {
		t.Errorf("found %q, %v, want ErrNoFFmpeg", program, err)
	}
	if err := Sound(t.Context(), savedClip(t, mp4Clip()), new(bytes.Buffer)); !errors.Is(err, ErrNoFFmpeg) {
		t.Errorf("VideoAudio gives %v, want ErrNoFFmpeg", err)
	}
}

// FuzzVideoBoxes feeds any bytes behind the beginning of a clip: they are refused,
// or make facts that can be sent.
func FuzzVideoBoxes(f *testing.F) {
	for _, seed := range [][]byte{
		mp4Clip(), mp4Clip(itunesText("\xa9too", "Lavf")), mp4Clip(quickTimeText("com.apple.quicktime.software", "x")),
		withUUID(f, uuidXMP, "<x DigitalSourceType='a'/>"),
		withUUID(f, uuidC2PA, words32(0), "manifest\x00", zeros(8), forensicstest.Store(f, forensicstest.Manifest(f, "a", "b"))),
		mp4Clip(mp4Box("udta", mp4Box("\xa9swr", "\x00\x01\x00\x00x"))), mp4Clip(mp4Box("mvex", mp4Box("mehd", words32(0, 9)))), []byte(mp4Box("ftyp")),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		facts, err := readFacts(t.Context(), bytes.NewReader(data), int64(len(data)))
		var unreadable *forensics.Unreadable
		if errors.As(err, &unreadable) {
			return
		}
		assert.NoError(t, err)
		w, h, step := filmLayout(facts)
		if w < leastFrameSide || h < leastFrameSide || w > mostFrameSide || h > mostFrameSide || !(step > 0) {
			t.Errorf("frames of %d × %d every %v s", w, h, step)
		}
		report := &Report{Facts: facts.asData(), Conclusions: map[string]string{}}
		for _, m := range []forensics.Model{judgeContainer(facts), {Name: framesName, Status: forensics.Unable, Message: "No."}} {
			report.Models = append(report.Models, m)
			report.Conclusions[m.Name] = conclusion(m)
		}
		sum := ensemble(report.Models)
		report.Models, report.Conclusions[sum.Name] = append(report.Models, sum), conclusion(sum)
		checkReport(t, report)
	})
}

func TestTheReadingOfAHugeClipTakesItsBoxesAlone(t *testing.T) {
	path := savedClip(t, nil)
	file, err := os.OpenFile(path, os.O_WRONLY, 0o600)
	assert.NoError(t, err)
	const size = 240 << 20 // sparse: takes no room on most systems
	clip := mp4Clip()
	copy(clip[len(clip)-108:], words32(108+size))
	if _, err := file.Write(clip); err != nil {
		t.Fatal(err)
	}
	assert.NoError(t, file.Truncate(int64(len(clip))+size))
	assert.NoError(t, file.Close())
	var before, behind runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := openFacts(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&behind)
	allocated := behind.TotalAlloc - before.TotalAlloc
	if allocated == 0 || allocated > 1<<20 {
		t.Errorf("%d bytes allocated for the boxes of a clip of 240 MB", allocated)
	}
}
