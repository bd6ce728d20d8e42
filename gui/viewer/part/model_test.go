package part

import (
	"math"
	"strings"
	"testing"

	"assay/client/assert"
)

func TestTypedTimes(t *testing.T) {
	for text, want := range map[string]float64{"80": 80, "1:20": 80, " 01:20.5 ": 80.5, "1:20,5": 80.5, "1:02:03": 3723, "0": 0} {
		got, ok := parseTime(text)
		assert.True(t, ok && math.Abs(got-want) < 1e-9, "%q is %v, %v", text, got, ok)
	}
	for _, text := range []string{"", "1:", ":20", "-3", "1e3", "a", "1:2:3:4", "1.2.3"} {
		if got, ok := parseTime(text); ok {
			t.Errorf("%q is taken for %v", text, got)
		}
	}
}

func TestWhatIsSaidOfAPart(t *testing.T) {
	const mb = 1 << 20
	clip := Clip{Name: "harbour.mp4", Size: 1000 * mb, Most: 250 * mb}
	proposed := propose(clip, 600)
	if proposed.from != 0 || proposed.problem() != "" || proposed.size() > clip.Most {
		t.Errorf("proposed is %+v: %s", proposed, proposed.words())
	}
	for name, c := range map[string]struct {
		from, to, begins float64
		says             string
		sends            bool
	}{
		"fits":                              {10, 80, math.NaN(), "01:10.0 long, about 116.7 MB of at most 250 MB.", true},
		"begins before":                     {10, 80, 8, "about 120 MB of at most 250 MB. To keep every frame as it is, the cut is made at 00:08.0,", true},
		"may be too large":                  {0, 149, 0, "a shorter part is safer", true},
		"is too large":                      {0, 300, 0, "About 500 MB: too large. The service takes up to 250 MB", false},
		"ends before it begins":             {80, 10, math.NaN(), "The end must come after the beginning.", false},
		"ends after the clip":               {580, 700, math.NaN(), "The clip ends at 10:00.0.", false},
		"begins where the clip does not go": {600, 610, math.NaN(), "The clip ends at 10:00.0.", false},
	} {
		part := choice{clip: clip, length: 600, from: c.from, to: c.to, begins: c.begins}
		if said := part.words(); !strings.Contains(said, c.says) || (part.problem() == "") != c.sends {
			t.Errorf("%s: %q, %v", name, said, part.problem())
		}
	}
	if (choice{clip: clip}).problem() == "" {
		t.Error("a part of a clip of unknown length can be sent")
	}
}
