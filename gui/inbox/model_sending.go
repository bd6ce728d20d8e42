package inbox

import (
	"assay/client/i18n"
	"assay/client/submission"
)

// Sending is what happens to what is dropped, chosen or pasted, as the settings say.
type Sending struct {
	Files   submission.Gate
	Copies  submission.CopyRule // of files that the service does not take
	Fixed   bool                // the person can't change the gate here
	Sandbox bool                // nothing leaves this computer
}

// Asks reports whether files wait for the person.
func (s Sending) Asks() bool { return s.Files == submission.GateAsk }

// Words say what happens to files, the longest wording first.
func (s Sending) Words() []string {
	switch {
	case s.Files == submission.GateNever:
		return []string{i18n.T("Files stay on this computer")}
	case s.Asks() && s.Sandbox:
		return []string{i18n.T("Files wait for your OK, and stay on this computer"), i18n.T("Files wait for your OK")}
	case s.Asks():
		return []string{i18n.T("Files wait for your OK")}
	case s.Sandbox:
		return []string{i18n.T("Files are checked at once, on this computer"), i18n.T("Files are checked at once")}
	case s.Copies == submission.CopiesAlways:
		return []string{i18n.T("Files are sent at once · HEIC, TIFF, mkv and others as a copy"), i18n.T("Files are sent at once")}
	}
	return []string{i18n.T("Files are sent at once · HEIC, TIFF, mkv and others as a copy, if you agree"), i18n.T("Files are sent at once")}
}

// Switch is what the button says that lets files wait, or be sent at once; "" for no button.
func (s Sending) Switch() string {
	switch {
	case s.Fixed || s.Files == submission.GateNever:
		return ""
	case s.Asks() && s.Sandbox:
		return i18n.T("Check at once")
	case s.Asks():
		return i18n.T("Send at once")
	}
	return i18n.T("Ask me first")
}
