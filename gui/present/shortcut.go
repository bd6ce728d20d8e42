package present

// Shortcut is one line of the shortcut sheet.
type Shortcut struct {
	Keys string // as a person reads them: "Space", "[ ]", "Ctrl+S"
	Does string // "Play or pause"
}
