// Package config has the settings: one typed, validated, atomically written file, below what the system's administrators have fixed and
// what the start was given. It imports the standard library, i18n, client/submission and gofrs/flock.
package config

import (
	"encoding/json"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"time"

	"assay/client/bounded"
	"assay/client/durable"
	"assay/client/submission"
)

// Settings are what holds now. They hold no secret: keys and proxy passwords are the keychain's.
type Settings struct {
	Service       Service       `json:"service"`
	Gates         Gates         `json:"gates"`
	Uploads       int           `json:"uploads"` // files uploaded at a time, 1 to 8
	Copies        string        `json:"copies"`  // "always": copies of files that the service does not take are made and sent without asking; "", "ask": the person is asked
	Notifications Notifications `json:"notifications"`
	Appearance    Appearance    `json:"appearance"`
	Network       Network       `json:"network"`
	Storage       Storage       `json:"storage"`
	Desktop       Desktop       `json:"desktop"`
	Desk          Desk          `json:"desk"`
	Signers       []Signer      `json:"signers"` // whose bundles are known; in the order in which they were added
	Stamps        []string      `json:"stamps"`  // the URLs of the time stamp authorities that bundles are sent to, as hashes, by choice
	Updates       Updates       `json:"updates"`
}

// Clone copies the lists, too, so that a change of the copy changes nothing else.
func (s Settings) Clone() Settings {
	s.Signers, s.Stamps = slices.Clone(s.Signers), slices.Clone(s.Stamps)
	return s
}

// Equal reports whether all settings are the same.
func (s Settings) Equal(other Settings) bool { return reflect.DeepEqual(s, other) }

// Signer is somebody whose bundles are known as theirs, after the person compared the key's fingerprint.
type Signer struct {
	Name string `json:"name"` // in the person's words
	Key  string `json:"key"`  // as ssh has it: "ssh-ed25519 AAAA…", without a comment
}

// Use is what Assay works with.
type Use string

// The uses. Undecided is the first run.
const (
	Undecided  Use = ""
	UseSandbox Use = "sandbox"
	UseService Use = "service"
)

// Service is where submissions go.
type Service struct {
	Use     Use    `json:"use"`
	Address string `json:"address"` // as client.New takes it; kept while the sandbox is used
	// UploadPath is the path of the upload-URL call, "" for the interface's: some deployments name it differently. No control sets it.
	UploadPath string `json:"uploadPath"`
}

// Gates are the defaults by source: see Config.Gate. The file has words of its own for them: see gateWords.
type Gates struct {
	Files   submission.Gate `json:"files"` // what is dropped, chosen, pasted, given as an argument
	Links   submission.Gate `json:"links"`
	Folders submission.Gate `json:"folders"` // what a newly watched folder begins with
}

// Notifications are what the desktop is told.
type Notifications struct {
	Answers   bool `json:"answers"`   // batches from watched folders were answered
	Decisions bool `json:"decisions"` // files wait for the person's word
}

// Appearance is how the window looks and speaks.
type Appearance struct {
	Theme    string  `json:"theme"`    // "" as the system has it, "light", "dark", "high-contrast"
	Scale    float64 `json:"scale"`    // 0 automatic, else 0.8 to 2
	Language string  `json:"language"` // "" as the system has it, else a code of i18n.All
	Careful  string  `json:"careful"`  // a present.PreviewChoice
	// BreakMinutes is after how many minutes the window reminds of a break, again and again; 0 for never.
	BreakMinutes int `json:"breakMinutes"`
	// ReduceMotion says that nothing moves by itself.
	ReduceMotion bool `json:"reduceMotion"`
}

// Network is how the service is reached.
type Network struct {
	Proxy        string `json:"proxy"`        // "" the environment's; without a password, which is the keychain's
	Certificates string `json:"certificates"` // a PEM file trusted besides the system's
}

// Storage is what the vault may take.
type Storage struct {
	VaultMegabytes int `json:"vaultMegabytes"`
}

// Desktop is how Assay lives on the desktop.
type Desktop struct {
	Tray       bool `json:"tray"`
	CloseHides bool `json:"closeHides"` // closing the window hides it in the tray
	Autostart  bool `json:"autostart"`
	OpenWith   bool `json:"openWith"`
	SendTo     bool `json:"sendTo"`
}

// Desk is the desk that is proposed to whoever joins one. Which one was joined is in the records.
type Desk struct {
	Address string `json:"address"` // such as postgres://desk.example/assay, with or without the member's login
}

// Updates is whether newer versions are asked for; it means nothing where the system updates Assay.
type Updates struct {
	Check bool `json:"check"` // once a week
}

// Defaults are the settings of a new account on a computer that nobody manages.
func Defaults() Settings {
	return Settings{
		Gates:         Gates{Files: submission.GateSend, Links: submission.GateSend, Folders: submission.GateAsk},
		Uploads:       2,
		Notifications: Notifications{Answers: true, Decisions: true},
		Storage:       Storage{VaultMegabytes: 2048},
	}
}

const (
	stateName      = "state.json"
	stateTempNames = ".state-*.tmp"
)

// State is what Assay remembers by itself from run to run. Nobody chose it, and its loss does not matter.
type State struct {
	WindowWidth  int    `json:"windowWidth,omitempty"` // in the toolkit's units; 0: not known
	WindowHeight int    `json:"windowHeight,omitempty"`
	CrashSeen    string `json:"crashSeen,omitempty"`   // name of the last crash report that the person was told of
	ResultsList  string `json:"resultsList,omitempty"` // "strip" or "wide", as the person chose; "": by the window's width
	// Report is how the last report was written, as far as that is not about sensitive material.
	Report ReportChoice `json:"report,omitzero"`
	// PanelFolded is whether the panel beside what the viewer shows is folded.
	PanelFolded bool `json:"panelFolded,omitempty"`
	// Updates is what client/updates remembers.
	Updates UpdateState `json:"updates,omitzero"`
}

// UpdateState is when it was asked whether there is a newer version, and what was answered.
type UpdateState struct {
	Asked   time.Time `json:"asked,omitzero"`    // the last time, also if in vain
	Next    time.Time `json:"next,omitzero"`     // not before then
	Version string    `json:"version,omitempty"` // as it was answered last
	Page    string    `json:"page,omitempty"`    // about that version
	NotNow  string    `json:"notNow,omitempty"`  // of this version the person wants to hear no more
}

// ReportChoice is how a report is written.
type ReportChoice struct {
	Format        string `json:"format,omitempty"` // the ending of the file's name
	Media         string `json:"media,omitempty"`  // as report.Media
	Names         string `json:"names,omitempty"`  // as report.Names
	Language      string `json:"language,omitempty"`
	NoNotes       bool   `json:"noNotes,omitempty"`
	NoHeatmaps    bool   `json:"noHeatmaps,omitempty"`
	NoTimelines   bool   `json:"noTimelines,omitempty"`
	NoFile        bool   `json:"noFile,omitempty"` // nothing of what files say of themselves
	ByteOrderMark bool   `json:"byteOrderMark,omitempty"`
	Files         string `json:"files,omitempty"` // in a bundle, as report.Media
	Stamp         bool   `json:"stamp,omitempty"`
}

// LoadState reads what SaveState wrote to a folder; where there is nothing that can be read, the zero State.
func LoadState(dir string) State {
	var s State
	content, err := bounded.ReadFile(filepath.Join(dir, stateName), largest)
	if err != nil || json.Unmarshal(content, &s) != nil {
		return State{}
	}
	return s
}

var changingState sync.Mutex

// ChangeState lets do change what is remembered in a folder, so that what others remember there stays, other processes too. It reads and writes
// the disk: not for the UI thread.
func ChangeState(dir string, do func(*State)) error {
	changingState.Lock()
	defer changingState.Unlock()
	unlock, err := newFile(Params{Dir: dir}).lock()
	if err != nil {
		return err
	}
	defer unlock()
	before := LoadState(dir)
	after := before
	do(&after)
	if after == before {
		return nil
	}
	return SaveState(dir, after)
}

// SaveState keeps s for the next run. It writes to the disk: not for the UI thread.
func SaveState(dir string, s State) error {
	content, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return durable.WriteFile(filepath.Join(dir, stateName), content, durable.Options{Temp: stateTempNames})
}
