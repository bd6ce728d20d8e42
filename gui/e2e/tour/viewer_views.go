//go:build e2e && linux

package main

import (
	"image"
	"time"

	"assay/gui/e2e/tour/exhibit"
)

// view is how an exhibit is looked at. Each is kept before the next, so that their keys follow on another.
type view struct {
	name string        // "" for one that is on the way to the next, and not kept
	keys []string      // that lead to it from the one before
	tab  tab           // is opened after the keys; nil for none
	down bool          // whether the wheel is turned over the open page, to its end
	wait time.Duration // before it is kept, where something has to end first
	// sizes are those that it is kept at; nil for all.
	sizes []image.Point
}

// The views of the exhibits that have most to show.
var viewsOf = map[string][]view{
	"image-fake": {
		{name: "01-original"},
		{name: "02-overlay", keys: []string{"2"}},
		{name: "03-overlay-full", keys: []string{"bracketright", "bracketright", "bracketright", "bracketright"}},
		{name: "04-swipe", keys: []string{"3"}},
		{name: "05-side-by-side", keys: []string{"5"}},
		{name: "06-side-by-side-zoomed", keys: []string{"plus", "plus", "plus"}},
		{name: "07-boxes", keys: []string{"0", "1", "b"}},
		{name: "08-grey", keys: []string{"b", "g"}},
		{name: "09-blurred", keys: []string{"g"}},
		{name: "10-details", keys: []string{"g"}, tab: detailsTab},
		{name: "11-details-end", down: true},
		{name: "12-data", tab: dataTab},
		{name: "13-history", tab: historyTab},
		{name: "14-shortcuts", keys: []string{"question"}},
		{keys: []string{"Return"}, tab: firstTab},
		{name: "15-judgement-given", keys: []string{"f", "a"}, sizes: sizes[1:]},
		{name: "16-judgement-taken-back", keys: []string{"u"}, sizes: sizes[1:]},
		{name: "17-other-judgement", keys: []string{"f", "o"}},
		{keys: []string{"Escape", "Escape"}},
	},
	"image-suspicious": {
		{name: "1-original"},
		{name: "2-judgement-refused", keys: []string{"f", "d"}, wait: 7 * time.Second},
	},
	"image-authentic-turned": {{name: "1-original"}, {name: "2-boxes", keys: []string{"b"}}},
	"image-many-models":      {{name: "1-original"}, {name: "2-overlay", keys: []string{"2"}}},
	"image-heatmap-other-shape": {
		{name: "1-original"},
		{name: "2-overlay-refused", keys: []string{"2"}},
	},
	"image-strip": {
		{name: "1-original"},
		{name: "2-overlay", keys: []string{"2"}},
		{name: "3-pixels", keys: []string{"plus", "plus", "plus", "plus", "plus", "plus", "plus", "plus", "plus"}},
	},
	"audio-fake": {
		{name: "1-first"},
		{name: "2-worst-part", keys: []string{"w"}},
		{name: "3-no-loudspeaker", keys: []string{"space"}, wait: 3 * time.Second},
		{name: "4-details", tab: detailsTab},
		{tab: firstTab},
	},
	"video-voice-clone": {
		{name: "1-first"},
		{name: "2-worst-part", keys: []string{"w"}},
		{name: "3-details", tab: detailsTab},
		{name: "4-data", tab: dataTab},
		{tab: firstTab},
	},
	"text-fake": {
		{name: "1-first"},
		{name: "2-second-passage", keys: []string{"n", "n"}},
		{name: "3-details", tab: detailsTab},
		{tab: firstTab},
	},
}

// inBoth are seen in light and in dark; the views of the others, in light.
var inBoth = map[string]bool{"image-fake": true, "audio-fake": true, "video-voice-clone": true, "text-fake": true, "image-heatmap-other-shape": true}

// firstView is the exhibit as it opens.
func firstView(*exhibit.Exhibit) []view { return []view{{name: "1-first"}} }

// viewsInLight and viewsInDark share out what is seen in one look alone.
func viewsInLight(e *exhibit.Exhibit) []view {
	if views := viewsOf[e.Key]; views != nil {
		return views
	}
	if len(e.Key)%2 == 0 {
		return nil
	}
	return firstView(e)
}

func viewsInDark(e *exhibit.Exhibit) []view {
	switch {
	case inBoth[e.Key]:
		return viewsOf[e.Key]
	case viewsOf[e.Key] != nil || len(e.Key)%2 != 0:
		return nil
	}
	return firstView(e)
}

// viewsTwice are those for pixels of half the size.
func viewsTwice(e *exhibit.Exhibit) []view {
	if inBoth[e.Key] {
		return viewsOf[e.Key][:2]
	}
	return nil
}
