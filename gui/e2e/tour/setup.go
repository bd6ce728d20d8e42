//go:build e2e && linux

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"image"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"assay/gui/e2e/scenes"
)

// setupChoice is which pictures of setting up to make.
type setupChoice struct {
	languages, themes, chapters, sizes string // each separated by commas; "" for all
	scales, texts                      string
}

// setupFlags defines the flags. out is the folder for screenshots, "" for the usual one.
func setupFlags(flags *flag.FlagSet) (choice *setupChoice, out *string) {
	c := &setupChoice{}
	flags.StringVar(&c.languages, "languages", "", "such as en,de; in setup all five where it is not given")
	flags.StringVar(&c.themes, "themes", "", "light, dark, high-contrast; in setup, where it is not given, light for all languages and each for English")
	flags.StringVar(&c.scales, "scales", "", "pixels to a unit, such as 1,2")
	flags.StringVar(&c.texts, "texts", "", "text sizes of the settings, such as 1.5,2")
	flags.StringVar(&c.sizes, "sizes", "", "such as 900x600,2560x1440")
	flags.StringVar(&c.chapters, "chapters", "", "of setup: "+strings.Join(chapterNames(), ", "))
	return c, flags.String("out", "", "folder for screenshots; what is in it is removed (default build/tour)")
}

// languages are Assay's languages.
var languages = []string{"en", "es", "pt", "fr", "de"}

// looks returns the chosen looks: each language in light, English in every look.
func (c setupChoice) looks(shots string) (looks []look, err error) {
	wantedSizes, err := c.wantedSizes()
	if err != nil {
		return nil, err
	}
	for _, language := range languages {
		for _, theme := range []string{"light", "dark", "high-contrast"} {
			for _, scale := range []float64{1, 2} {
				usual := theme == "light" && scale == 1 || language == languages[0] && (theme == "light" || scale == 1)
				asked := c.themes != "" || c.scales != ""
				if !usual && !asked || !chosen(c.languages, language) || !chosen(c.themes, theme) || !chosen(c.scales, fmt.Sprint(scale)) {
					continue
				}
				l := look{theme: theme, scale: scale, language: language, sizes: wantedSizes, shots: shots}
				if scale > 1 && len(wantedSizes) > 1 {
					l.sizes = wantedSizes[:1]
				}
				looks = append(looks, l)
			}
		}
	}
	if len(looks) == 0 {
		return nil, errors.New("no look is both offered and asked for")
	}
	return c.withTexts(looks)
}

// withTexts returns each look in each of the chosen text sizes.
func (c setupChoice) withTexts(looks []look) (all []look, err error) {
	if c.texts == "" {
		return looks, nil
	}
	for text := range strings.SplitSeq(c.texts, ",") {
		size, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, fmt.Errorf("text size %q: such as 1.5 is one", text)
		}
		for _, l := range looks {
			l.text = size
			all = append(all, l)
		}
	}
	return all, nil
}

// given reports whether any look was asked for.
func (c setupChoice) given() bool {
	return c.languages+c.themes+c.scales+c.texts+c.sizes != ""
}

func (c setupChoice) wantedSizes() (wanted []image.Point, err error) {
	if c.sizes == "" {
		return sizes, nil
	}
	for text := range strings.SplitSeq(c.sizes, ",") {
		var size image.Point
		if _, err := fmt.Sscanf(text, "%dx%d", &size.X, &size.Y); err != nil {
			return nil, fmt.Errorf("size %q: such as 900x600 is one", text)
		}
		wanted = append(wanted, size)
	}
	return wanted, nil
}

// chosen reports whether a name is in a list separated by commas; an empty list has all names.
func chosen(list, name string) bool {
	return list == "" || slices.Contains(strings.Split(list, ","), name)
}

// chapter is a part of the pictures of setting up, on a desktop of its own.
type chapter struct {
	name string
	walk func(*visit) error
}

func chapters() []chapter {
	return []chapter{
		{"first-run", (*visit).firstRun},
		{"faults", (*visit).faults},
		{"keychain", (*visit).keychains},
		{"settings", (*visit).settings},
		{"gate", (*visit).gate},
		{"folders", (*visit).folders},
		{"results", (*visit).results},
		{"files", (*visit).fileDialogs},
		{"compare", (*visit).compare},
		{"incoming", (*visit).incoming},
		{"sheets", (*visit).sheets},
	}
}

func chapterNames() (names []string) {
	for _, c := range chapters() {
		names = append(names, c.name)
	}
	return names
}

// visitSetup shows the first run, the settings, the review and every dialogue, in each language.
func visitSetup(ctx context.Context, choice setupChoice, shots string, pictures []string) (err error) {
	looks, err := choice.looks(shots)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "assay-tour-setup-")
	if err != nil {
		return fmt.Errorf("folder for setting up: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	others := startOtherServices()
	defer others.close()
	all, err := scenes.All(ctx, filepath.Dir(pictures[0]))
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(e *scenes.Scene) bool { return !e.Final() || e.Removed })
	service := scenes.Serve(all)
	defer service.Close()
	answered := &answeredHome{scenes: all, service: service, home: filepath.Join(dir, "answered"), incoming: filepath.Join(dir, "Incoming")}
	if chosen(choice.chapters, "settings") || chosen(choice.chapters, "results") || chosen(choice.chapters, "files") {
		if err := answered.answer(ctx, looks[0]); err != nil {
			return err
		}
	}
	var wrong []error
	for _, l := range looks {
		for _, c := range chapters() {
			if !chosen(choice.chapters, c.name) || ctx.Err() != nil {
				continue
			}
			v := &visit{look: l, ctx: ctx, pictures: pictures, others: others, answered: answered}
			if err := v.run(c.walk); err != nil {
				wrong = append(wrong, fmt.Errorf("%s in %s, %s at scale %g: %w", c.name, l.language, l.theme, l.scale, err))
			}
		}
	}
	return errors.Join(append(wrong, montages(ctx, looks))...)
}

// otherServices are servers at URLs that a person may type, all on loopback.
type otherServices struct {
	other, login, silent, refuses, broken, proxyLogin, certificate *httptest.Server
}

func startOtherServices() *otherServices {
	says := func(status int, kind, words string) *httptest.Server {
		return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.WriteHeader(status)
			_, _ = io.WriteString(w, words) // the client may be gone
		}))
	}
	const data, page = "application/json", "text/html; charset=utf-8"
	s := &otherServices{
		other:      says(http.StatusNotFound, data, `{"message":"no such route"}`),
		login:      says(http.StatusOK, page, "<!doctype html><title>Welcome</title><form><input name=room><button>Log in</button></form>"),
		silent:     httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })),
		refuses:    says(http.StatusUnauthorized, data, `{"message":"Unauthorized"}`),
		broken:     says(http.StatusServiceUnavailable, data, `{"message":"maintenance until noon"}`),
		proxyLogin: says(http.StatusProxyAuthRequired, page, "<!doctype html><title>Proxy</title>"),
	}
	s.certificate = httptest.NewUnstartedServer(http.NotFoundHandler())
	s.certificate.Config.ErrorLog = log.New(io.Discard, "", 0) // a client that does not trust the certificate is what this shows
	s.certificate.StartTLS()
	return s
}

func (s *otherServices) close() {
	for _, server := range []*httptest.Server{s.other, s.login, s.silent, s.refuses, s.broken, s.proxyLogin, s.certificate} {
		server.CloseClientConnections()
		server.Close()
	}
}

// montages puts the pictures of each screen side by side, four languages to a sheet, for comparison.
func montages(ctx context.Context, looks []look) error {
	folder := looks[0].shots
	files, err := filepath.Glob(filepath.Join(folder, "*.png"))
	if err != nil {
		return fmt.Errorf("screenshots: %w", err)
	}
	sheets := map[string][]string{} // by the name without the language
	for _, l := range looks {
		for _, file := range files {
			name := filepath.Base(file)
			mark := "-" + l.language + "-" + l.theme + "-"
			if screen, rest, found := strings.Cut(name, mark); found && !slices.Contains(sheets[screen+"-"+l.theme+"-"+rest], file) {
				sheets[screen+"-"+l.theme+"-"+rest] = append(sheets[screen+"-"+l.theme+"-"+rest], file)
			}
		}
	}
	out := filepath.Join(folder, "sheets")
	if err := os.MkdirAll(out, 0o750); err != nil {
		return fmt.Errorf("folder for sheets: %w", err)
	}
	var wrong []error
	for name, some := range sheets {
		if len(some) < 2 {
			continue
		}
		arguments := append(slices.Clone(some), "-tile", "2x", "-geometry", "+6+6", "-background", "#808080", filepath.Join(out, name))
		if said, err := exec.CommandContext(ctx, "montage", arguments...).CombinedOutput(); err != nil {
			wrong = append(wrong, fmt.Errorf("sheet %s: %w: %s", name, err, said))
		}
	}
	return errors.Join(wrong...)
}
