package scenes_test

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"assay/client"
	"assay/client/assert"
	"assay/client/verdict"
	"assay/gui/e2e/scenes"
)

// TestEachMediumIsSeenInEachStatus holds the list to what the viewer has to bear, each scene under a name and with a content of its own.
func TestEachMediumIsSeenInEachStatus(t *testing.T) {
	all, err := scenes.Answers(t.Context(), filepath.Join("..", "..", "..", "testdata", "pictures"))
	assert.NoError(t, err)
	seen, keys := map[string]bool{}, map[string]bool{}
	for _, s := range all {
		if keys[s.Key] || s.Name == "" {
			t.Errorf("%s: there are two of it, or it has no file name", s.Key)
		}
		keys[s.Key] = true
		text, err := json.Marshal(s.Answer)
		assert.NoError(t, err)
		var result client.Result
		if err := json.Unmarshal(text, &result); err != nil {
			t.Fatalf("%s: %v", s.Key, err)
		}
		v := verdict.Of(&result)
		seen[s.Answer.MediaType+" "+s.Answer.OverallStatus] = true
		seen["contradiction"] = seen["contradiction"] || v.Contradiction != ""
		seen["provisional"] = seen["provisional"] || v.Provisional
		seen["reasons"] = seen["reasons"] || len(v.Reasons) > 2
	}
	want := []string{"contradiction", "provisional", "reasons"}
	for _, medium := range []string{"IMAGE", "AUDIO", "VIDEO", "TEXT"} {
		for _, status := range []string{scenes.Fake, scenes.Suspicious, scenes.Authentic, scenes.NotApplicable, scenes.UnableToEvaluate, scenes.Unknown} {
			want = append(want, medium+" "+status)
		}
	}
	for _, w := range want {
		if !seen[w] {
			t.Errorf("no scene is of %s", w)
		}
	}
}
