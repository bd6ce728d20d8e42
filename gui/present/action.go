package present

// Action is something that a row offers.
type Action string

// The actions. What is cancelled can be taken back by Retry.
const (
	Open      Action = "open"
	Retry     Action = "retry"
	Cancel    Action = "cancel"
	Remove    Action = "remove"
	Pause     Action = "pause"
	Resume    Action = "resume"
	ScanAgain Action = "scan-again"
	Approve   Action = "allow"    // asks what would leave this computer, and how
	Withhold  Action = "withhold" // keeps it on this computer; Allow leads back
)

// Shortcut is one line of the shortcut sheet.
type Shortcut struct {
	Keys string // as a person reads them: "Space", "[ ]", "Ctrl+S"
	Does string // "Play or pause"
}

// Option is one of a few things to choose, with what it means.
type Option struct{ Words, Means string }
