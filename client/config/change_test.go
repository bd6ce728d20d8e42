package config

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/client/assert"
	"assay/client/durable"

	"assay/client/events"
	"assay/client/submission"
)

func TestChange(t *testing.T) {
	t.Run("only what the person changed is written, for people to read", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "home", "assay")
		change(t, open(t, dir), func(s *Settings) {
			s.Service = Service{Use: UseService, Address: "https://api.example.org/a&b"}
			s.Uploads = 4
			s.Appearance.Scale = 1.25
			s.Notifications.Answers = false
		})
		want := "{\n  \"appearance\": {\n    \"scale\": 1.25\n  },\n  \"notifications\": {\n    \"answers\": false\n  },\n" +
			"  \"service\": {\n    \"address\": \"https://api.example.org/a&b\",\n    \"use\": \"service\"\n  },\n" +
			"  \"uploads\": 4,\n  \"version\": 1\n}\n"
		assert.Equal(t, want, content(t, dir))
	})
	t.Run("the next run has them", func(t *testing.T) {
		dir := t.TempDir()
		first := open(t, dir)
		change(t, first, func(s *Settings) {
			s.Gates.Files, s.Desktop.Tray, s.Storage.VaultMegabytes, s.Appearance.Careful = submission.GateNever, true, 5000, "off"
		})
		second := open(t, dir)
		assert.Equal(t, first.Settings(), second.Settings())
		if second.Origin("gates.files") != ByPerson || second.Origin("gates.links") != ByDefault {
			t.Error(second.Origin("gates.files"), second.Origin("gates.links"))
		}
	})
	t.Run("while another process writes, nothing is changed: neither change is lost", func(t *testing.T) {
		dir := t.TempDir()
		other, err := Open(Params{Dir: dir, wait: time.Millisecond})
		assert.NoError(t, err)
		var meanwhile error
		one, err := Open(Params{Dir: dir, rename: func(from, to string) error {
			meanwhile = other.Change(func(s *Settings) { s.Appearance.Scale = 1.25 })
			return durable.Replace(from, to)
		}})
		assert.NoError(t, err)
		change(t, one, func(s *Settings) { s.Uploads = 4 })
		var said interface{ Sentence() string }
		if !errors.As(meanwhile, &said) || !strings.Contains(said.Sentence(), "Another Assay is changing the settings") || !other.Settings().Equal(Defaults()) {
			t.Errorf("%v, %+v", meanwhile, other.Settings())
		}
		change(t, other, func(s *Settings) { s.Appearance.Scale = 1.25 })
		if s := open(t, dir).Settings(); s.Uploads != 4 || s.Appearance.Scale != 1.25 {
			t.Errorf("%+v", s)
		}
	})
	t.Run("two processes that change settings at once lose none", func(t *testing.T) {
		dir := t.TempDir()
		const times = 50
		changes := func(do func(n int, s *Settings)) func() {
			c, err := Open(Params{Dir: dir, wait: time.Minute}) // nobody is fair to whoever waits
			assert.NoError(t, err)
			return func() {
				for n := range times {
					if err := c.Change(func(s *Settings) { do(n, s) }); err != nil {
						t.Error(err)
					}
				}
			}
		}
		var both sync.WaitGroup
		both.Go(changes(func(n int, s *Settings) { s.Storage.VaultMegabytes = 1000 + n }))
		both.Go(changes(func(n int, s *Settings) { s.Uploads = 1 + n%MaxUploads }))
		both.Wait()
		if s := open(t, dir).Settings(); s.Storage.VaultMegabytes != 1000+times-1 || s.Uploads != 1+(times-1)%MaxUploads {
			t.Errorf("%+v", s)
		}
	})
	t.Run("a change that changes nothing writes nothing", func(t *testing.T) {
		dir := t.TempDir()
		change(t, open(t, dir), func(*Settings) {})
		if got := names(t, dir); got != nil {
			t.Errorf("%v", got)
		}
	})
	t.Run("one impossible value refuses the whole change", func(t *testing.T) {
		dir := t.TempDir()
		c := open(t, dir)
		err := c.Change(func(s *Settings) { s.Appearance.Theme, s.Uploads = "dark", 9 })
		if !isInvalid(err, "uploads") || !c.Settings().Equal(Defaults()) || names(t, dir) != nil {
			t.Errorf("%v, %+v, %v", err, c.Settings(), names(t, dir))
		}
	})
	t.Run("a password in the proxy's address never reaches the disk, nor any word", func(t *testing.T) {
		dir := t.TempDir()
		err := open(t, dir).Change(func(s *Settings) { s.Network.Proxy = "http://person:PASSWORD@proxy.example:3128" })
		if !isInvalid(err, "network.proxy") || names(t, dir) != nil || strings.Contains(err.Error(), "PASSWORD") {
			t.Errorf("%v, %v", err, names(t, dir))
		}
	})
	t.Run("what another process wrote meanwhile stays", func(t *testing.T) {
		dir := t.TempDir()
		one, other := open(t, dir), open(t, dir)
		change(t, one, func(s *Settings) { s.Uploads = 5 })
		change(t, other, func(s *Settings) { s.Appearance.Theme = "dark" })
		holds(t, dir, `{"version": 1, "uploads": 5, "appearance": {"theme": "dark"}}`)
		assert.Equal(t, 5, other.Settings().Uploads)
		assert.Equal(t, "", one.Settings().Appearance.Theme)
		if err := one.Reload(); err != nil || !one.Settings().Equal(other.Settings()) {
			t.Errorf("%v, %+v", err, one.Settings())
		}
	})
	t.Run("a change is made to what stands there now", func(t *testing.T) {
		dir := t.TempDir()
		c := open(t, dir)
		change(t, open(t, dir), func(s *Settings) { s.Uploads = 5 })
		change(t, c, func(s *Settings) { s.Uploads-- })
		holds(t, dir, `{"version": 1, "uploads": 4}`)
	})
	t.Run("a file that was deleted meanwhile means the defaults", func(t *testing.T) {
		dir := personal(t, `{"uploads": 5}`)
		c := open(t, dir)
		remove(t, filepath.Join(dir, fileName))
		change(t, c, func(s *Settings) { s.Appearance.Theme = "dark" })
		holds(t, dir, `{"version": 1, "appearance": {"theme": "dark"}}`)
	})
	t.Run("without a folder they are kept in memory", func(t *testing.T) {
		c := open(t, "")
		change(t, c, func(s *Settings) { s.Uploads = 8 })
		change(t, c, func(s *Settings) { s.Appearance.Theme = "light" })
		if s := c.Settings(); s.Uploads != 8 || s.Appearance.Theme != "light" {
			t.Errorf("%+v", s)
		}
	})
	t.Run("many at once lose nothing", func(t *testing.T) {
		dir := t.TempDir()
		c := open(t, dir)
		changes := []func(*Settings){
			func(s *Settings) { s.Uploads = 8 }, func(s *Settings) { s.Appearance.Theme = "dark" },
			func(s *Settings) { s.Desktop.Tray = true }, func(s *Settings) { s.Gates.Links = submission.GateNever },
			func(s *Settings) { s.Appearance.Scale = 1.5 }, func(s *Settings) { s.Storage.VaultMegabytes = 999 },
		}
		var all sync.WaitGroup
		for _, do := range changes {
			all.Go(func() {
				if err := c.Change(do); err != nil {
					t.Error(err)
				}
				_, _, _ = c.Settings(), c.Origin("uploads"), c.Notices()
			})
		}
		all.Wait()
		want := Defaults()
		for _, do := range changes {
			do(&want)
		}
		assert.Equal(t, want, open(t, dir).Settings())
	})
}

func TestSigners(t *testing.T) {
	lisbon, quito := Signer{Name: "the desk in Lisbon", Key: sshKey("l")}, Signer{Name: "Quito", Key: sshKey("q")}
	t.Run("a list is kept, and a change of it changes nothing that was read before", func(t *testing.T) {
		dir := t.TempDir()
		c := open(t, dir)
		change(t, c, func(s *Settings) { s.Signers = append(s.Signers, lisbon, quito) })
		before := c.Settings()
		change(t, c, func(s *Settings) {
			s.Signers = slices.DeleteFunc(s.Signers, func(one Signer) bool { return one == lisbon })
		})
		assert.Equal(t, []Signer{lisbon, quito}, before.Signers)
		assert.Equal(t, []Signer{quito}, open(t, dir).Settings().Signers)
	})
	for name, wrong := range map[string][]Signer{
		"no name": {{Key: lisbon.Key}}, "a name of two lines": {{Name: "a\nb", Key: lisbon.Key}}, "a name that begins with a space": {{Name: " a", Key: lisbon.Key}},
		"a very long name": {{Name: strings.Repeat("a", 201), Key: lisbon.Key}},
		"no key":           {{Name: "a"}}, "a key with a comment": {{Name: "a", Key: lisbon.Key + " me"}}, "a shortened key": {{Name: "a", Key: lisbon.Key[:60]}},
		"another kind of key": {{Name: "a", Key: "ssh-rsa AAAA"}},
		"a name twice":        {lisbon, {Name: lisbon.Name, Key: quito.Key}}, "a key twice": {lisbon, {Name: "a", Key: lisbon.Key}},
	} {
		t.Run(name+" is refused", func(t *testing.T) {
			c := open(t, t.TempDir())
			if err := c.Change(func(s *Settings) { s.Signers = wrong }); !isInvalid(err, "signers") || len(c.Settings().Signers) != 0 {
				t.Errorf("%v, %v", err, c.Settings().Signers)
			}
		})
	}
}

func TestStamps(t *testing.T) {
	for name, wrong := range map[string][]string{
		"no address": {"tsa"}, "an empty one": {""}, "another kind of address": {"ftp://tsa.example"}, "a name and a password": {"https://me:secret@tsa.example"},
		"one twice": {"https://tsa.example", "https://tsa.example"}, "three": {"https://a.example", "https://b.example", "https://c.example"},
	} {
		t.Run(name+" is refused", func(t *testing.T) {
			c := open(t, t.TempDir())
			if err := c.Change(func(s *Settings) { s.Stamps = wrong }); !isInvalid(err, "stamps") || len(c.Settings().Stamps) != 0 {
				t.Errorf("%v, %v", err, c.Settings().Stamps)
			}
		})
	}
}

func TestReset(t *testing.T) {
	t.Run("the default holds again, and the file forgets the choice", func(t *testing.T) {
		dir := personal(t, `{"version": 1, "uploads": 5, "network": {"proxy": "http://p.example:1", "certificates": "/ca.pem"}, "desktop": {"tray": true}}`)
		c := open(t, dir, managedBy(t, `{"settings": {"uploads": 3}}`))
		assert.NoError(t, c.Reset("uploads", "network"))
		holds(t, dir, `{"version": 1, "desktop": {"tray": true}}`)
		if s := c.Settings(); s.Uploads != 3 || s.Network != (Network{}) || !s.Desktop.Tray {
			t.Errorf("%+v", s)
		}
	})
	t.Run("a value that can't be goes too", func(t *testing.T) {
		dir := personal(t, `{"version": 1, "uploads": "many"}`)
		assert.NoError(t, open(t, dir).Reset("uploads"))
		holds(t, dir, `{"version": 1}`)
	})
	t.Run("what was never set writes nothing", func(t *testing.T) {
		dir := t.TempDir()
		if err := open(t, dir).Reset("uploads", "desktop"); err != nil || names(t, dir) != nil {
			t.Errorf("%v, %v", err, names(t, dir))
		}
	})
	t.Run("there must be such a setting", func(t *testing.T) {
		if err := open(t, t.TempDir()).Reset("tomorrow"); !isInvalid(err, "tomorrow") {
			t.Errorf("%v", err)
		}
	})
}

func TestEvents(t *testing.T) {
	begin := func(t *testing.T, dir string) (*Config, func() bool) {
		hub := new(events.Hub)
		changed := hub.Subscribe()
		return open(t, dir, func(p *Params) { p.Events = hub }), func() bool { return changed.Take().Has(events.Settings) }
	}
	t.Run("each change is published, once it holds; what changes nothing is not", func(t *testing.T) {
		c, told := begin(t, t.TempDir())
		for _, uploads := range []int{3, 4} {
			if change(t, c, func(s *Settings) { s.Uploads = uploads }); !told() || c.Settings().Uploads != uploads {
				t.Errorf("not told of %d", uploads)
			}
		}
		if change(t, c, func(*Settings) {}); told() {
			t.Error("told of nothing")
		}
	})
	t.Run("not a refused change", func(t *testing.T) {
		c, told := begin(t, t.TempDir())
		if _ = c.Change(func(s *Settings) { s.Uploads = 30 }); told() {
			t.Error("told")
		}
	})
	t.Run("what another process wrote, once it is read", func(t *testing.T) {
		dir := t.TempDir()
		c, told := begin(t, dir)
		change(t, open(t, dir), func(s *Settings) { s.Uploads = 6 })
		for _, want := range []bool{true, false} {
			assert.NoError(t, c.Reload())
			if told() != want || c.Settings().Uploads != 6 {
				t.Errorf("told: %v", !want)
			}
		}
	})
	t.Run("a change that breaks down does not hold the next one up", func(t *testing.T) {
		c := open(t, t.TempDir())
		func() {
			defer func() { _ = recover() }()
			_ = c.Change(func(*Settings) { panic(errors.New("down")) })
		}()
		change(t, c, func(s *Settings) { s.Uploads = 3 })
	})
}
