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
		words = i18n.T("A key is kept in this computer's keychain.")
	case keys.ForThisRun:
		words = i18n.T("A key is kept for this run alone: it is forgotten when Assay ends.")
	case keys.FromEnvironment:
		words = i18n.T("The key comes from ASSAY_API_KEY. It holds for this run, and one in the keychain is not used.")
	default:
		words = i18n.T("There is no key. Nothing can be sent.")
		if state.Waiting {
			words = i18n.T("The key is not known yet: the keychain has not given it.")
		}
	}
	if state.Problem != nil {
		problem = present.Problem(state.Problem)
	}
	if state.Waiting && problem == "" {
		problem = i18n.T("The keychain waits for you to unlock it. Assay goes on by itself then.")
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
		return i18n.T("The sandbox"), i18n.T("A service inside this computer, for trial. Its results are classic forensic signals, not those of a deepfake detector. Nothing leaves this computer.")
	}
	return n.Address, i18n.T("Files and links that may leave this computer go there, and nowhere else.")
}

// LeaveWords ask whether to switch from this service to the one at an address, or to the sandbox if that is "".
func (n ServiceNow) LeaveWords(to string) (title, text, yes string) {
	title, yes = i18n.F("Go over to %s?", to), i18n.T("Go over")
	if to == "" {
		title = i18n.T("Go over to the sandbox?")
	}
	text = OtherServiceWords()
	if n.UnderWay > 0 {
		text = i18n.N(n.UnderWay, "%s submission is under way here. It stops now, and goes on when you come back to this service.",
			"%s submissions are under way here. They stop now, and go on when you come back to this service.") + "\n\n" + text
	}
	return title, text, yes
}

// OtherServiceWords say what another service means.
func OtherServiceWords() string {
	return i18n.T("Each service has an inbox and results of its own. Those of this one stay on this computer, and are there again when you come back.")
}

// RemoveKeyWords ask whether to remove the key.
func RemoveKeyWords() (title, text, yes string) {
	return i18n.T("Remove the key?"),
		i18n.T("It is removed from this computer's keychain, and can't be brought back from here. Nothing is sent until there is another one."),
		i18n.T("Remove the key")
}

// ProxyPasswordWords are the status of a proxy's password; kept reports whether there is one to be removed.
func ProxyPasswordWords(proxy string, state keys.Status) (words string, kept bool) {
	switch {
	case proxy == "":
		return i18n.T("No proxy is set."), false
	case state.Where == keys.InKeychain:
		words, kept = i18n.T("A password is kept in the keychain."), true
	case state.Where == keys.ForThisRun:
		words, kept = i18n.T("A password is kept for this run alone."), true
	default:
		words = i18n.T("No password is kept.")
	}
	if state.Problem != nil {
		words += " " + present.Problem(state.Problem)
	}
	return words, kept
}
