package settings

import (
	"assay/client/i18n"
	"assay/client/keys"
	"assay/gui/present"
)

// KeyWords say where the key is, and what is wrong with it; problem is "" where nothing is.
func KeyWords(state keys.Status) (words, problem string) {
	switch state.Where {
	case keys.InKeychain:
		words = i18n.T("The key is in this computer's keychain.")
	case keys.ForThisRun:
		words = i18n.T("Assay keeps the key only until you quit.")
	case keys.FromEnvironment:
		words = i18n.T("The key comes from ASSAY_API_KEY. Assay uses it until you quit, instead of any key in the keychain.")
	default:
		words = i18n.T("There is no key. Nothing can be sent.")
		if state.Waiting {
			words = i18n.T("The keychain has not given Assay the key yet.")
		}
	}
	if state.Problem != nil {
		problem = present.Problem(state.Problem)
	}
	if state.Waiting && problem == "" {
		problem = i18n.T("Unlock the keychain. Assay then goes on by itself.")
	}
	return words, problem
}

// KeyKept reports whether there is a key to be tested or removed; replaceable, whether another key would be used in its place.
func KeyKept(state keys.Status) (kept, replaceable bool) {
	return state.Where != keys.Nowhere, state.Where != keys.FromEnvironment
}

// ServiceNow is the service in use.
type ServiceNow struct {
	Sandbox bool
	Address string // "" for the sandbox
	Key     keys.Status
	// UnderWay is how many submissions pause when another service is chosen; they go on when the person comes back to this one.
	UnderWay int
}

// Words say which service it is, and what that means.
func (n ServiceNow) Words() (name, means string) {
	if n.Sandbox {
		return i18n.T("The sandbox"), i18n.T("A small service on this computer, for trying Assay out. Its results are classic forensic signals, not those of a deepfake detector. Nothing leaves this computer.")
	}
	return n.Address, i18n.T("Files and links that may leave this computer go there, and nowhere else.")
}

// LeaveWords ask whether to switch from this service to the one at an address, or to the sandbox if that is "".
func (n ServiceNow) LeaveWords(to string) (title, text, yes string) {
	title, yes = i18n.F("Switch to %s?", to), i18n.T("Switch")
	if to == "" {
		title = i18n.T("Switch to the sandbox?")
	}
	text = OtherServiceWords()
	if n.UnderWay > 0 {
		text = i18n.N(n.UnderWay, "%s file or link is under way here. It stops now and goes on when you come back to this service.",
			"%s files and links are under way here. They stop now and go on when you come back to this service.") + "\n\n" + text
	}
	return title, text, yes
}

// OtherServiceWords say what another service means.
func OtherServiceWords() string {
	return i18n.T("Each service has its own inbox and results. Those of this service stay on this computer for when you come back.")
}

// RemoveKeyWords ask whether to remove the key.
func RemoveKeyWords() (title, text, yes string) {
	return i18n.T("Remove the key?"),
		i18n.T("Assay removes it from this computer's keychain and can't bring it back. Nothing is sent until there is another key."),
		i18n.T("Remove the key")
}

// ProxyPasswordWords are the status of a proxy's password; kept reports whether there is one to be removed.
func ProxyPasswordWords(proxy string, state keys.Status) (words string, kept bool) {
	switch {
	case proxy == "":
		return i18n.T("No proxy is set."), false
	case state.Where == keys.InKeychain:
		words, kept = i18n.T("The password is in the keychain."), true
	case state.Where == keys.ForThisRun:
		words, kept = i18n.T("Assay keeps the password only until you quit."), true
	default:
		words = i18n.T("There is no password.")
	}
	if state.Problem != nil {
		words += " " + present.Problem(state.Problem)
	}
	return words, kept
}
