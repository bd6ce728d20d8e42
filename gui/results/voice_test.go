package results

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"assay/client"
	"assay/client/assert"
	"assay/client/submission"
	"assay/gui/guitest"
	"assay/gui/kit"
	"assay/gui/present/presenttest"
)

const clipAnswer = `{"requestId":"r","mediaType":"VIDEO","overallStatus":"AUTHENTIC","showAudioResult":true,"audioRequestId":"s","resultsSummary":{"metadata":{"finalScore":6}}}`

// clipRow is the row of a clip with nothing in its pictures; voice is the answer on its sound, "" while that isn't known.
func clipRow(t *testing.T, id, voice string) Row {
	t.Helper()
	r := presenttest.Result(t, clipAnswer)
	if voice != "" {
		r.Voice = presenttest.Result(t, voice)
	}
	return RowOf(submission.Submission{ID: id, Name: "press-call-0412.mp4", Type: client.Video, RequestID: "r", Source: submission.Pasted, Link: "https://x.example/1",
		Accepted: testNow, Answered: testNow, Result: r})
}

const (
	clonedVoice = `{"mediaType":"AUDIO","overallStatus":"FAKE","resultsSummary":{"metadata":{"finalScore":91}}}`
	sameVoice   = `{"mediaType":"AUDIO","overallStatus":"AUTHENTIC","resultsSummary":{"metadata":{"finalScore":3}}}`
)

func TestAClipsVoiceInItsRow(t *testing.T) {
	for _, c := range []struct{ name, voice, want string }{
		{"another verdict", clonedVoice, "Voice: likely manipulated 91"},
		{"the same verdict", sameVoice, "Voice: no sign found 3"},
		{"no score", `{"mediaType":"AUDIO","overallStatus":"NOT_APPLICABLE"}`, "Voice: not assessable"},
		{"not known yet", "", "Voice: not known yet"},
		{"contradictory", `{"overallStatus":"AUTHENTIC","resultsSummary":{"status":"FAKE"}}`, "Voice: contradictory"},
	} {
		t.Run(c.name, func(t *testing.T) {
			row := clipRow(t, "a", c.voice)
			assert.Equal(t, [3]string{"No sign found", "6", c.want}, [3]string{row.Words, row.Score, row.Voice})
			assert.True(t, strings.Contains(CopiedText([]Row{row}, testNow, false), c.want), "what is copied leaves it out")
		})
	}
	answers := newMemoryAnswers(8)
	for i, voice := range []string{clonedVoice, sameVoice, ""} {
		answers.row[answers.ids[i]] = clipRow(t, answers.ids[i], voice)
	}
	d := setupWith(t, answers, noFiles{}, guitest.Usual)
	d.settle()
	lines := func() (of []string) {
		for _, row := range visibleRows(d)[:3] {
			of = append(of, guitest.Words(row))
		}
		return of
	}
	for name, width := range map[string]float32{"wide": guitest.Usual.Width, "narrow": 828} {
		t.Run("no verdict is cut, and no score can be taken for the other's: "+name, func(t *testing.T) {
			d.SetShape(Wide)
			d.Resize(fyne.NewSize(width, 600))
			d.settle()
			guitest.Keep(t, d.Window, "results-voice-"+name)
			for i, voice := range []string{"Voice: likely manipulated 91", "Voice: no sign found 3", "Voice: not known yet"} {
				row := visibleRows(d)[i]
				for _, want := range []string{"press-call-0412.mp4", "No sign found", "6", voice} {
					assert.True(t, strings.Contains(lines()[i], want), "row %d does not say %q: %q", i, want, lines()[i])
				}
				for _, text := range []*kit.Text{row.words, row.voice} {
					assert.True(t, text.Size().Width >= text.FullWidth(), "%q is cut", text.Text())
				}
				assert.True(t, row.score.Position().Y == row.words.Position().Y, "the picture's score is not beside its words")
				assert.Equal(t, "press-call-0412.mp4, No sign found, "+voice, row.AccessibilityLabel())
			}
		})
	}
	t.Run("in the strip a mark says where the voice differs", func(t *testing.T) {
		d.SetShape(Strip)
		d.settle()
		guitest.Keep(t, d.Window, "results-voice-strip")
		for i, differs := range []bool{true, false, false} {
			assert.Equal(t, differs, visibleRows(d)[i].otherVoice.Visible())
		}
		assert.Equal(t, "press-call-0412.mp4 · 6 · Voice: likely manipulated 91", visibleRows(d)[0].ToolTip())
	})
}
