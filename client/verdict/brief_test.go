package verdict_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/client"
	"assay/client/verdict"
)

// FuzzBrief holds that a brief result says, word for word and number for number, what the whole says.
func FuzzBrief(f *testing.F) {
	for _, seed := range []string{
		`{"requestId":"a","overallStatus":"FAKE","resultsSummary":{"status":"FAKE","metadata":{"finalScore":88.25,"languages":["pt"]}},"models":[{"name":"ensemble","status":"FAKE","finalScore":3,"data":{"decision":"AUTHENTIC","timeline":[1,2]}},{"name":"a","status":"NOT_APPLICABLE","code":"not_applicable"}]}`,
		`{"overallStatus":"AUTHENTIC","models":[null,{"name":"q-ensemble","status":"FAKE","normalizedPredictionNumber":71.5,"error":{"code":"x","message":"y"}}]}`,
		`{"overallStatus":"AUTHENTIC","mediaType":"VIDEO","showAudioResult":true,"audioRequestId":"b","socialLink":"https://clips.example/1","socialLinkDownloadFailed":true}`,
		`{"overallStatus":"UNABLE_TO_EVALUATE","releaseVersion":"7","resultsSummary":{"error":{"code":"model-error","message":"Upload it again."}}}`,
		`{"overallStatus":"FAKE","models":[{"name":"a","status":"ANALYZING"}]}`, `{}`,
	} {
		f.Add([]byte(seed), seed == `{}`)
	}
	f.Fuzz(func(t *testing.T, data []byte, voiced bool) {
		whole := new(client.Result)
		if !json.Valid(data) || whole.UnmarshalJSON(data) != nil {
			return
		}
		if voiced {
			voice := *whole
			whole.Voice = &voice
		}
		brief := whole.Brief()
		if brief.Raw != nil {
			t.Error("it holds the answer")
		}
		if diff := cmp.Diff(verdict.Of(whole), verdict.Of(brief)); diff != "" {
			t.Errorf("the verdict is another one:\n%s", diff)
		}
		if is := brief.FiledStatus(); is != whole.FiledStatus() || brief.VoiceDiffers() != whole.VoiceDiffers() || brief.Final() != whole.Final() {
			t.Errorf("filed under %s, not %s", is, whole.FiledStatus())
		}
		if len(brief.Models) != len(whole.Models) {
			t.Fatalf("%d of %d models", len(brief.Models), len(whole.Models))
		}
		for i, m := range whole.Models {
			said := brief.Models[i]
			if diff := cmp.Diff(verdict.ModelScore(m), verdict.ModelScore(said)); diff != "" || verdict.ModelName(m) != verdict.ModelName(said) ||
				verdict.ModelContradiction(m) != verdict.ModelContradiction(said) || said.Status != m.Status {
				t.Errorf("model %d says otherwise: %s", i, diff)
			}
		}
	})
}
