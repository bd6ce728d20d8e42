package config

import (
	"log/slog"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"assay/client/events"
)

// Key names one setting by its path in the file: "service.address", "appearance.scale".
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
	Locked     // by IT
	LockUnread // Assay asks first, because what IT has locked can't be read
)

// Params say where the settings are and what else holds.
type Params struct {
	Dir     string           // Assay's folder; "" keeps nothing
	Managed string           // path of IT's file, such as ManagedPath's; "" for none
	Given   map[Key]Given    // from flags and environment; they hold for this run and are not written
	Log     *slog.Logger     // nil: nothing is logged
	Now     func() time.Time // nil: time.Now
	Events  *events.Hub      // gets each change: events.Settings; nil: nothing

	trust  func(path string) error     // for tests: whether IT's file may be trusted; nil: trusted
	rename func(from, to string) error // for tests; nil: durable.Replace
	wait   time.Duration               // for tests: how long to wait for other processes; 0: lockWait
}

// Given is a value that was given to the start.
type Given struct {
	Value any
	From  Origin // ByEnvironment or ByFlag
}

// Config has the settings. It is safe for use by many goroutines.
type Config struct {
	now atomic.Pointer[outcome]

	changing sync.Mutex // held while a change is read, written and published
	file     *file
	person   layer // what the file holds
	managed  managed
	given    map[Key]Given
	log      *slog.Logger
	events   *events.Hub

	telling sync.Mutex // guards what follows
	notices []func() string
	saidOf  map[Key]bool
}

// Open reads the settings. A broken file is no error: it is set aside, and Notices says so. An error is an *Invalid for a given value.
func Open(p Params) (*Config, error) {
	if p.Log == nil {
		p.Log = slog.New(slog.DiscardHandler)
	}
	if p.Now == nil {
		p.Now = time.Now
	}
	c := &Config{given: map[Key]Given{}, log: p.Log, events: p.Events, saidOf: map[Key]bool{}}
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

// Settings returns the settings that hold now. It is fast, and may be called on any goroutine. Their lists are not to be changed.
func (c *Config) Settings() Settings { return c.now.Load().settings }

// Origin is where the value of a setting comes from.
func (c *Config) Origin(key Key) Origin { return c.now.Load().origins[key] }

// Change lets do change the settings, then checks, writes and publishes them. What another process has written since is read first and kept. It
// writes to the disk: not for the UI thread. An error is an *Invalid, a *Fixed or a *NotWritten, and nothing was changed then.
func (c *Config) Change(do func(*Settings)) error {
	c.changing.Lock()
	defer c.changing.Unlock()
	unlock, err := c.readToChange()
	if err != nil {
		return &NotWritten{Err: err}
	}
	defer unlock()
	before := c.now.Load()
	wanted := before.settings.Clone()
	do(&wanted)
	wanted = wanted.Clone() // do may have kept its lists
	changed := layer{}
	for _, setting := range allSettings() {
		value := setting.of(&wanted)
		if reflect.DeepEqual(value, setting.of(&before.settings)) {
			continue
		}
		if by := before.origins[setting.key]; by >= ByEnvironment {
			return &Fixed{Key: setting.key, By: by}
		}
		if text := validate(setting.key, value); text != "" {
			return &Invalid{Key: setting.key, Text: text}
		}
		changed[setting.key] = value
	}
	return c.keep(changed, nil)
}

// Reset removes what the person set, so that the defaults hold again: for single settings, or for whole sections such as "network". Errors are those
// of Change.
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
	unlock, err := c.readToChange()
	if err != nil {
		return &NotWritten{Err: err}
	}
	defer unlock()
	return c.keep(nil, gone)
}

// Reload reads the file again, after another process has written it, and publishes what has changed.
func (c *Config) Reload() error {
	c.changing.Lock()
	defer c.changing.Unlock()
	if err := c.read(); err != nil {
		return err
	}
	c.publish()
	return nil
}

// readToChange reads the file and publishes what has changed; no other process changes it until unlock is called. c.changing is held.
func (c *Config) readToChange() (unlock func(), err error) {
	unlock, err = c.file.lock()
	if err != nil {
		return nil, err
	}
	if err := c.read(); err != nil {
		unlock()
		return nil, err
	}
	c.publish()
	return unlock, nil
}

// keep writes the changed settings and removes those that are gone, then publishes. c.changing is held.
func (c *Config) keep(changed layer, gone []Key) error {
	gone = slices.DeleteFunc(gone, func(key Key) bool { return !c.file.document.has(key) })
	if len(changed) > 0 || len(gone) > 0 {
		next, err := c.file.document.with(changed, gone)
		if err == nil {
			err = c.file.write(next)
		}
		if err != nil {
			c.log.Warn("settings not written", "error", err)
			return &NotWritten{Err: err}
		}
		c.person, _ = next.settings()
	}
	c.publish()
	return nil
}

// read reads the file. c.changing is held, or nobody else has c yet.
func (c *Config) read() error {
	damaged, err := c.file.read()
	if damaged != "" {
		c.log.Warn("settings set aside", "as", damaged)
		c.note(func() string { return saySetAside(damaged) })
		if c.file.document == nil {
			c.askFirst()
		}
	}
	if err != nil {
		return err
	}
	var unfit []Key
	c.person, unfit = c.file.document.settings()
	for _, key := range unfit {
		if !c.saidOf[key] {
			c.saidOf[key] = true
			c.note(func() string { return sayUnfit(key) })
		}
	}
	return nil
}

// askFirst sets every gate to ask, until the person changes that: what the broken file said of them is not known. c.changing is held, or nobody else
// has c yet.
func (c *Config) askFirst() {
	asking := layer{}
	for _, setting := range allSettings() {
		asking.orAsk(setting)
	}
	asks, err := document{}.with(asking, nil)
	if err == nil {
		err = c.file.write(asks)
	}
	if err != nil {
		c.log.Warn("settings not written", "error", err)
		c.file.document = asks // for this run
	}
}

// publish computes the settings that hold now, and publishes them if they have changed. c.changing is held.
func (c *Config) publish() {
	before, now := c.now.Load(), c.combine(c.person)
	c.now.Store(now)
	if before.settings.Equal(now.settings) {
		return
	}
	c.events.Publish(events.Event{Topic: events.Settings})
}

// Notices are sentences that the person has not been shown yet: what was set aside, which values are invalid. Each is returned once, in the language
// in use then.
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

// Contradictions are the given values that IT's locks overrule. command refuses such a flag.
func (c *Config) Contradictions() []Contradiction {
	var all []Contradiction
	now := c.now.Load()
	for _, setting := range allSettings() {
		given, ok := c.given[setting.key]
		if ok && now.origins[setting.key] == Locked && !reflect.DeepEqual(given.Value, setting.of(&now.settings)) {
			all = append(all, Contradiction{Key: setting.key, From: given.From})
		}
	}
	return all
}

// Contradiction is a given value that does not hold, because IT has locked the setting to another value.
type Contradiction struct {
	Key  Key
	From Origin // ByEnvironment or ByFlag
}
