//go:build e2e && linux

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"assay/client/media/sound/soundtest"
	"assay/gui/e2e"
)

const (
	// crawl is the speed of uploads, in bytes per second, while pictures of them are taken: so slow that none finishes.
	crawl = 120 << 10
	// inboxLimit is how long it may take until everything is answered, refused or under way.
	inboxLimit = 2 * time.Minute
	// linger is how long a model runs while pictures of its analysis are taken.
	linger = "5m"
)

// busyInbox is an inbox with submissions in every state at once. All of them are real: a service in another process answers, refuses, fails and
// delays, and a wire slows uploads down.
type busyInbox struct {
	files   inboxFiles
	web     *httptest.Server // serves links
	desktop *e2e.Desktop
	service *e2e.Service
	wire    *e2e.Wire
	options e2e.Options
}

// visitInbox fills an inbox and keeps pictures of it in each of the looks. It is filled in the first look; the others open the same home, where work
// goes on.
func visitInbox(ctx context.Context, looks []look, pictures []string) error {
	dir, err := os.MkdirTemp("", "assay-tour-desk-")
	if err != nil {
		return fmt.Errorf("folder for an inbox: %w", err)
	}
	d := &busyInbox{}
	if d.files, err = writeInboxFiles(filepath.Join(dir, "Incoming"), pictures); err != nil {
		return errors.Join(err, os.RemoveAll(dir))
	}
	d.web = d.serveLinks(pictures[0])
	var wrong []error
	for i, l := range looks {
		wrong = append(wrong, l.onDesktop(ctx, func(desktop *e2e.Desktop, _ string) error {
			d.desktop = desktop
			d.options.Home = filepath.Join(dir, "home")
			d.options.Variables = nil
			d.options = l.options(d.options)
			if err := l.settle(d.options.Home, nil); err != nil {
				return err
			}
			if i == 0 {
				return d.fill(ctx, l, dir)
			}
			return d.goOn(ctx, l)
		}))
	}
	if d.wire != nil {
		wrong = append(wrong, d.wire.Close())
	}
	d.web.CloseClientConnections()
	d.web.Close()
	return errors.Join(append(wrong, os.RemoveAll(dir))...)
}

// serveLinks serves a picture, and a page that never ends.
func (d *busyInbox) serveLinks(picture string) *httptest.Server {
	mux := http.NewServeMux()
	mux.HandleFunc("/desk/harbour-fire", func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, picture) })
	mux.HandleFunc("/desk/live", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	return httptest.NewServer(mux)
}

// fill makes the states one after another: first those that end, then analyses, then uploads.
func (d *busyInbox) fill(ctx context.Context, l look, dir string) error {
	var err error
	served := filepath.Join(dir, "served")
	if d.service, err = d.desktop.StartService(ctx, served, "127.0.0.1:0",
		"--fault", "upload-url:400@3,body=message", "--fault", "put:403@8-9", "--fault", "upload-url:500@17-"); err != nil {
		return err
	}
	if d.wire, err = e2e.StartWire(ctx, d.service.URL); err != nil {
		return err
	}
	d.options.Server, d.options.Key = d.wire.URL(), d.service.Key
	ending := slices.Concat(d.files.end, []string{d.web.URL + "/desk/harbour-fire", d.web.URL + "/desk/taken-down"})
	first := d.options
	first.Files = ending[:1]
	app, err := d.desktop.StartAssay(ctx, first)
	if err != nil {
		return err
	}
	if err := d.handOver(ending[1:]...); err != nil {
		return err
	}
	if _, err := app.Answers(ctx, len(ending)-3, inboxLimit); err != nil { // a few are retried
		return err
	}
	if err := d.serveAgain(ctx, "--latency", linger); err != nil {
		return err
	}
	before, err := d.arrived()
	if err != nil {
		return err
	}
	if err := d.handOver(append(d.files.analysed, d.web.URL+"/desk/live")...); err != nil {
		return err
	}
	if err := e2e.Until(ctx, inboxLimit, "everything to be analysed has arrived", func() (bool, error) {
		now, err := d.arrived()
		return now >= before+len(d.files.analysed), err
	}); err != nil {
		return err
	}
	d.wire.SetRate(crawl)
	if err := d.handOver(d.files.sent...); err != nil {
		return err
	}
	// The newest are first: some of those that wait are paused, some cancelled.
	if _, err := app.Window.SettledBut(ctx, restless); err != nil {
		return err
	}
	keys := "Home j j j x j x j x ctrl+p Escape j x j x ctrl+Delete Escape Home"
	if err := app.Window.Keys(ctx, strings.Fields(keys)...); err != nil {
		return err
	}
	return d.keep(ctx, l, app)
}

// goOn opens the inbox again.
func (d *busyInbox) goOn(ctx context.Context, l look) error {
	// The service ended with the first desktop, on which it was started.
	service, err := d.desktop.StartService(ctx, d.service.Dir, d.service.URL[len("http://"):], "--latency", linger)
	if err != nil {
		return err
	}
	d.service = service
	app, err := d.desktop.StartAssay(ctx, d.options)
	if err != nil {
		return err
	}
	return d.keep(ctx, l, app)
}

// keep keeps pictures of the whole inbox, with and without a selection, once uploads have begun.
func (d *busyInbox) keep(ctx context.Context, l look, app *e2e.Assay) error {
	sent := d.wire.Sent()
	if err := e2e.Until(ctx, inboxLimit, "uploads go", func() (bool, error) { return d.wire.Sent() > sent+3*crawl, nil }); err != nil {
		return err
	}
	err := l.walk(ctx, d.desktop, app.Window, []stop{
		{screen: "desk-1"},
		{"desk-2", []string{"Home", "Next", "Next"}},
		{"desk-3", []string{"Next"}},
		{"desk-4", []string{"Next"}},
		{"desk-end", []string{"End"}},
		{"desk-selected", []string{"Home", "x", "j", "x"}},
		{"desk-all-selected", []string{"ctrl+a"}},
		{"desk-found", []string{"Escape", "slash", "h", "a", "r"}},
	})
	return errors.Join(err, app.Stop())
}

// handOver passes files and links to the open window by another start of Assay.
func (d *busyInbox) handOver(files ...string) error {
	options := d.options
	options.Files = files
	process, err := d.desktop.Launch(options)
	if err != nil {
		return err
	}
	code, err := process.Wait(inboxLimit)
	if err == nil && code != 0 {
		err = fmt.Errorf("a second start ended with exit code %d: %s", code, process.Errors)
	}
	return err
}

// serveAgain restarts the service with other arguments.
func (d *busyInbox) serveAgain(ctx context.Context, arguments ...string) error {
	if err := d.service.Stop(); err != nil {
		return err
	}
	service, err := d.desktop.StartService(ctx, d.service.Dir, d.service.URL[len("http://"):], arguments...)
	if err != nil {
		return err
	}
	d.service = service
	return nil
}

func (d *busyInbox) arrived() (int, error) {
	counted, err := d.service.Submissions()
	return len(counted), err
}

// inboxFiles are the files for an inbox, by the state that they are to reach.
type inboxFiles struct {
	end      []string // is answered, refused or given up
	analysed []string
	sent     []string
}

// sentSize is the size of what is seen being sent, in bytes.
const sentSize = 12 << 20

// writeInboxFiles writes the files into a folder.
func writeInboxFiles(folder string, pictures []string) (inboxFiles, error) {
	w := &fileWriter{folder: folder, pictures: pictures}
	w.copies("press-call-0412.jpg", "minister at the harbour.jpg", "IMG_20260412_174501.jpg", "crowd-wide.jpg", "Überschwemmung Elbe (1).jpg",
		"DSC00417.JPG", "WhatsApp Image 2026-04-12 at 17.45.01.jpeg", "poster, as posted.png", "profile.webp", "reaction.gif",
		"night market 2.JPG", "field hospital.jpeg", "from the archive (undated).png")
	w.again("press-call-0412 (1).jpg", "press-call-0412.jpg")
	w.again("crowd-wide, from the agency and not cropped, as it came in by mail on Sunday evening.jpg", "crowd-wide.jpg")
	w.put("statement by the spokesperson.txt", []byte(strings.Repeat("The spokesperson said on Sunday that nothing of the kind had happened. ", 40)))
	w.put("too short.txt", []byte("No."))
	w.put("voice note 18-22.wav", tone(3, 220))
	w.put("broken off.jpg", w.content(0)[:20_000])
	w.put("empty.jpg", nil)
	w.put("minutes.docx", []byte("PK"))
	w.put("archive of the year.txt", bytes.Repeat([]byte("word "), 1_200_000))
	w.put("lift.wav", tone(1, 440))
	w.files = append(w.files, filepath.Join(folder, "moved away.jpg"))
	w.copies("ninth.jpg", "tenth.jpg")
	end := w.take()
	w.copies("harbour-statement.jpg", "stadium.jpg", "leak-p3.jpg", "night market.jpg", "satellite still.png", "protest 4.jpg")
	w.put("interview, part 2.wav", tone(6, 330))
	analysed := w.take()
	for i := range 14 {
		content, err := e2e.HeavyPNG(byte(i+1), sentSize+i*300_000)
		if err != nil {
			return inboxFiles{}, err
		}
		w.put(fmt.Sprintf("scan_%04d.png", i+1), content)
	}
	return inboxFiles{end: end, analysed: analysed, sent: w.take()}, w.err
}

// fileWriter writes files, each with a content of its own; its error is the first.
type fileWriter struct {
	folder   string
	pictures []string
	files    []string
	copied   int
	err      error
}

// take returns what was written since the last time.
func (w *fileWriter) take() []string {
	files := w.files
	w.files = nil
	return files
}

func (w *fileWriter) put(name string, content []byte) {
	path := filepath.Join(w.folder, name)
	if w.err == nil {
		w.err = os.MkdirAll(w.folder, 0o700)
	}
	if w.err == nil {
		w.err = os.WriteFile(path, content, 0o600)
	}
	w.files = append(w.files, path)
}

// content is a picture's, one after the other of those whose names end alike.
func (w *fileWriter) content(n int) []byte {
	content, err := os.ReadFile(w.pictures[n%len(w.pictures)])
	if w.err == nil {
		w.err = err
	}
	return content
}

// copies puts pictures under other names. A few bytes after a picture's end, which no reader minds, make each another file.
func (w *fileWriter) copies(names ...string) {
	for _, name := range names {
		n := w.copied
		for !strings.EqualFold(kindOf(w.pictures[n%len(w.pictures)]), kindOf(name)) {
			n++
		}
		w.copied = n + 1
		w.put(name, fmt.Appendf(w.content(n), "%d", len(w.files)*100+n))
	}
}

// again puts the content of a file that was written under another name too.
func (w *fileWriter) again(name, of string) {
	content, err := os.ReadFile(filepath.Join(w.folder, of))
	if w.err == nil {
		w.err = err
	}
	w.put(name, content)
}

// kindOf is a file's extension, one for each kind.
func kindOf(name string) string {
	return strings.Replace(strings.ToLower(filepath.Ext(name)), ".jpeg", ".jpg", 1)
}

// tone is a recording of some seconds.
func tone(seconds, pitch float64) []byte {
	const rate = 16_000
	return soundtest.Mono(rate, soundtest.Tone(rate, pitch, seconds, 0.275)...)
}
