package gui

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"assay/client/assert"
	"assay/gui/guitest"
	"assay/gui/kit"
	"assay/gui/present"
)

func TestDetailsOfUnexpectedShapeOnScreen(t *testing.T) {
	if testing.Short() {
		t.Skip("the whole app is opened anew for each input; the race detector sees it elsewhere")
	}
	e := setupEvidence(t)
	defer func() { e.window.Canvas().Capture() }() // what is shown last can be painted
	for what, c := range map[string]struct{ aggregation, notice, tree string }{
		"an array":             {`[1, {"bboxes": []}]`, "The details of the analysis can't be read.", "bboxes"},
		"a text":               {`"all is well"`, "The details of the analysis can't be read.", "all is well"},
		"null":                 {`null`, "The details of the analysis can't be read.", "null"},
		"no JSON":              {`{"bboxes": [`, "The details of the analysis can't be read.", "bboxes"},
		"nothing":              {``, "The details of the analysis can't be read.", "empty"},
		"parts of other types": {`{"bboxes": "none", "conclusions": 7, "models": [[], null], "chunks": {"start": "x"}, "languages": {"en": 1}}`, "", "conclusions"},
		"boxes of other types": {`{"bboxes": [1, null, "x", {"bbox": []}, {"bbox": {"top_left": "here"}}, {"bbox": {"top_left": {"x": 1e400}}}]}`, "", "bboxes"},
		"10 MB of it":          {`{"bboxes": [` + strings.Repeat(`{"bbox": "left out", "why": "no corners"},`, 250_000) + `{}]}`, "", "250,001"},
		"a great depth":        {`{"bboxes": ` + strings.Repeat("[", 9_000) + strings.Repeat("]", 9_000) + `}`, "", "bboxes"},
	} {
		e.Run("A8 "+what, func(*testing.T) {
			e.aFakeOf(what+".png", []byte(c.aggregation))
			e.heatmap()
			if c.notice != "" {
				e.reads(c.notice)
			}
			e.page("Data")
			e.reads("createdAt")
			e.choose("Analysis")
			e.reads(c.tree)
			e.choose("Answer")
			e.works(flagged, flaggedRows...)
		})
	}
}

// pngHeader is a PNG that claims a size, and breaks off behind that.
func pngHeader(width, height uint32) []byte {
	header := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32([]byte("IHDR"), width), height)
	header = append(header, 8, 6, 0, 0, 0)
	data := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d"), header...)
	data = binary.BigEndian.AppendUint32(data, crc32.ChecksumIEEE(header))
	return append(data, "\x00\x00\xff\xffIDATx"...)
}

func TestBadHeatmapsOnScreen(t *testing.T) {
	if testing.Short() {
		t.Skip("the whole app is opened anew for each input; the race detector sees it elsewhere")
	}
	e := setupEvidence(t)
	defer func() { e.window.Canvas().Capture() }() // what is shown last can be painted
	whole := drawing(t, image.Pt(64, 48), "heat")
	const cannot, differs = "The heatmap of svc-oak-img can't be shown. ", "The heatmap's shape differs from the picture's by more than 1 %"
	for what, c := range map[string]struct {
		heatmap []byte
		says    string
	}{
		"cut off":                     {whole[:len(whole)/2], cannot + "This PNG picture breaks off"},
		"of nothing":                  {[]byte{}, cannot + "This file is empty"},
		"a web page":                  {[]byte("<!DOCTYPE html><html><script>alert(1)</script></html>"), cannot},
		"missing":                     {nil, cannot},
		"of one pixel":                {drawing(t, image.Pt(1, 1), "one"), differs},
		"of 30,000 × 100":             {drawing(t, image.Pt(30_000, 100), "long"), differs},
		"of another shape":            {drawing(t, image.Pt(64, 64), "square"), differs},
		"that claims 60,000 × 60,000": {pngHeader(60_000, 60_000), cannot + "This PNG picture claims 60,000 × 60,000 pixels"},
	} {
		e.Run("a heatmap "+what, func(t *testing.T) {
			e.aFakeOf(what+".png", []byte(`{}`))
			e.serves("heat-oak.png", c.heatmap)
			e.photo()
			e.typedRune('2')
			e.reads(c.says)
			if c.says == differs {
				e.Until("it stands beside", func() bool {
					photo, heatmap := e.layers()
					at := fyne.CurrentApp().Driver().AbsolutePositionForObject
					return heatmap != nil && at(heatmap).X >= at(photo).X+photo.Size().Width
				})
			}
			if photo, heatmap := e.layers(); photo == nil || (heatmap != nil) != (c.says == differs) {
				t.Errorf("photo %v, heatmap %v", photo != nil, heatmap != nil)
			}
			e.works(flagged, flaggedRows...)
		})
	}
}

func TestBadPicturesOnScreen(t *testing.T) {
	if testing.Short() {
		t.Skip("the whole app is opened anew for each input; the race detector sees it elsewhere")
	}
	e := setupEvidence(t)
	defer func() { e.window.Canvas().Capture() }() // what is shown last can be painted
	e.aFakeOf("good.png", []byte(`{}`))
	whole := drawing(t, image.Pt(300, 200), "whole")
	for what, c := range map[string]struct {
		content []byte
		says    string // "": it is shown
	}{
		"cut off":                     {whole[:len(whole)/2], "This PNG picture breaks off"},
		"of another kind":             {[]byte("<svg xmlns='http://www.w3.org/2000/svg'/>"), "Assay can't show this file as a picture"},
		"that claims 60,000 × 60,000": {pngHeader(60_000, 60_000), "This PNG picture claims 60,000 × 60,000 pixels"},
		"of one pixel":                {drawing(t, image.Pt(1, 1), "dot"), ""},
		"of 30,000 × 100":             {drawing(t, image.Pt(30_000, 100), "line"), ""},
	} {
		e.Run("a picture "+what, func(*testing.T) {
			e.open(what+".png", c.content)
			if c.says == "" {
				e.photo()
			} else {
				e.reads(c.says)
			}
			e.works(flagged, flaggedRows...)
		})
	}
	change := func(path string) error { return os.WriteFile(path, []byte("something else altogether"), 0o600) }
	quietly := func(path string) error { // size and time stay
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		return errors.Join(os.WriteFile(path, make([]byte, info.Size()), 0o600), os.Chtimes(path, info.ModTime(), info.ModTime()))
	}
	for what, spoil := range map[string]func(path string) error{"deleted": os.Remove, "changed": change, "changed quietly": quietly} {
		e.Run("A6 an original that was "+what+", of which the service has its copy", func(*testing.T) {
			e.answers(aFake)
			id, path := e.send(what+"-here.png", drawing(e.T, image.Pt(64, 48), what))
			assert.NoError(e.T, spoil(path))
			e.look(id, what+"-here.png")
			e.photo()
			e.works(flagged, flaggedRows...)
		})
		e.Run("A6 an original that was "+what+", which the service has removed", func(*testing.T) {
			e.answers(func(answer map[string]any, link func(string) any) {
				aFake(answer, link)
				answer["storageLocation"], answer["thumbnail"] = "", ""
			})
			id, path := e.send(what+"-there.png", drawing(e.T, image.Pt(64, 48), what+" there"))
			assert.NoError(e.T, spoil(path))
			e.look(id, what+"-there.png")
			e.reads("The picture can't be shown. The service has deleted its copy, under its retention rules.")
			e.works(flagged, flaggedRows...)
		})
	}
}

func TestBadRecordingsClipsAndTextsOnScreen(t *testing.T) {
	if testing.Short() {
		t.Skip("the whole app is opened anew for each input; the race detector sees it elsewhere")
	}
	e := setupEvidence(t)
	defer func() { e.window.Canvas().Capture() }() // what is shown last can be painted
	t.Setenv("PATH", "")                           // there is no ffmpeg
	of := func(medium string) wording {
		return func(answer map[string]any, link func(string) any) {
			aFake(answer, link)
			answer["mediaType"], answer["modelMetadataUrl"], answer["explainabilityUrl"] = medium, "", ""
		}
	}
	noise := strings.Repeat("no sound at all ", 300)
	for _, c := range []struct{ name, medium, begins, says string }{
		{"broken.mp3", "AUDIO", "", "The sound can't be played. "},
		{"broken.wav", "AUDIO", "RIFF\xff\xff\xff\xffWAVEfmt ", "The sound can't be played. "},
		{"broken.flac", "AUDIO", "fLaC\x00\x00\x00\x22", "The sound can't be played. "},
		{"voice.m4a", "AUDIO", "\x00\x00\x00\x20ftypM4A \x00\x00\x02\x00", "recordings with ffmpeg, which is not installed on this computer."},
		{"clip.mp4", "VIDEO", "\x00\x00\x00\x20ftypisom\x00\x00\x02\x00", "No frames can be shown. The program ffmpeg is not installed on this computer."},
		{"broken.mp4", "VIDEO", "", "No frames can be shown. "},
	} {
		e.Run(c.name, func(*testing.T) {
			e.answers(of(c.medium))
			e.open(c.name, []byte(c.begins+c.name+noise))
			e.reads(c.says)
			e.works(flagged, flaggedRows...)
		})
	}
	for name, text := range map[string]string{
		"arabic.txt":  "المدينة", // a word alone: a line is drawn in the order in which its words stand
		"chinese.txt": "发言人说，这张照片是星期二在城里拍摄的。",
	} {
		e.Run(name, func(*testing.T) {
			e.answers(of("TEXT"))
			e.open(name, []byte(strings.Repeat(text+"\n", 200)))
			e.reads("No explainability page: the service names none for this result. This is the text itself, without marks.")
			e.reads(strings.TrimRight(text, "."))
			e.works(flagged, flaggedRows...)
		})
	}
	for _, c := range []struct {
		what string
		size int
		says string
	}{
		{"16 MB", 16 << 20, "Nothing of it was run or loaded."},
		{"more than 16 MB", 16<<20 + 1, "too large for Assay. This is the text itself, without marks."},
	} {
		e.Run("A7 an explainability page of "+c.what+" with scripts", func(t *testing.T) {
			script := `<script src="` + e.server.URL + `/stolen.js">alert("` + strings.Repeat("x", 1000) + `")</script><img src="` + e.server.URL + `/stolen.png"><p>This is explained.</p>`
			page := strings.Repeat(script, c.size/len(script)+1)[:c.size]
			e.answers(func(answer map[string]any, link func(string) any) {
				of("TEXT")(answer, link)
				answer["explainabilityUrl"] = link("page.html")
			})
			e.serves("page.html", []byte(page))
			e.open("page of "+c.what+".txt", []byte("The text itself, "+c.what))
			e.reads(c.says)
			e.works(flagged, flaggedRows...)
			if n := count(e.arrived(), "stolen"); n != 0 {
				t.Errorf("%d things were loaded", n)
			}
		})
	}
}

func TestBadAnswersOnScreen(t *testing.T) {
	if testing.Short() {
		t.Skip("the whole app is opened anew for each input; the race detector sees it elsewhere")
	}
	e := setupEvidence(t)
	defer func() { e.window.Canvas().Capture() }() // what is shown last can be painted
	for _, c := range []struct {
		what     string
		reword   func(answer map[string]any)
		headline string
		chart    []string
	}{
		{"with an unknown medium", func(a map[string]any) { a["mediaType"] = "HOLOGRAM" }, flagged, flaggedRows},
		{"without models", func(a map[string]any) { a["models"] = []any{} }, flagged, nil},
		{"with null for models", func(a map[string]any) { a["models"] = nil }, flagged, nil},
		{"with wrong types everywhere", wrongTypes, flagged, []string{"svc-oak-img: 93"}},
	} {
		e.Run("an answer "+c.what, func(*testing.T) {
			e.answers(func(answer map[string]any, link func(string) any) {
				aFake(answer, link)
				c.reword(answer)
			})
			e.open(c.what+".png", drawing(e.T, image.Pt(64, 48), c.what))
			e.works(c.headline, c.chart...)
		})
	}
	e.Run("R18 a provisional answer", func(t *testing.T) {
		e.answers(func(answer map[string]any, link func(string) any) {
			aFake(answer, link)
			answer["models"] = append(answer["models"].([]any), map[string]any{"name": "svc-pine-img", "status": "ANALYZING", "normalizedPredictionNumber": nil})
		})
		const name = "half done.png"
		path := filepath.Join(e.folder, name)
		assert.NoError(t, os.WriteFile(path, drawing(t, image.Pt(64, 48), name), 0o600))
		e.drop(path)
		e.Until("it can be opened", func() bool {
			for _, row := range e.inbox.Rows() {
				if row.Name == name && slices.Contains(row.Actions, present.Open) {
					e.look(row.ID, name)
					return true
				}
			}
			return false
		})
		e.photo()
		e.reads("provisional, 4 of 5 models finished")
		e.works("Provisional: Likely manipulated or AI-generated", append(flaggedRows, "svc-pine-img: – still running")...)
		for _, b := range guitest.InSight[*kit.Button](e.viewer.Object()) {
			if b.Label() == "Agree" && !b.Disabled() {
				t.Error("it can be judged")
			}
		}
	})
}

// wrongTypes leaves nothing right but the status and one model.
func wrongTypes(answer map[string]any) {
	for name, value := range map[string]any{
		"filename": 1, "originalFileName": []any{}, "uploadedDate": false, "mediaType": 12, "socialLink": map[string]any{}, "showAudioResult": "perhaps",
		"audioRequestId": 5, "userId": []any{1}, "institutionId": true, "releaseVersion": 3.5, "resultsSummary": "FAKE", "storageLocation": map[string]any{"a": 1},
		"thumbnail": 7, "modelMetadataUrl": []any{}, "audioModelMetadataUrl": 0, "heatmaps": []any{"x"}, "explainabilityUrl": map[string]any{},
		"models": []any{7, map[string]any{"name": "svc-oak-img", "status": "FAKE", "normalizedPredictionNumber": 93}, "none", nil, []any{}, map[string]any{"name": 5, "status": []any{}, "predictionNumber": "x", "normalizedPredictionNumber": map[string]any{},
			"rollingAvgNumber": true, "finalScore": []any{1}, "data": "text", "error": 3, "code": 4}},
	} {
		answer[name] = value
	}
}
