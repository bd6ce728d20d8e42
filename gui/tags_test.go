package gui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"assay/client/assert"
	"assay/client/store"
	"assay/gui/guitest"
	"assay/gui/kit"
)

// tagsOfAll are the tags of all results on disk, in some fixed order.
func (d *fixture) tagsOfAll() string {
	d.T.Helper()
	var all []string
	for _, s := range d.Queue.All() {
		kept, _, err := d.Store.Get(d.T.Context(), s.ID)
		assert.NoError(d.T, err)
		all = append(all, strings.Join(kept.Tags, "+"))
	}
	slices.Sort(all)
	return fmt.Sprintf("%q", all)
}

// tagBoxOf is the box with these words in the sheet that is open; nil for none.
func (d *fixture) tagBoxOf(words string) *kit.Check {
	for _, box := range guitest.InSight[*kit.Check](d.top()) {
		if box.Label() == words {
			return box
		}
	}
	return nil
}

func TestManyResultsGetTags(t *testing.T) {
	d := selectedAnswers(t)
	open := func() {
		guitest.ButtonIn(d.results.Object(), "More").Tapped(nil) // of the selection
		guitest.MenuItem(d.top(), "Tags…").Tapped(nil)
	}
	change := func(add string, boxes ...string) {
		open()
		d.reads("Tags of 3 results")
		for _, box := range boxes {
			d.Until("there is "+box, func() bool { return d.tagBoxOf(box) != nil })
			test.Tap(d.tagBoxOf(box))
		}
		if add != "" {
			d.typeIn(add)
		}
		d.press("Save")
	}
	change("Water, river bank, water")
	d.reads("Tags of 3 results changed")
	assert.Equal(t, `["Water+river bank" "Water+river bank" "Water+river bank"]`, d.tagsOfAll()) // on disk: a crash loses none
	d.undo.Undo()
	d.Until("none is left", func() bool { return d.tagsOfAll() == `["" "" ""]` })

	_, _, err := d.Store.ChangeTags(t.Context(), map[string]store.TagChange{d.Queue.All()[0].ID: {Add: []string{"harbour", "night"}}})
	assert.NoError(t, err)
	change("", "harbour · 1 of 3")
	d.Until("all have it", func() bool { return d.tagsOfAll() == `["harbour" "harbour" "harbour+night"]` })
	change("", "harbour")
	d.Until("none has it", func() bool { return d.tagsOfAll() == `["" "" "night"]` })

	open()
	d.reads("night · 1 of 3")
	box, save := d.tagBoxOf("night · 1 of 3"), guitest.ButtonIn(d.top(), "Save")
	assert.True(t, save.Disabled(), "nothing is changed yet")
	for _, state := range []kit.CheckState{kit.Checked, kit.Unchecked, kit.Partly} {
		test.Tap(box)
		assert.Equal(t, state, box.State())
		assert.Equal(t, state == kit.Partly, save.Disabled())
	}
	d.sheet.Close()
}

func TestTagsOfTheResultShown(t *testing.T) {
	d := selectedAnswers(t)
	d.results.Open(d.Queue.All()[0].ID)
	edit := func() {
		var button *kit.Button
		d.Until("its page has the button", func() bool {
			for _, b := range guitest.InSight[*kit.Button](d.window.Content()) {
				if b.Label() == "" && b.ToolTip() == "Tags…" {
					button = b
				}
			}
			return button != nil
		})
		button.OnTapped()
	}
	edit()
	d.reads("Tags of 1 result")
	d.typeIn("harbour")
	d.press("Save")
	d.Until("the page shows them, and nothing over it", func() bool {
		return !d.sheet.Open() && strings.Contains(guitest.Words(d.window.Content()), "Tags: harbour")
	})
	edit()
	var many []string
	for i := range store.MostTags {
		many = append(many, fmt.Sprint("tag ", i))
	}
	d.reads("Tags of 1 result")
	d.typeIn(strings.Join(many, ","))
	d.press("Save")
	d.reads("The tags of 1 result stay as they are: a result can have 20 tags.")
	assert.Equal(t, `["" "" "harbour"]`, d.tagsOfAll())
}
