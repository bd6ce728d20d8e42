package gui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"fyne.io/fyne/v2"

	"assay/assets"
	"assay/client/i18n"
	"assay/client/intake"
	"assay/client/portal"
	"assay/client/report/bundle"
	"assay/client/session"
	"assay/client/submission"
	"assay/gui/inbox"
	"assay/gui/pasteboard"
	"assay/gui/screens"
)

// paste accepts what another program has copied: files, links, or a picture. It runs on the UI thread.
func (a *app) paste() {
	onWayland := displayOf(a.window) == onWayland
	a.acceptors.Do(func(ctx context.Context) func() {
		read := a.ReadPasteboard
		if read == nil {
			read = func(ctx context.Context) (pasteboard.Content, error) { return pasteboard.Read(ctx, onWayland) }
		}
		copied, err := read(ctx)
		if errors.Is(err, pasteboard.ErrNoReader) {
			return a.pasteText
		}
		if err != nil {
			a.Log.Warn("paste", "error", err)
			return func() { a.sayPasted(pasteProblem(err)) }
		}
		return func() { a.pasted(copied) }
	})
}

// pasted accepts what was copied.
func (a *app) pasted(c pasteboard.Content) {
	text := inbox.PastedText(c.Text)
	given := append(text.Links, text.Paths...)
	switch {
	case len(c.Paths) > 0:
		a.accept(c.Paths, submission.Pasted)
	case len(given) > 0:
		a.accept(given, submission.Pasted)
	case len(c.Picture) > 0:
		a.pastePicture(c.Picture)
	case text.Other:
		a.sayPasted(i18n.T("You copied neither a picture nor files or links, so nothing was added."))
	default:
		a.sayPasted(i18n.T("There is nothing to paste. Copy a picture, files or links first."))
	}
}

// pasteText accepts files and links that were copied as text, which the toolkit can read itself. It runs on the UI thread.
func (a *app) pasteText() {
	if text := a.App.Clipboard().Content(); text != "" {
		a.pasted(pasteboard.Content{Text: text})
		return
	}
	a.sayPasted(i18n.T("To paste pictures and files, install the program wl-paste (package wl-clipboard). Or drop them on this window."))
}

// pasteLink accepts links and paths that were typed or pasted into the field for them; it returns false for any other text.
func (a *app) pasteLink(text string) (taken bool) {
	p := inbox.PastedText(text)
	given := append(p.Links, p.Paths...)
	a.accept(given, submission.Pasted)
	return len(given) > 0
}

// pastePicture writes a picture to a file, so that a crash does not lose it, and accepts that.
func (a *app) pastePicture(png []byte) {
	a.acceptPicture("pasted "+a.Now().Format("2006-01-02 15.04.05"), png, submission.Pasted)
}

// trySample accepts a picture of Assay's own.
func (a *app) trySample() {
	a.acceptPicture(i18n.T("Sample picture"), assets.Sample, submission.Chosen)
}

// acceptPicture writes a picture to a file with this name, without its extension, and accepts that.
func (a *app) acceptPicture(name string, png []byte, source submission.Source) {
	a.acceptors.Do(func(context.Context) func() {
		path, err := writePicture(a.PastedFolder(), name, png)
		return func() {
			if err != nil {
				a.Log.Error("write a picture", "error", err)
				a.sayPasted(i18n.T("Assay could not save the picture in its folder, so it was not added."))
				return
			}
			a.accept([]string{path}, source)
		}
	})
}

func (a *app) sayPasted(sentence string) {
	a.rail.Select(screens.Inbox)
	a.inbox.Say(sentence)
}

// pasteProblem is the sentence for a pasteboard that can't be read.
func pasteProblem(err error) string {
	switch {
	case errors.Is(err, pasteboard.ErrSlow):
		return i18n.T("The program that you copied from did not pass it on. Copy again, or save it as a file.")
	case errors.Is(err, pasteboard.ErrTooLarge):
		return i18n.T("This is too large to paste. Save it as a file and drop the file here.")
	}
	return i18n.T("The clipboard can't be read. Save what you copied as a file and drop the file here.")
}

// mostNames bounds the names that are tried for pictures of the same second.
const mostNames = 100

// writePicture writes a picture to a new file in a folder, for the user alone; it is on disk when it returns.
func writePicture(folder, name string, png []byte) (path string, err error) {
	if folder == "" {
		return "", errors.New("there is no folder for pasted pictures")
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	var file *os.File
	for n := 1; ; n++ {
		path = filepath.Join(folder, name+".png")
		if n > 1 {
			path = filepath.Join(folder, fmt.Sprintf("%s %d.png", name, n))
		}
		file, err = os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err == nil {
			break
		}
		if !os.IsExist(err) || n == mostNames {
			return "", err
		}
	}
	_, err = file.Write(png)
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return "", errors.Join(err, os.Remove(path)) // part of a picture is of no use
	}
	return path, nil
}

// choose asks for files.
func (a *app) choose() {
	a.dialogs.files(chosenEndings(), func(paths []string) { a.accept(paths, submission.Chosen) })
}

// chooseFolder asks for a folder, whose files are accepted with those in the folders below it.
func (a *app) chooseFolder() {
	a.dialogs.folder(i18n.T("Choose a folder"), func(path string) { a.accept([]string{path}, submission.Chosen) })
}

// dropped accepts files and folders that were dropped. The position does not matter: the whole window is the target.
func (a *app) dropped(_ fyne.Position, uris []fyne.URI) {
	paths := make([]string, 0, len(uris))
	for _, u := range uris {
		paths = append(paths, u.Path())
	}
	if !portal.Sandboxed(nil) {
		a.takeDropped(paths)
		return
	}
	// The sandbox hides what the person has not chosen in the desktop's dialogs.
	a.lookers.Do(func(context.Context) func() {
		readable := slices.DeleteFunc(slices.Clone(paths), func(path string) bool {
			_, err := os.Stat(path)
			return err != nil
		})
		return func() {
			if len(readable) < len(paths) {
				a.sayInFront(i18n.T("This installation of Assay can't read files that are dropped on it. Choose them instead: then it can read them."))
			}
			if len(readable) > 0 {
				a.takeDropped(readable)
			}
		}
	})
}

func (a *app) takeDropped(paths []string) {
	of := a.cases.Shown()
	switch at := a.rail.Selected(); {
	case at == screens.Folders:
		a.dropOnFolders(paths)
	case at == screens.Cases && of != "":
		a.acceptInto(of, paths, submission.Dropped)
	default:
		a.accept(paths, submission.Dropped)
	}
}

// accept accepts files, folders and links on a worker, and says what became of them. Evidence bundles among them are verified instead.
func (a *app) accept(given []string, source submission.Source) {
	if len(given) == 0 {
		return
	}
	a.rail.Select(screens.Inbox)
	a.acceptors.Do(func(ctx context.Context) func() {
		given, bundles := bundle.Split(given)
		var taken intake.Accepted
		var err error
		if len(given) > 0 {
			taken, err = a.Queue.Accept(ctx, intake.Inputs(given...), intake.Options{Source: source, Colleagues: submission.AskFirst})
		}
		return func() {
			a.verifyBundles(bundles)
			switch {
			case len(given) == 0:
			case err != nil:
				a.Log.Error("accept", "error", err)
				a.inbox.Say(inbox.NotAccepted(err))
			default:
				a.inbox.Say(inbox.AcceptedText(taken))
			}
		}
	})
}

// takenElsewhere brings the window to the front after a later start has handed something over.
func (a *app) takenElsewhere(h session.Handed) {
	if len(h.Accepted.IDs) > 0 || len(h.Bundles) == 0 {
		a.rail.Select(screens.Inbox)
		a.inbox.Say(inbox.AcceptedText(h.Accepted))
	}
	a.verifyBundles(h.Bundles)
	a.window.Show()
	a.cases.Away(false)
	a.window.RequestFocus()
	comeToFront(a.window, "")
}
