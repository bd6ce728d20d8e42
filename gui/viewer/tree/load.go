package tree

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"strings"

	"assay/client"
	"assay/client/i18n"
	"assay/client/jsontree"
	"assay/client/lazyregexp"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
)

// showSizeFrom is the size in bytes from which the size of a document is shown while it is read.
const showSizeFrom = 2 << 20

// load reads the chosen document.
func (p *Pane) load() {
	p.cancelLoad()
	p.put(nil, nil)
	at := p.choice.Selected()
	if at >= len(p.has) {
		return
	}
	p.say(i18n.T("Reading…"))
	p.notice.SetIcon(look.IconHourglass)
	document, id := p.all[p.has[at]], p.shown.ID
	p.cancelLoad = p.workers.Do(func(ctx context.Context) func() {
		text, err := document.Load(ctx, id)
		if err != nil {
			return func() { p.cannot(document, err) }
		}
		return func() {
			if len(text) >= showSizeFrom {
				p.notice.SetText(i18n.F("Reading %s…", i18n.Size(int64((len(text)+1<<19)>>20<<20))))
				p.root.Refresh()
			}
			p.index(text)
		}
	})
}

// reload reads the chosen document again and, if it changed, shows it at the same place.
func (p *Pane) reload() {
	at := p.choice.Selected()
	if p.open == nil || at >= len(p.has) {
		p.load()
		return
	}
	p.cancelLoad()
	document, id, before := p.all[p.has[at]], p.shown.ID, p.text
	p.cancelLoad = p.workers.Do(func(ctx context.Context) func() {
		text, err := document.Load(ctx, id)
		if err != nil || bytes.Equal(text, before) {
			return nil // what is shown was sent, so it stays
		}
		return func() {
			if row := p.rows.chosenRow(); !p.waiting && row.Depth > 0 {
				p.pending, p.waiting, p.quiet = p.place(row), true, true
			}
			p.index(text)
		}
	})
}

// index builds the tree of a text.
func (p *Pane) index(text []byte) {
	p.cancelLoad = p.workers.Do(func(ctx context.Context) func() {
		read, err := jsontree.Read(ctx, text)
		if read == nil {
			return nil // cancelled
		}
		read.Mask = mask
		return func() {
			p.put(read, text)
			if err != nil {
				p.fault = present.Problem(err)
			}
			p.say(p.fault)
			if p.fault != "" {
				p.notice.SetIcon(look.IconWarning)
			}
			kit.SetVisible(p.card, p.rows.length() > 0)
			kit.SetVisible(p.foot, p.rows.length() > 0)
			p.root.Refresh()
			p.goToPending()
			p.find()
		}
	})
}

// cannot shows why there is no tree.
func (p *Pane) cannot(document Document, err error) {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, client.ErrNoArtifact) {
		sentence := document.Absent
		if sentence == "" {
			sentence = i18n.T("The service has no such data for this result.")
		}
		p.say(sentence)
		return
	}
	p.say(present.Problem(err))
	p.notice.SetIcon(look.IconWarning)
	p.notice.SetAction(i18n.T("Try again"), p.load)
	p.root.Refresh()
}

// goToPending shows the requested field, once there is a tree.
func (p *Pane) goToPending() {
	if !p.waiting || p.open == nil {
		return
	}
	path, read, quiet := p.pending, p.open, p.quiet
	p.waiting, p.quiet = false, false
	p.cancelGo()
	p.cancelGo = p.workers.Do(func(context.Context) func() {
		trail := read.Locate(path)
		return func() {
			if trail == nil && quiet {
				return
			}
			if trail == nil {
				p.say(i18n.F("This document has no field %s.", path))
				return
			}
			if p.fault == "" {
				p.say("")
			}
			p.rows.reveal(trail)
		}
	})
}

// ownLink is the field that contains a social media link, of which the query must be kept.
const ownLink = "socialLink"

var (
	address = lazyregexp.New(`(?i)https?:\\?/\\?/[^\s"]*`)
	query   = lazyregexp.New(`(?i)[?#]|\\u00(3f|23)`)
)

// mask removes the query from every URL in a text, as client.Shareable does, so that the signature of a pre-signed URL can't be seen, found or
// copied. The text may also be invalid JSON, in which a URL may be escaped.
func mask(key, text string) string {
	if key == ownLink || !strings.Contains(text, ":") || !strings.Contains(text, "/") {
		return text
	}
	if before, ok := plainAddress(text); ok {
		return before
	}
	if !address().MatchString(text) {
		return text
	}
	return address().ReplaceAllStringFunc(shareable(text), func(found string) string {
		if at := query().FindStringIndex(found); at != nil {
			return found[:at[0]] + "?…"
		}
		return found
	})
}

// plainAddress masks a text that is only a URL, as most are, which is much faster.
func plainAddress(text string) (masked string, ok bool) {
	if !strings.HasPrefix(text, "https://") && !strings.HasPrefix(text, "http://") || strings.ContainsAny(text, " \t\r\n\"\\@") {
		return "", false
	}
	if at := strings.IndexAny(text, "?#"); at >= 0 {
		return text[:at] + "?…", true
	}
	return text, true
}

// shareable applies client.Shareable to a text.
func shareable(text string) string {
	if !strings.Contains(text, "://") {
		return text
	}
	sent, err := json.Marshal(text)
	if err != nil {
		return text
	}
	var clean string
	if json.Unmarshal(client.Shareable(sent), &clean) != nil {
		return text
	}
	return clean
}
