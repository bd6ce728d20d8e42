//go:build e2e && linux

package main

import (
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

	"assay/gui/e2e"
)

const (
	// crawl is how fast uploads go while their pictures are taken, in bytes a second: all the while none arrives.
	crawl = 120 << 10
	// deskLimit is how long everything may take to be answered, refused or on its way.
	deskLimit = 2 * time.Minute
	// linger is how long a model takes while its analysis is to be seen.
	linger = "5m"
)

// desk is an inbox in which everything happens at once. All of it is real: a service in another process answers, refuses, fails and takes its
// time, and a wire makes uploads slow.
type desk struct {
	files   deskFiles
	web     *httptest.Server // where links lead to
	desktop *e2e.Desktop
	service *e2e.Service
	wire    *e2e.Wire
	options e2e.Options
}

// visitDesk fills an inbox and keeps it in each of the looks. It is filled in the first; the others open what is kept, which goes on by itself.
func visitDesk(ctx context.Context, looks []look, pictures []string) error {
	dir, err := os.MkdirTemp("", "assay-tour-desk-")
	if err != nil {
		return fmt.Errorf("folder for a desk: %w", err)
	}
	d := &desk{}
	if d.files, err = layOutDesk(filepath.Join(dir, "Incoming"), pictures); err != nil {
		return errors.Join(err, os.RemoveAll(dir))
	}
	d.web = d.serveLinks(pictures[0])
	var wrong []error
	for i, l := range looks {
		wrong = append(wrong, l.onDesktop(ctx, func(desktop *e2e.Desktop, _ string) error {
			d.desktop = desktop
			d.options.Theme, d.options.Scale = l.theme, l.scale
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

// serveLinks serves a picture, and a page that never comes to its end.
func (d *desk) serveLinks(picture string) *httptest.Server {
	mux := http.NewServeMux()
	mux.HandleFunc("/desk/harbour-fire", func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, picture) })
	mux.HandleFunc("/desk/live", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	return httptest.NewServer(mux)
}

// fill makes the states one after the other: first what ends, then what is being analysed, then what is being sent.
func (d *desk) fill(ctx context.Context, l look, dir string) error {
	var err error
	served := filepath.Join(dir, "served")
	if d.service, err = d.desktop.StartService(ctx, served, "127.0.0.1:0",
		"--fault", "upload-url:400@3,body=message", "--fault", "put:403@8-9", "--fault", "upload-url:500@17-"); err != nil {
		return err
	}
	if d.wire, err = e2e.StartWire(ctx, d.service.URL); err != nil {
		return err
	}
	d.options.Home, d.options.Server, d.options.Key = filepath.Join(dir, "home"), d.wire.URL(), d.service.Key
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
	if _, err := app.Answers(ctx, len(ending)-3, deskLimit); err != nil { // a few keep trying
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
	if err := e2e.Until(ctx, deskLimit, "everything to be analysed has arrived", func() (bool, error) {
		now, err := d.arrived()
		return now >= before+len(d.files.analysed), err
	}); err != nil {
		return err
	}
	d.wire.SetRate(crawl)
	if err := d.handOver(d.files.sent...); err != nil {
		return err
	}
	// The newest stand first: some of those that wait are paused, and some given up.
	if _, err := app.Window.SettledBut(ctx, restless); err != nil {
		return err
	}
	keys := "Home j j j x j x j x p Escape j x j x Delete Escape Home"
	if err := app.Window.Keys(ctx, strings.Fields(keys)...); err != nil {
		return err
	}
	return d.keep(ctx, l, app)
}

// goOn opens the inbox again.
func (d *desk) goOn(ctx context.Context, l look) error {
	// The service ended with the first desktop, which it was started on.
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

// keep keeps the inbox from its top to its end, with and without a selection, as soon as uploads are seen to go.
func (d *desk) keep(ctx context.Context, l look, app *e2e.Assay) error {
	sent := d.wire.Sent()
	if err := e2e.Until(ctx, deskLimit, "uploads go", func() (bool, error) { return d.wire.Sent() > sent+3*crawl, nil }); err != nil {
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

// handOver gives files and links to the window that is open, as starting Assay once more does.
func (d *desk) handOver(files ...string) error {
	options := d.options
	options.Files = files
	process, err := d.desktop.Launch(options)
	if err != nil {
		return err
	}
	code, err := process.Wait(deskLimit)
	if err == nil && code != 0 {
		err = fmt.Errorf("a second start ended with exit code %d: %s", code, process.Errors)
	}
	return err
}

// serveAgain starts the service anew, with other arguments.
func (d *desk) serveAgain(ctx context.Context, arguments ...string) error {
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

func (d *desk) arrived() (int, error) {
	counted, err := d.service.Submissions()
	return len(counted), err
}
