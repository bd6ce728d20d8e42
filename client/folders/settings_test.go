package folders_test

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/folders"
	"assay/client/media"
	"assay/client/store"
	"assay/client/submission"
)

func TestSettingsAreKept(t *testing.T) {
	all := folders.Settings{Path: "/in", Gate: submission.GateNever, Types: []client.MediaType{client.Image}, Only: []string{"IMG_*"},
		Skip: []string{"draft*"}, Subfolders: true, Quiet: 1500 * time.Millisecond, Paused: true, MoveTo: "/in/done \xe9"}
	for name, want := range map[string]folders.Settings{
		"all of them":  all,
		"the defaults": folders.Default("/in"),
		"what is sent": {Path: "/in", Gate: submission.GateSend},
	} {
		t.Run(name, func(t *testing.T) {
			row, err := folders.Kept(store.Folder{ID: "id", Path: "/in"}, func(s *folders.Settings) { *s = want })
			assert.NoError(t, err)
			got, ok := folders.ReadKept(row)
			if !ok {
				t.Errorf("%s can't be read", row.Settings)
			}
			assert.Equal(t, want, got)
		})
	}
	t.Run("with those of a newer version", func(t *testing.T) {
		row := store.Folder{ID: "id", Path: "/in", Settings: []byte(`{"gate":"send","paused":true,"colour":{"red":1},"subfolders":true}`)}
		row, err := folders.Kept(row, func(s *folders.Settings) { s.Paused = false })
		assert.NoError(t, err)
		var got map[string]any
		assert.NoError(t, json.Unmarshal(row.Settings, &got))
		assert.Equal(t, map[string]any{"gate": "send", "colour": map[string]any{"red": 1.0}, "subfolders": true}, got)
	})
	for name, settings := range map[string]string{
		"none":                   ``,
		"no JSON":                `{"gate":`,
		"another shape":          `[1, 2]`,
		"no gate":                `{"subfolders":true}`,
		"a gate that is unknown": `{"gate":"post","subfolders":true}`,
	} {
		t.Run("of "+name+", nothing leaves unasked", func(t *testing.T) {
			got, ok := folders.ReadKept(store.Folder{ID: "id", Path: "/in", Settings: []byte(settings)})
			if ok || got.Gate != submission.GateAsk || got.Path != "/in" {
				t.Errorf("read as %+v, %t", got, ok)
			}
		})
	}
}

func TestKeptSettingsThatCannotHold(t *testing.T) {
	for name, settings := range map[string]string{
		"too little rest":                         `{"gate":"send","quietMilliseconds":199}`,
		"less than no rest":                       `{"gate":"send","quietMilliseconds":-1}`,
		"too much rest":                           `{"gate":"send","quietMilliseconds":3600001}`,
		"more rest than can be counted":           `{"gate":"send","quietMilliseconds":18446744073710}`,
		"a target without a root":                 `{"gate":"send","moveTo":"done","moveSince":7}`,
		"a target among Assay's own files":        `{"gate":"send","moveTo":"/assay/vault"}`,
		"a target that is Assay's own folder":     `{"gate":"send","moveTo":"/assay/"}`,
		"a target without a root, in other bytes": `{"gate":"send","moveToBytes":"/w=="}`,
	} {
		t.Run(name, func(t *testing.T) {
			got, ok := folders.ReadKept(store.Folder{ID: "id", Path: "/in", Settings: []byte(settings)})
			if ok {
				t.Error("it is said to be read")
			}
			assert.Equal(t, folders.Settings{Path: "/in", Gate: submission.GateAsk}, got)
		})
	}
	t.Run("what can hold does", func(t *testing.T) {
		got, ok := folders.ReadKept(store.Folder{ID: "id", Path: "/in", Settings: []byte(`{"gate":"send","quietMilliseconds":200,"moveTo":"/assays"}`)})
		if !ok {
			t.Error("it can't be read")
		}
		assert.Equal(t, folders.Settings{Path: "/in", Gate: submission.GateSend, Quiet: 200 * time.Millisecond, MoveTo: "/assays"}, got)
	})
}

func TestTheNamesThatCount(t *testing.T) {
	var all []string
	for _, extension := range slices.Concat(media.Supported(), media.Convertible()) {
		all = append(all, "*."+extension)
	}
	otherClips := func(name string) (names []string) {
		for _, extension := range media.Convertible() {
			if kind, _, _ := media.Accepted("." + extension); kind == client.Video {
				names = append(names, name+"."+extension)
			}
		}
		return names
	}
	for _, c := range []struct {
		name  string
		types []client.MediaType
		only  []string
		want  []string
	}{
		{"all that are supported", nil, nil, all},
		{"of some types", []client.MediaType{client.Video, client.Text}, nil, slices.Concat([]string{"*.mp4", "*.mov", "*.txt"}, otherClips("*"))},
		{"of a pattern", []client.MediaType{client.Video}, []string{"clip-*"}, slices.Concat([]string{"clip-*.mp4", "clip-*.mov"}, otherClips("clip-*"))},
		{"of a pattern with an extension", nil, []string{"clip-??.MP4"}, []string{"clip-??.mp4"}},
		{"of a pattern with several extensions", nil, []string{"*.jp*g"}, []string{"*.jpg", "*.jpeg"}},
		{"of a pattern with any extension", []client.MediaType{client.Text}, []string{"a.*"}, []string{"a.txt", "a.*.txt"}},
		{"of patterns of which one has no supported extension", nil, []string{"*.xmp", "*.txt"}, []string{"*.txt"}},
		{"of a pattern that can't be narrowed", []client.MediaType{client.Text}, []string{"*t"}, []string{"*t"}},
		{"of none that is supported", nil, []string{"*.xmp"}, []string{"*.xmp"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := folders.Settings{Types: c.types, Only: c.only}
			if got := s.Names(); !slices.Equal(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
	t.Run("of a pattern that can't be narrowed, other types are left out", func(t *testing.T) {
		d, in := setup(t), t.TempDir()
		s := sends(in)
		s.Types, s.Only = []client.MediaType{client.Text}, []string{"*t", "*g"}
		d.add(s, folders.OnlyNew)
		write(t, filepath.Join(in, "a.png"), "no picture")
		write(t, filepath.Join(in, "b.txt"), "a text")
		d.becomes("b.txt done")
	})
}

func TestSettingsThatMakeNoSense(t *testing.T) {
	d, root := setup(t), t.TempDir()
	in, other := filepath.Join(root, "in"), filepath.Join(root, "other")
	file := write(t, filepath.Join(in, "file.txt"), "a file")
	write(t, filepath.Join(other, "file.txt"), "another")
	for name, c := range map[string]struct {
		change func(*folders.Settings)
		want   string
	}{
		"an unknown gate":            {func(s *folders.Settings) { s.Gate = "later" }, "“later”"},
		"too little rest":            {func(s *folders.Settings) { s.Quiet = 199 * time.Millisecond }, "from 0.2 seconds to one hour"},
		"too much rest":              {func(s *folders.Settings) { s.Quiet = time.Hour + 1 }, "from 0.2 seconds to one hour"},
		"negative rest":              {func(s *folders.Settings) { s.Quiet = -time.Second }, "from 0.2 seconds to one hour"},
		"an unknown type":            {func(s *folders.Settings) { s.Types = []client.MediaType{"SMELL"} }, "“SMELL”"},
		"a pattern with no end":      {func(s *folders.Settings) { s.Only = []string{"a[b"} }, "“a[b”"},
		"another such":               {func(s *folders.Settings) { s.Skip = []string{"*.txt", "[]"} }, "“[]”"},
		"a pattern of a way":         {func(s *folders.Settings) { s.Skip = []string{"sub/*.txt"} }, "“sub/*.txt” contains a slash"},
		"a target that is not":       {func(s *folders.Settings) { s.MoveTo = filepath.Join(root, "none") }, "does not exist"},
		"a target that is a file":    {func(s *folders.Settings) { s.MoveTo = file }, "is a file"},
		"a target without a root":    {func(s *folders.Settings) { s.MoveTo = "done" }, "needs its full path"},
		"itself for a target":        {func(s *folders.Settings) { s.MoveTo = in + string(filepath.Separator) }, "is the watched folder itself"},
		"the app's own for a target": {func(s *folders.Settings) { s.MoveTo = d.home }, "Assay keeps its own files"},
		"the app's own folder":       {func(s *folders.Settings) { s.Path = d.home }, "Assay keeps its own files"},
		"one inside the app's own":   {func(s *folders.Settings) { s.Path = filepath.Dir(write(t, filepath.Join(d.home, "sub", "a.txt"), "a")) }, "Assay keeps its own files"},
		"a folder that is a file":    {func(s *folders.Settings) { s.Path = file }, "is a file, not a folder"},
		"one that does not exist":    {func(s *folders.Settings) { s.Path = filepath.Join(root, "none") }, "does not exist"},
	} {
		t.Run(name, func(t *testing.T) {
			s := sends(in)
			c.change(&s)
			_, err := d.Add(t.Context(), s, folders.All, nil)
			if got := sentence(t, err); !strings.Contains(got, c.want) {
				t.Errorf("%q does not say %q", got, c.want)
			}
			if _, err := d.Look(t.Context(), s); err == nil {
				t.Error("looking at it says nothing of it")
			}
			if _, err := d.AddTemporary(t.Context(), s, folders.All); err == nil {
				t.Error("`assay watch` takes it")
			}
			if all := d.All(); len(all) > 0 {
				t.Errorf("%+v is watched", all)
			}
		})
	}
	t.Run("given to a folder that is watched, leave it as it was", func(t *testing.T) {
		id := d.add(sends(in), folders.OnlyNew)
		s := sends(in)
		s.Gate, s.Quiet = submission.GateAsk, time.Millisecond
		if err := d.Change(t.Context(), id, s); !strings.Contains(sentence(t, err), "0.2 seconds") {
			t.Errorf("%v", err)
		}
		if got := d.folder(id).Settings; got.Gate != submission.GateSend {
			t.Errorf("it has changed to %+v", got)
		}
	})
}
