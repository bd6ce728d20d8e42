package part

import (
	"math"
	"strconv"
	"strings"

	"assay/client/i18n"
	"assay/client/lazyregexp"
	"assay/client/media"
	"assay/gui/present"
)

// Clip is a clip of which a part is to be chosen.
type Clip struct {
	ID, Name string
	Size     int64 // bytes
	Most     int64 // of them, that the service takes
	Preview  present.Preview
}

// Title is the sheet's.
func (c Clip) Title() string { return i18n.F("Choose a part of %s", c.Name) }

// Why says why only a part can be sent.
func (c Clip) Why() string {
	return i18n.F("This clip is %s. The service takes clips up to %s, so only a part of it can be sent. Nothing leaves before you send it.",
		media.SizeText(c.Size), media.SizeText(c.Most))
}

// choice is the part that is chosen so far, in seconds.
type choice struct {
	clip     Clip
	length   float64 // 0 until known
	from, to float64
	begins   float64 // where it begins if it is cut without loss; NaN until known
}

// few is how much of the service's limit the part takes that is proposed: sizes are estimates.
const few = 0.8

// propose is the part from a clip's beginning that surely fits.
func propose(clip Clip, length float64) choice {
	share := math.Min(1, few*float64(clip.Most)/float64(max(clip.Size, 1)))
	return choice{clip: clip, length: length, to: math.Floor(length*share*10) / 10, begins: math.NaN()}
}

// size estimates how many bytes the part has: clips don't have as many in every second.
func (c choice) size() int64 {
	begins := c.from
	if !math.IsNaN(c.begins) {
		begins = c.begins
	}
	if !(c.length > 0) {
		return 0
	}
	return int64(float64(c.clip.Size) * (c.to - begins) / c.length)
}

// problem says why the part can't be sent; "" where it can.
func (c choice) problem() string {
	switch {
	case !(c.length > 0):
		return i18n.T("The length of the clip isn't known yet.")
	case c.to > c.length+0.05 || c.from >= c.length:
		return i18n.F("The clip ends at %s.", present.ClockOf(c.length, c.length))
	case c.to <= c.from:
		return i18n.T("The end must come after the beginning.")
	case float64(c.size()) > 1.25*float64(c.clip.Most):
		return i18n.F("About %s: too large. The service takes up to %s, so choose a shorter part.", media.SizeText(c.size()), media.SizeText(c.clip.Most))
	}
	return ""
}

// words say how large the part is, and where it truly begins.
func (c choice) words() string {
	if problem := c.problem(); problem != "" {
		return problem
	}
	said := i18n.F("%s long, about %s of at most %s.", present.Clock(c.to-c.from), media.SizeText(c.size()), media.SizeText(c.clip.Most))
	if float64(c.size()) > float64(c.clip.Most)*0.95 {
		said += " " + i18n.T("It may turn out too large: a shorter part is safer.")
	}
	if !math.IsNaN(c.begins) && c.begins < c.from-0.05 {
		said += " " + i18n.F("To keep every frame as it is, the cut is made at %s, at the last key frame before.", present.ClockOf(c.begins, c.length))
	}
	return said
}

// typedTime is "80", "1:20.5" or "1:02:03".
var typedTime = lazyregexp.New(`^(?:(\d{1,3}):)?(?:(\d{1,4}):)?(\d{1,6}(?:[.,]\d{1,3})?)$`)

// parseTime reads a time that was typed, in seconds.
func parseTime(text string) (seconds float64, ok bool) {
	found := typedTime().FindStringSubmatch(strings.TrimSpace(text))
	if found == nil {
		return 0, false
	}
	hours, minutes := found[1], found[2]
	if minutes == "" {
		hours, minutes = "", hours
	}
	seconds, err := strconv.ParseFloat(strings.Replace(found[3], ",", ".", 1), 64)
	if err != nil {
		return 0, false
	}
	for _, part := range []struct {
		text  string
		worth float64
	}{{hours, 3600}, {minutes, 60}} {
		if n, err := strconv.Atoi(part.text); err == nil {
			seconds += float64(n) * part.worth
		}
	}
	return seconds, true
}
