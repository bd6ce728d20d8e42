package folders

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"assay/client"
	"assay/client/store"
	"assay/client/submission"
)

// record is a folder in the form that the store keeps.
type record struct {
	Settings
	id        string
	added     time.Time
	temporary bool
	// moveSince is when MoveTo was set; zero where there is none.
	moveSince time.Time
	// again says that files of this path were accepted before it was added: submissions accepted earlier than that are not counted. For other folders
	// all are counted, so that a clock that was set back does not matter.
	again bool
	// unfinished says that its files are still being recorded: after a crash it counts as never added.
	unfinished bool
	removed    bool                       // by the person, who may restore it in this run
	rest       map[string]json.RawMessage // settings that this version does not know
}

// recordJSON is the JSON form of the settings.
type recordJSON struct {
	Gate       submission.Gate    `json:"gate"`
	Types      []client.MediaType `json:"types,omitempty"`
	Only       []string           `json:"only,omitempty"`
	Skip       []string           `json:"skip,omitempty"`
	Subfolders bool               `json:"subfolders"`
	Quiet      int64              `json:"quietMilliseconds,omitempty"`
	Paused     bool               `json:"paused,omitempty"`
	MoveTo     string             `json:"moveTo,omitempty"`
	MoveToRaw  []byte             `json:"moveToBytes,omitempty"` // in place of MoveTo, where that is not UTF-8
	MoveSince  int64              `json:"moveSince,omitempty"`   // ns since 1970
	Case       string             `json:"case,omitempty"`
	Again      bool               `json:"again,omitempty"`
	Unfinished bool               `json:"unfinished,omitempty"`
	Removed    bool               `json:"removed,omitempty"`
}

// row is the folder as the store takes it.
func (k *record) row() (store.Folder, error) {
	w := recordJSON{Gate: k.Gate, Types: k.Types, Only: k.Only, Skip: k.Skip, Subfolders: k.Subfolders,
		Quiet: k.Quiet.Milliseconds(), Paused: k.Paused, Again: k.again, Unfinished: k.unfinished, Removed: k.removed, Case: k.Case}
	if utf8.ValidString(k.MoveTo) {
		w.MoveTo = k.MoveTo
	} else {
		w.MoveToRaw = []byte(k.MoveTo)
	}
	if !k.moveSince.IsZero() {
		w.MoveSince = k.moveSince.UnixNano()
	}
	known, err := json.Marshal(w)
	if err != nil {
		return store.Folder{}, err
	}
	all := maps.Clone(k.rest)
	if all == nil {
		all = map[string]json.RawMessage{}
	}
	if err := json.Unmarshal(known, &all); err != nil { // on top of the settings that this version does not know
		return store.Folder{}, err
	}
	settings, err := json.Marshal(all)
	return store.Folder{ID: k.id, Path: k.Path, Added: k.added, Temporary: k.temporary, Settings: settings}, err
}

// fieldsKnown are the names of recordJSON's fields.
var fieldsKnown = []string{"gate", "types", "only", "skip", "subfolders", "quietMilliseconds", "paused", "moveTo", "moveToBytes", "moveSince", "case", "again", "unfinished", "removed"}

// readRecord reads a row. If something of it can't be read or can't hold, ok is false, the gate is ask unless it is never, and what can't hold of the
// others has its default: nothing is moved to a place that would be refused. own are Assay's own folders.
func readRecord(row store.Folder, own []string) (k record, ok bool) {
	k = record{Settings: Default(row.Path), id: row.ID, added: row.Added, temporary: row.Temporary}
	var w recordJSON
	if err := json.Unmarshal(row.Settings, &w); err != nil {
		return k, false
	}
	if err := json.Unmarshal(row.Settings, &k.rest); err != nil {
		return k, false
	}
	maps.DeleteFunc(k.rest, func(name string, _ json.RawMessage) bool {
		return slices.ContainsFunc(fieldsKnown, func(known string) bool { return strings.EqualFold(known, name) }) // case-insensitive, as in encoding/json
	})
	k.Gate, k.Types, k.Only, k.Skip, k.Subfolders, k.Paused = w.Gate, w.Types, w.Only, w.Skip, w.Subfolders, w.Paused
	k.Quiet, k.unfinished, k.removed = time.Duration(w.Quiet)*time.Millisecond, w.Unfinished, w.Removed
	k.MoveTo, k.Case, k.again = w.MoveTo, w.Case, w.Again
	if len(w.MoveToRaw) > 0 {
		k.MoveTo = string(w.MoveToRaw)
	}
	if w.MoveSince != 0 {
		k.moveSince = time.Unix(0, w.MoveSince)
	}
	ok = k.check() == nil
	if w.Quiet != 0 && (w.Quiet < quietLeast.Milliseconds() || w.Quiet > quietMost.Milliseconds()) {
		k.Quiet, ok = 0, false
	}
	if k.MoveTo != "" && k.checkMoveTo(own) != nil {
		k.MoveTo, k.moveSince, ok = "", time.Time{}, false
	}
	if !ok && k.Gate != submission.GateNever {
		k.Gate = submission.GateAsk
	}
	return k, ok
}
