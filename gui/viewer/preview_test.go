package viewer

import (
	"testing"

	"assay/client/submission"
	"assay/gui/present"
)

func TestWhatAWatchedFolderBroughtIsGreyUntilThePersonChoseOtherwiseForAll(t *testing.T) {
	c := files(t)
	watched := c.subs["other.jpg"]
	watched.Source = submission.Watched
	c.subs["other.jpg"] = watched
	d := setup(t, c, wideSize)
	for _, id := range []string{"other.jpg", "fake.jpg", "other.jpg"} {
		d.see(id)
		want := present.PreviewPlain
		if id == "other.jpg" {
			want = present.PreviewGrey
		}
		if d.picture.preview != want || d.picture.previewAtShow != want {
			t.Errorf("%s: %q, and %q as it came", id, d.picture.preview, d.picture.previewAtShow)
		}
	}
	d.SetPreview(present.PreviewChoice{Made: true})
	if d.picture.preview != present.PreviewPlain {
		t.Errorf("chosen: %q", d.picture.preview)
	}
}
