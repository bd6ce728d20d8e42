package config

import (
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Key names one setting by its place in the file: "service.address", "appearance.scale".
type Key string

// Origin is where a setting's value comes from.
type Origin int

// The origins, from the weakest to the strongest.
const (
	ByDefault Origin = iota
	ByManaged        // IT's default
	ByPerson
	ByEnvironment
	ByFlag
	Locked // by IT
)

// Params say where settings lie and what else holds.
type Params struct {
	Dir     string           // the home; "" keeps nothing
	Managed string           // path of IT's file, such as ManagedPath's; "" for none
	Given   map[Key]Given    // from flags and environment; they hold for this run and are never written
	Log     *slog.Logger     // nil: nothing is logged
	Now     func() time.Time // nil: time.Now

	trust  func(path string) error     // tests only: whether IT's file may be believed; nil: trusted
	rename func(from, to string) error // tests only: nil: replaceFile
	wait   time.Duration               // tests only: for other processes; 0: lockWait
}

// Given is a value that the start was given.
type Given struct {
	Value any
	From  Origin // ByEnvironment or ByFlag
}

// Config has the settings. It is safe for use by many goroutines.
type Config struct {
	now atomic.Pointer[outcome]

	changing sync.Mutex // held while a change is read, written and told, so that watchers hear changes in order
	file     *file
	person   layer // what the file holds
	managed  managed
	given    map[Key]Given
	log      *slog.Logger

	telling  sync.Mutex // guards what follows
	watchers []*watcher
	notices  []func() string
	saidOf   map[Key]bool
}

type watcher struct{ told func(before, now Settings) }

// Open reads the settings. A broken file is no error: it is set aside, and Notices says so. An error is an *Invalid of a given value.
func Open(p Params) (*Config, error) {
	if p.Log == nil {
		p.Log = slog.New(slog.DiscardHandler)
	}
	if p.Now == nil {
		p.Now = time.Now
	}
	c := &Config{given: map[Key]Given{}, log: p.Log, saidOf: map[Key]bool{}}
	for key, given := range p.Given {
		value, err := checkGiven(key, given)
		if err != nil {
			return nil, err
		}
		c.given[key] = Given{Value: value, From: given.From}
	}
	c.managed = c.readManaged(p)
	c.file = newFile(p)
	c.file.sweep()
	if err := c.read(); err != nil {
		c.log.Warn("settings not read", "error", err)
		c.note(sayNotRead)
	}
	c.now.Store(c.combine(c.person))
	return c, nil
}

// Settings are what holds now. It is cheap, and safe on any goroutine.
func (c *Config) Settings() Settings { return c.now.Load().settings }

// Origin is where the value of a setting comes from.
func (c *Config) Origin(key Key) Origin { return c.now.Load().origins[key] }

// Change lets do change the settings, checks and writes them, and then tells who watches. What another process has written since is
// read first and kept. It writes to the disk: not for the UI thread. An error is an *Invalid, a *Fixed or a *NotWritten, and nothing has
// changed then.
func (c *Config) Change(do func(*Settings)) error {
	c.changing.Lock()
	defer c.changing.Unlock()
	letGo, err := c.readToChange()
	if err != nil {
		return &NotWritten{Err: err}
	}
	defer letGo()
	before := c.now.Load()
	wanted := before.settings
	do(&wanted)
	changed := layer{}
	for _, leaf := range leaves() {
		value := leaf.of(&wanted)
		if value == leaf.of(&before.settings) {
			continue
		}
		if by := before.origins[leaf.key]; by >= ByEnvironment {
			return &Fixed{Key: leaf.key, By: by}
		}
		if text := check(leaf.key, value); text != "" {
			return &Invalid{Key: leaf.key, Text: text}
		}
		changed[leaf.key] = value
	}
	return c.keep(changed, nil)
}

// Reset takes back what the person set, so that the defaults hold again: of single settings, or of whole sections such as "network".
// Errors are those of Change.
func (c *Config) Reset(keys ...Key) error {
	c.changing.Lock()
	defer c.changing.Unlock()
	var gone []Key
	for _, key := range keys {
		named := within(key)
		if len(named) == 0 {
			return &Invalid{Key: key, Text: unknownKey()}
		}
		gone = append(gone, named...)
	}
	letGo, err := c.readToChange()
	if err != nil {
		return &NotWritten{Err: err}
	}
	defer letGo()
	return c.keep(nil, gone)
}

// Reload reads the file again, which another start of Assay has written, and tells who watches what has changed.
func (c *Config) Reload() error {
	c.changing.Lock()
	defer c.changing.Unlock()
	if err := c.read(); err != nil {
		return err
	}
	c.publish()
	return nil
}

// readToChange reads the file, which no other process changes until it is let go, and tells who watches. c.changing is held.
func (c *Config) readToChange() (letGo func(), err error) {
	letGo, err = c.file.hold()
	if err != nil {
		return nil, err
	}
	if err := c.read(); err != nil {
		letGo()
		return nil, err
	}
	c.publish()
	return letGo, nil
}

// keep writes what was changed and what is gone, and tells who watches. c.changing is held.
func (c *Config) keep(changed layer, gone []Key) error {
	gone = slices.DeleteFunc(gone, func(key Key) bool { return !c.file.tree.has(key) })
	if len(changed) > 0 || len(gone) > 0 {
		tree, err := c.file.tree.with(changed, gone)
		if err == nil {
			err = c.file.write(tree)
		}
		if err != nil {
			c.log.Warn("settings not written", "error", err)
			return &NotWritten{Err: err}
		}
		c.person, _ = tree.leaves()
	}
	c.publish()
	return nil
}

// read takes in what the file holds. c.changing is held, or nobody else has c yet.
func (c *Config) read() error {
	damaged, err := c.file.read()
	if damaged != "" {
		c.log.Warn("settings set aside", "as", damaged)
		c.note(func() string { return saySetAside(damaged) })
		if c.file.tree == nil {
			c.askFirst()
		}
	}
	if err != nil {
		return err
	}
	var unfit []Key
	c.person, unfit = c.file.tree.leaves()
	for _, key := range unfit {
		if !c.saidOf[key] {
			c.saidOf[key] = true
			c.note(func() string { return sayUnfit(key) })
		}
	}
	return nil
}

// askFirst has all that might leave be asked about first, until the person says otherwise: what a file said of that which was broken
// nobody can tell. c.changing is held, or nobody else has c yet.
func (c *Config) askFirst() {
	asking := layer{}
	for _, leaf := range leaves() {
		asking.orAsk(leaf)
	}
	asks, err := tree{}.with(asking, nil)
	if err == nil {
		err = c.file.write(asks)
	}
	if err != nil {
		c.log.Warn("settings not written", "error", err)
		c.file.tree = asks // for this run
	}
}

// publish has the new settings hold and tells who watches. c.changing is held.
func (c *Config) publish() {
	before, now := c.now.Load(), c.combine(c.person)
	c.now.Store(now)
	if before.settings == now.settings {
		return
	}
	c.telling.Lock()
	watchers := slices.Clone(c.watchers)
	c.telling.Unlock()
	for _, w := range watchers {
		w.told(before.settings, now.settings)
	}
}

// Watch has told called after each change, in order, on the goroutine of the change. It returns soon and changes no setting itself.
func (c *Config) Watch(told func(before, now Settings)) (stop func()) {
	w := &watcher{told}
	c.telling.Lock()
	defer c.telling.Unlock()
	c.watchers = append(c.watchers, w)
	return func() {
		c.telling.Lock()
		defer c.telling.Unlock()
		c.watchers = slices.DeleteFunc(slices.Clone(c.watchers), func(other *watcher) bool { return other == w })
	}
}

// Notices are sentences that have not been said yet: what was set aside, which values can't be. Each is returned once, in the
// language in use then.
func (c *Config) Notices() []string {
	c.telling.Lock()
	defer c.telling.Unlock()
	var said []string
	for _, notice := range c.notices {
		said = append(said, notice())
	}
	c.notices = nil
	return said
}

// Note adds a sentence to Notices.
func (c *Config) Note(notice func() string) { c.note(notice) }

func (c *Config) note(notice func() string) {
	c.telling.Lock()
	defer c.telling.Unlock()
	c.notices = append(c.notices, notice)
}

// Contradictions are the given values that IT's locked ones overrule. A flag that does nothing is a misuse: command says so.
func (c *Config) Contradictions() []Contradiction {
	var all []Contradiction
	now := c.now.Load()
	for _, leaf := range leaves() {
		given, ok := c.given[leaf.key]
		if ok && now.origins[leaf.key] == Locked && given.Value != leaf.of(&now.settings) {
			all = append(all, Contradiction{Key: leaf.key, From: given.From})
		}
	}
	return all
}

// Contradiction is a given value that does not hold, because IT has locked the setting to another.
type Contradiction struct {
	Key  Key
	From Origin // ByEnvironment or ByFlag
}
