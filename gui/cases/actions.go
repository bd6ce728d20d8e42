package cases

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
)

// NewCase asks for a title, makes the case and shows it.
func (s *Screen) NewCase() {
	title := ""
	s.ask(form{
		title: i18n.T("New case"), yes: i18n.T("Create"), failed: i18n.T("The case could not be created."),
		fields: []formField{{name: i18n.T("Title"), hint: i18n.T("For example: Harbour statement"), text: &title, longest: LongestTitle, needed: true}},
		do: func(ctx context.Context) (func(), error) {
			id, err := s.Records.New(ctx, title, s.by)
			return func() { s.Reveal(id) }, err
		},
	})
}

// rename asks for another title of the case.
func (s *Screen) rename() {
	of, title := s.pane.of, s.pane.of.Title
	if of.ID == "" {
		return
	}
	s.ask(form{
		title: i18n.T("Rename the case"), yes: i18n.T("Rename"), failed: i18n.T("The case could not be renamed."),
		fields: []formField{{name: i18n.T("Title"), hint: i18n.T("For example: Harbour statement"), text: &title, longest: LongestTitle, needed: true}},
		do: func(ctx context.Context) (func(), error) {
			return nil, s.Records.Change(ctx, of.ID, renamed(title, s.by))
		},
	})
}

// tag asks for the tags of the case.
func (s *Screen) tag() {
	of, tags := s.pane.of, s.pane.of.TagText()
	if of.ID == "" {
		return
	}
	s.ask(form{
		title: i18n.T("Tags"), yes: i18n.T("Save"), failed: i18n.T("The tags could not be saved."),
		fields: []formField{{name: i18n.T("Tags, separated by commas"), hint: i18n.T("For example: harbour, elections"), text: &tags, longest: longestTags}},
		do: func(ctx context.Context) (func(), error) {
			return nil, s.Records.Change(ctx, of.ID, tagged(tags, s.by))
		},
	})
}

// move concludes the case or opens it again.
func (s *Screen) move(concluded bool) {
	of := s.pane.of
	if of.ID == "" || of.Concluded == concluded {
		return
	}
	s.do(i18n.T("The case's state could not be changed."), func(ctx context.Context) error { return s.Records.Change(ctx, of.ID, moved(concluded, s.by)) }, func() {
		s.list.filter(concluded)
	})
}

// conclude asks for the desk's conclusion.
func (s *Screen) conclude() {
	of, text := s.pane.of, s.pane.of.Conclusion.Text
	if of.ID == "" {
		return
	}
	s.ask(form{
		title: i18n.T("The desk's conclusion"), yes: i18n.T("Save"), failed: i18n.T("The conclusion could not be saved."), who: true,
		above:  kit.NewHint(i18n.T("In your own words. It stands beside the service's verdict and does not replace it.")),
		fields: []formField{{name: i18n.T("Conclusion"), hint: i18n.T("What the desk concludes and why"), text: &text, longest: longestText, lines: 6, needed: true}},
		do: func(ctx context.Context) (func(), error) {
			return nil, s.Records.Change(ctx, of.ID, drawn(text, s.by))
		},
	})
}

// note keeps a note in the case.
func (s *Screen) note(text string, then func()) {
	of := s.pane.of.ID
	s.do(i18n.T("The note could not be saved."), func(ctx context.Context) error { return s.Records.Change(ctx, of, noted(text, s.by)) }, then)
}

// check asks what a check has found.
func (s *Screen) check(c Check) {
	of, found := s.pane.of.ID, ""
	s.ask(form{
		title: c.Name, yes: i18n.T("Save"), failed: i18n.T("The finding could not be saved."), who: true,
		above:  findings(i18n.T("Findings so far"), c.Found),
		fields: []formField{{name: i18n.T("What was found"), hint: i18n.T("Even if nothing was found"), text: &found, longest: longestText, lines: 3, needed: true}},
		do: func(ctx context.Context) (func(), error) {
			return nil, s.Records.Change(ctx, of, checked(c.Kind, found, s.by))
		},
	})
}

// askQuestion asks for a question.
func (s *Screen) askQuestion() {
	of, text := s.pane.of.ID, ""
	if of == "" {
		return
	}
	s.ask(form{
		title: i18n.T("Ask a question"), yes: i18n.T("Ask"), failed: i18n.T("The question could not be saved."), who: true,
		fields: []formField{{name: i18n.T("Question"), hint: i18n.T("For example: Where was this taken?"), text: &text, longest: longestText, lines: 2, needed: true}},
		do: func(ctx context.Context) (func(), error) {
			return nil, s.Records.Change(ctx, of, asked(text, s.by))
		},
	})
}

// answer asks for the answer to a question, and for what it rests on.
func (s *Screen) answer(q Question) {
	of, text := s.pane.of.ID, ""
	rests := newEvidenceForm(s)
	above := container.New(kit.Column{Gap: 3 * look.Space, Grow: -1}, kit.NewParagraph(q.Text, kit.TextStyle{}), kit.NewHint(i18n.F("Asked by %s", q.Asked)))
	if before := findings(i18n.T("Answers so far"), q.Answers); before != nil {
		above.Add(before)
	}
	s.ask(form{
		title: i18n.T("Answer"), yes: i18n.T("Save"), failed: i18n.T("The answer could not be saved."), who: true,
		above: above, below: rests.root,
		fields: []formField{{name: i18n.T("Answer"), hint: i18n.T("What is known"), text: &text, longest: longestText, lines: 3, needed: true}},
		do: func(ctx context.Context) (func(), error) {
			return nil, s.Records.Change(ctx, of, answered(q.ID, text, rests.all(), s.by))
		},
	})
}

// removeItem takes an item out of the case, and offers to undo that.
func (s *Screen) removeItem(item Item) {
	of := s.pane.of.ID
	if item.ID == "" || of == "" {
		return
	}
	s.do(i18n.T("The item could not be removed."), func(ctx context.Context) error { return s.Records.Remove(ctx, of, []string{item.ID}, s.by) }, func() {
		s.offerUndo(i18n.F("“%s” was removed from this case. It stays in Results.", item.Name), func() {
			s.do(i18n.T("The item could not be put back."), func(ctx context.Context) error {
				_, err := s.Records.Add(ctx, of, []string{item.ID}, s.by)
				return err
			}, nil)
		})
	})
}

// offerUndo says what was done, and offers to undo it for a while.
func (s *Screen) offerUndo(sentence string, undo func()) {
	s.pane.say(sentence, i18n.T("Undo"), func() { s.undo() })
	s.undoing = undo
	s.unoffer()
	s.unoffer = s.After(undoOffered, func() { s.Say("") })
}

// undo undoes the last removal, if that is still offered.
func (s *Screen) undo() {
	if undo := s.undoing; undo != nil {
		s.Say("")
		undo()
	}
}

// evidenceForm asks for what an answer rests on: links, notes, files by their hash.
type evidenceForm struct {
	screen *Screen
	root   *fyne.Container
	listed *fyne.Container
	field  *kit.Field
	words  *kit.Paragraph // while a file is read, or why it can't be
	pieces []evidence
}

func newEvidenceForm(s *Screen) *evidenceForm {
	e := &evidenceForm{screen: s, words: kit.NewHint("")}
	e.field = kit.NewField(i18n.T("A link, or a note"), nil)
	e.field.OnSubmitted = func(string) { e.add() }
	add := kit.NewButton(kit.Plain, i18n.T("Add"), nil, e.add)
	file := kit.NewButton(kit.Plain, i18n.T("Choose a file…"), nil, func() { s.ChooseFile(e.addFile) })
	e.listed = container.New(kit.Column{Gap: look.Space, Grow: -1})
	e.words.Hide()
	line := container.NewBorder(nil, nil, nil, container.NewHBox(add, file), e.field)
	e.root = container.New(kit.Column{Gap: look.Space, Grow: -1}, kit.NewText(i18n.T("Evidence"), kit.TextStyle{Weight: look.WeightMedium}), e.listed, line,
		kit.NewHint(i18n.T("For a file, Assay keeps its SHA-256, not the file itself.")), e.words)
	return e
}

// all are the pieces, with what was typed and not added.
func (e *evidenceForm) all() []evidence {
	if typed, ok := evidenceOf(e.field.Text); ok {
		return append(e.pieces, typed)
	}
	return e.pieces
}

// add adds what was typed.
func (e *evidenceForm) add() {
	if typed, ok := evidenceOf(e.field.Text); ok {
		e.field.SetText("")
		e.put(typed)
	}
}

func (e *evidenceForm) put(piece evidence) {
	e.pieces = append(e.pieces, piece)
	e.list()
}

func (e *evidenceForm) list() {
	e.listed.RemoveAll()
	for i, piece := range e.pieces {
		remove := kit.NewButton(kit.Bare, "", look.IconClose, func() {
			e.pieces = append(append([]evidence{}, e.pieces[:i]...), e.pieces[i+1:]...)
			e.list()
		})
		remove.SetToolTip(i18n.T("Remove"))
		e.listed.Add(container.NewBorder(nil, nil, nil, remove, kit.NewText(evidenceText(piece), kit.TextStyle{Size: look.SizeSmall, Ellipsis: look.EllipsisMiddle})))
	}
	e.screen.Sheet.Refit()
}

// addFile adds a file by its hash, which a worker computes.
func (e *evidenceForm) addFile(path string) {
	e.say(i18n.T("Reading the file…"))
	e.screen.Workers.Do(func(ctx context.Context) func() {
		hash, err := e.screen.Records.Hash(ctx, path)
		return func() {
			if err != nil {
				e.say(i18n.T("The file can't be read. Choose another."))
				return
			}
			e.say("")
			e.put(fileEvidence(hash))
		}
	})
}

func (e *evidenceForm) say(sentence string) {
	e.words.SetText(sentence)
	kit.SetVisible(e.words, sentence != "")
	e.screen.Sheet.Refit()
}
