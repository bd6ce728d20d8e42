package gui

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/client/i18n"
	"assay/client/plain"
	"assay/client/store"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
)

const (
	mostTagBoxes  = 30 // tags of a selection, the most common first
	longestTagBox = 30 // characters of one
)

// tagUse is a tag, and how many of some results have it.
type tagUse struct {
	tag  string
	uses int
}

// usedTags are the tags of results, each once whatever its capitals: the most common first.
func usedTags(of map[string][]string) []tagUse {
	var all []tagUse
	place := map[string]int{}
	for _, tags := range of {
		for _, tag := range tags {
			i, known := place[strings.ToLower(tag)]
			if !known {
				i = len(all)
				place[strings.ToLower(tag)] = i
				all = append(all, tagUse{tag: tag})
			}
			all[i].uses++
			all[i].tag = min(all[i].tag, tag) // of two spellings always the same one
		}
	}
	slices.SortFunc(all, func(a, b tagUse) int { return cmp.Or(b.uses-a.uses, strings.Compare(a.tag, b.tag)) })
	return all
}

// tag asks for the tags of results.
func (a *app) tag(ids []string) {
	a.readers.Do(func(ctx context.Context) func() {
		tags, err := a.Store.Tags(ctx, ids)
		return func() {
			if err != nil {
				a.viewer.Say(present.Problem(err))
				return
			}
			if len(tags) > 0 {
				a.showTags(ids, usedTags(tags))
			}
		}
	})
}

// showTags opens the sheet with a box for each tag that results have, partly ticked where not all have it, and a field for others.
func (a *app) showTags(ids []string, used []tagUse) {
	var save *kit.Button
	var field *kit.Field
	boxes := make([]*kit.Check, min(len(used), mostTagBoxes))
	change := func() store.TagChange {
		c := store.TagChange{Add: store.TagsOf(field.Text)}
		for i, box := range boxes {
			switch was := boxState(used[i], len(ids)); {
			case box.State() == was:
			case box.Checked():
				c.Add = append(c.Add, used[i].tag)
			default:
				c.Remove = append(c.Remove, used[i].tag)
			}
		}
		return c
	}
	changed := func() {
		c := change()
		kit.SetEnabled(save, len(c.Add)+len(c.Remove) > 0)
	}
	done := func() {
		if c := change(); len(c.Add)+len(c.Remove) > 0 {
			a.sheet.Close()
			a.changeTags(ids, c)
		}
	}
	save = kit.NewButton(kit.Primary, i18n.T("Save"), nil, done)
	save.Disable()
	field = kit.NewField(i18n.T("Add tags, separated by commas"), func(string) { changed() })
	field.OnSubmitted = func(string) { done() }
	flow := container.New(&kit.Flow{Gap: look.Space, Line: look.Space})
	for i := range boxes {
		boxes[i] = tagBox(used[i], len(ids), changed)
		flow.Add(boxes[i])
	}
	muted := kit.TextStyle{Color: look.ColorMuted}
	lines := []fyne.CanvasObject{field}
	if len(boxes) > 0 {
		lines = append(lines, flow)
	}
	if more := len(used) - len(boxes); more > 0 {
		lines = append(lines, kit.NewParagraph(i18n.N(more, "%s more tag is not shown here.", "%s more tags are not shown here."), muted))
	}
	lines = append(lines, kit.NewParagraph(i18n.T("The search finds tags. They stay on this computer."), muted))
	a.sheet.Show(kit.SheetContent{
		Title:   i18n.N(len(ids), "Tags of %s result", "Tags of %s results"),
		Body:    container.New(kit.Column{Gap: 2 * look.Space, Grow: -1}, lines...),
		Buttons: []*kit.Button{kit.NewButton(kit.Plain, i18n.T("Cancel"), nil, a.sheet.Close), save},
		First:   field,
		Width:   520,
	})
}

// boxState is the state of the box of a tag at first.
func boxState(u tagUse, of int) kit.CheckState {
	if u.uses < of {
		return kit.Partly
	}
	return kit.Checked
}

// tagBox is the box of a tag. One that was partly ticked at first can be so again: all get the tag, none has it, or it stays as it is.
func tagBox(u tagUse, of int, changed func()) (box *kit.Check) {
	label := plain.From(u.tag).Clip(longestTagBox).String()
	first := boxState(u, of)
	if first == kit.Partly {
		label = i18n.F("%[1]s · %[2]s of %[3]s", label, i18n.Count(u.uses), i18n.Count(of))
	}
	last := first
	box = kit.NewCheck(label, func(checked bool) {
		if checked && last == kit.Unchecked && first == kit.Partly {
			box.SetState(kit.Partly)
		}
		last = box.State()
		changed()
	})
	box.SetState(first)
	return box
}

// changeTags changes the tags of results, which is on disk before it is said, and offers to take it back.
func (a *app) changeTags(ids []string, change store.TagChange) {
	changes := make(map[string]store.TagChange, len(ids))
	for _, id := range ids {
		changes[id] = change
	}
	a.keepTags(changes, func(undo map[string]store.TagChange, full int) {
		if full > 0 {
			a.viewer.Say(i18n.N(full, "The tags of %s result stay as they are: a result can have %d tags.", "The tags of %s results stay as they are: a result can have %d tags.", store.MostTags))
		}
		if len(undo) > 0 {
			a.undo.Done(i18n.N(len(undo), "Tags of %s result changed", "Tags of %s results changed"), func() {
				a.keepTags(undo, func(map[string]store.TagChange, int) {})
			})
		}
	})
}

// keepTags makes changes on a worker, shows them, and then calls kept.
func (a *app) keepTags(changes map[string]store.TagChange, kept func(undo map[string]store.TagChange, full int)) {
	a.acceptors.Do(func(ctx context.Context) func() {
		undo, full, err := a.Store.ChangeTags(context.WithoutCancel(ctx), changes)
		return func() {
			a.viewer.Again()
			if err != nil {
				a.Log.Error("keep tags", "error", err)
				a.viewer.Say(i18n.T("The tags could not be saved.") + " " + present.Problem(err))
				return
			}
			kept(undo, full)
		}
	})
}
