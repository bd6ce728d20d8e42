package firstrun_test

import (
	"strings"
	"testing"

	"assay/client"
	"assay/client/i18n"
	"assay/client/keys"
	"assay/gui/firstrun"
)

// setupEvent is something that happens on the way to a service.
type setupEvent struct {
	name string
	do   func(firstrun.Setup) (firstrun.Setup, firstrun.SetupAction)
}

func typed(address, key string) setupEvent {
	return setupEvent{"types", func(s firstrun.Setup) (firstrun.Setup, firstrun.SetupAction) {
		return s.Typed(firstrun.ServiceDraft{Address: address, Key: key})
	}}
}

func tested(err error) setupEvent {
	return setupEvent{"tested", func(s firstrun.Setup) (firstrun.Setup, firstrun.SetupAction) { return s.Tested(err) }}
}

func wasKept(err error) setupEvent {
	return setupEvent{"kept", func(s firstrun.Setup) (firstrun.Setup, firstrun.SetupAction) { return s.WasKept(err) }}
}

func opened(err error) setupEvent {
	return setupEvent{"opened", func(s firstrun.Setup) (firstrun.Setup, firstrun.SetupAction) { return s.Opened(err) }}
}

var (
	tests      = setupEvent{"tests", firstrun.Setup.Test}
	goesOn     = setupEvent{"continues", firstrun.Setup.Continue}
	stops      = setupEvent{"stops", firstrun.Setup.Stop}
	goesAnyway = setupEvent{"sets up anyway", firstrun.Setup.GoAnyway}
	waits      = setupEvent{"keychain waits", firstrun.Setup.KeychainWaits}
	forThisRun = setupEvent{"for this run", firstrun.Setup.KeepForThisRun}
	triesAgain = setupEvent{"tries again", firstrun.Setup.TryAgain}
	goesBack   = setupEvent{"goes back", firstrun.Setup.Back}
	inSandbox  = setupEvent{"sandbox", firstrun.Setup.TrySandbox}
	declines   = setupEvent{"declines", firstrun.Setup.NotOpened}
)

// fault is an error of a test. Where a field of the form is to be corrected, its hint is the client's, which sends to Settings.
func fault(kind client.Kind, f client.Fault) error {
	e := &client.Error{Kind: kind, Fault: f, Message: i18n.Verbatim("Why: " + string(kind) + " " + string(f) + ".")}
	if kind == client.KindKey || f == client.FaultProxy || f == client.FaultProxyLogin || f == client.FaultAddress || f == client.FaultTime {
		e.Hint = i18n.Verbatim("Check it in Settings.")
	}
	return e
}

const (
	someAddress = "api.example.org"
	someKey     = "k-123"
	someSecret  = "s3"
)

func TestSetup(t *testing.T) {
	filled := typed(someAddress, someKey)
	for _, c := range []struct {
		name    string
		events  []setupEvent
		stage   firstrun.SetupStage
		actions []firstrun.SetupAction // those that are not SetupNothing, in their order
		title   string
		at      firstrun.SetupField
		anyway  bool
	}{
		{name: "nothing is asked of anybody at first"},
		{name: "typing sends nothing", events: []setupEvent{typed("a", ""), typed("api", ""), filled}, stage: firstrun.SetupTyping},
		{name: "what was typed can be taken back", events: []setupEvent{filled, typed("", "")}, stage: firstrun.SetupChoosing},
		{name: "a test asks once", events: []setupEvent{filled, tests, tests}, stage: firstrun.SetupChecking, actions: []firstrun.SetupAction{firstrun.SetupCheck}},
		{name: "a test that passes is said, and goes no further", events: []setupEvent{filled, tests, tested(nil)},
			stage: firstrun.SetupChecked, actions: []firstrun.SetupAction{firstrun.SetupCheck}, title: "Connected"},
		{name: "after it, continuing asks no second time", events: []setupEvent{filled, tests, tested(nil), goesOn, wasKept(nil), opened(nil)},
			stage: firstrun.SetupDone, actions: []firstrun.SetupAction{firstrun.SetupCheck, firstrun.SetupKeep, firstrun.SetupOpen}},
		{name: "continuing without a test asks first", events: []setupEvent{filled, goesOn, tested(nil), wasKept(nil), opened(nil)},
			stage: firstrun.SetupDone, actions: []firstrun.SetupAction{firstrun.SetupCheck, firstrun.SetupKeep, firstrun.SetupOpen}},
		{name: "continuing while it is tested goes on once that has passed", events: []setupEvent{filled, tests, goesOn, tested(nil)},
			stage: firstrun.SetupKeeping, actions: []firstrun.SetupAction{firstrun.SetupCheck, firstrun.SetupKeep}},
		{name: "continuing goes no further than a refused key", events: []setupEvent{filled, goesOn, tested(fault(client.KindKey, ""))},
			stage: firstrun.SetupRefused, actions: []firstrun.SetupAction{firstrun.SetupCheck}, title: "Key refused", at: firstrun.SetupKey},
		{name: "what was tested is not what is typed afterwards", events: []setupEvent{filled, tests, tested(nil), typed("other.example.org", someKey), goesOn},
			stage: firstrun.SetupChecking, actions: []firstrun.SetupAction{firstrun.SetupCheck, firstrun.SetupCheck}},
		{name: "typing stops a test, and its answer counts for nothing", events: []setupEvent{filled, tests, typed(someAddress, "k-1234"), tested(nil)},
			stage: firstrun.SetupTyping, actions: []firstrun.SetupAction{firstrun.SetupCheck, firstrun.SetupStop}},
		{name: "a test can be stopped", events: []setupEvent{filled, goesOn, stops, tested(nil)},
			stage: firstrun.SetupTyping, actions: []firstrun.SetupAction{firstrun.SetupCheck, firstrun.SetupStop}},
		{name: "an address is needed", events: []setupEvent{typed(" ", someKey), tests}, stage: firstrun.SetupRefused, title: "No address", at: firstrun.SetupAddress},
		{name: "a key that is kept already needs not be filled in", events: []setupEvent{typed(someAddress, ""), goesOn, tested(nil), opened(nil)},
			stage: firstrun.SetupDone, actions: []firstrun.SetupAction{firstrun.SetupCheck, firstrun.SetupOpen}},
		{name: "unless it is to be replaced", events: []setupEvent{{"replaces", func(s firstrun.Setup) (firstrun.Setup, firstrun.SetupAction) {
			s.NeedsKey = true
			return s.Typed(firstrun.ServiceDraft{Address: someAddress})
		}}, goesOn}, stage: firstrun.SetupRefused, title: "No key", at: firstrun.SetupKey},
		{name: "one that is not, does", events: []setupEvent{typed(someAddress, ""), goesOn, tested(fault(client.KindKey, ""))},
			stage: firstrun.SetupRefused, actions: []firstrun.SetupAction{firstrun.SetupCheck}, title: "No key", at: firstrun.SetupKey},
		{name: "without one, nothing is set up untested", events: []setupEvent{typed(someAddress, ""), goesOn, tested(fault(client.KindNetwork, client.FaultOffline)), goesAnyway},
			stage: firstrun.SetupRefused, actions: []firstrun.SetupAction{firstrun.SetupCheck}, title: "No network"},
		{name: "what can be no key is sent to nobody", events: []setupEvent{typed(someAddress, "two words"), goesOn},
			stage: firstrun.SetupRefused, title: "Not a key", at: firstrun.SetupKey},
		{name: "what can be no proxy is asked of nobody", events: []setupEvent{{"types a proxy", func(s firstrun.Setup) (firstrun.Setup, firstrun.SetupAction) {
			return s.Typed(firstrun.ServiceDraft{Address: someAddress, Key: someKey, Network: firstrun.NetworkDraft{Proxy: "ftp://x"}})
		}}, tests}, stage: firstrun.SetupRefused, title: "Not a proxy", at: firstrun.SetupProxy},

		{name: "a wrong address", events: []setupEvent{filled, tests, tested(fault(client.KindNetwork, client.FaultAddress))},
			stage: firstrun.SetupRefused, actions: []firstrun.SetupAction{firstrun.SetupCheck}, title: "Wrong address", at: firstrun.SetupAddress},
		{name: "an address that is none", events: []setupEvent{filled, tests, tested(fault(client.KindSetup, ""))},
			stage: firstrun.SetupRefused, actions: []firstrun.SetupAction{firstrun.SetupCheck}, title: "Wrong address", at: firstrun.SetupAddress},
		{name: "no network", events: []setupEvent{filled, tests, tested(fault(client.KindNetwork, client.FaultOffline))},
			stage: firstrun.SetupRefused, actions: []firstrun.SetupAction{firstrun.SetupCheck}, title: "No network", anyway: true},
		{name: "a proxy", events: []setupEvent{filled, tests, tested(fault(client.KindNetwork, client.FaultProxy))},
			stage: firstrun.SetupRefused, actions: []firstrun.SetupAction{firstrun.SetupCheck}, title: "The proxy blocks the way", at: firstrun.SetupProxy, anyway: true},
		{name: "a proxy that wants a password", events: []setupEvent{filled, tests, tested(fault(client.KindNetwork, client.FaultProxyLogin))},
			stage: firstrun.SetupRefused, actions: []firstrun.SetupAction{firstrun.SetupCheck}, title: "The proxy needs a password", at: firstrun.SetupProxyLogin, anyway: true},
		{name: "a certificate", events: []setupEvent{filled, tests, tested(fault(client.KindNetwork, client.FaultCertificate))},
			stage: firstrun.SetupRefused, actions: []firstrun.SetupAction{firstrun.SetupCheck}, title: "Certificate not trusted", at: firstrun.SetupCertificates},
		{name: "a log-in page", events: []setupEvent{filled, tests, tested(fault(client.KindAnswer, client.FaultPage))},
			stage: firstrun.SetupRefused, actions: []firstrun.SetupAction{firstrun.SetupCheck}, title: "A log-in page answered"},
		{name: "no answer in time", events: []setupEvent{filled, tests, tested(fault(client.KindNetwork, client.FaultTime))},
			stage: firstrun.SetupRefused, actions: []firstrun.SetupAction{firstrun.SetupCheck}, title: "No answer in time", anyway: true},
		{name: "a busy service", events: []setupEvent{filled, tests, tested(fault(client.KindBusy, ""))},
			stage: firstrun.SetupRefused, actions: []firstrun.SetupAction{firstrun.SetupCheck}, title: "The service is busy", anyway: true},
		{name: "an answer that is none of the service's", events: []setupEvent{filled, tests, tested(fault(client.KindAnswer, ""))},
			stage: firstrun.SetupRefused, actions: []firstrun.SetupAction{firstrun.SetupCheck}, title: "Unexpected answer", at: firstrun.SetupAddress},
		{name: "an error of another kind", events: []setupEvent{filled, tests, tested(errPlain)},
			stage: firstrun.SetupRefused, actions: []firstrun.SetupAction{firstrun.SetupCheck}, title: "The test failed"},

		{name: "without network it can be set up anyway", events: []setupEvent{filled, goesOn, tested(fault(client.KindNetwork, client.FaultOffline)), goesAnyway},
			stage: firstrun.SetupKeeping, actions: []firstrun.SetupAction{firstrun.SetupCheck, firstrun.SetupKeep}},
		{name: "with a refused key it can't", events: []setupEvent{filled, goesOn, tested(fault(client.KindKey, "")), goesAnyway},
			stage: firstrun.SetupRefused, actions: []firstrun.SetupAction{firstrun.SetupCheck}, title: "Key refused", at: firstrun.SetupKey},
		{name: "with a certificate that nobody vouches for it can't", events: []setupEvent{filled, goesOn, tested(fault(client.KindNetwork, client.FaultCertificate)), goesAnyway},
			stage: firstrun.SetupRefused, actions: []firstrun.SetupAction{firstrun.SetupCheck}, title: "Certificate not trusted", at: firstrun.SetupCertificates},

		{name: "a keychain that waits is said, and waited for", events: []setupEvent{filled, tests, tested(nil), goesOn, waits},
			stage: firstrun.SetupKeeping, actions: []firstrun.SetupAction{firstrun.SetupCheck, firstrun.SetupKeep}, title: "Unlock the keychain"},
		{name: "once it was unlocked, Assay goes on by itself", events: []setupEvent{filled, tests, tested(nil), goesOn, waits, wasKept(nil)},
			stage: firstrun.SetupOpening, actions: []firstrun.SetupAction{firstrun.SetupCheck, firstrun.SetupKeep, firstrun.SetupOpen}},
		{name: "a person need not wait for it", events: []setupEvent{filled, tests, tested(nil), goesOn, waits, forThisRun, wasKept(nil)},
			stage: firstrun.SetupOpening, actions: []firstrun.SetupAction{firstrun.SetupCheck, firstrun.SetupKeep, firstrun.SetupKeepForThisRun}},
		{name: "no keychain", events: []setupEvent{filled, tests, tested(nil), goesOn, wasKept(&keys.Problem{Cause: keys.Absent})},
			stage: firstrun.SetupAsking, actions: []firstrun.SetupAction{firstrun.SetupCheck, firstrun.SetupKeep}, title: "No keychain"},
		{name: "a locked one", events: []setupEvent{filled, tests, tested(nil), goesOn, wasKept(&keys.Problem{Cause: keys.Locked})},
			stage: firstrun.SetupAsking, actions: []firstrun.SetupAction{firstrun.SetupCheck, firstrun.SetupKeep}, title: "The keychain is locked"},
		{name: "a slow one", events: []setupEvent{filled, tests, tested(nil), goesOn, waits, wasKept(&keys.Problem{Cause: keys.Slow})},
			stage: firstrun.SetupAsking, actions: []firstrun.SetupAction{firstrun.SetupCheck, firstrun.SetupKeep}, title: "The keychain does not answer"},
		{name: "the key is kept for this run where the person says so", events: []setupEvent{filled, tests, tested(nil), goesOn, wasKept(&keys.Problem{Cause: keys.Absent}), forThisRun, opened(nil)},
			stage: firstrun.SetupDone, actions: []firstrun.SetupAction{firstrun.SetupCheck, firstrun.SetupKeep, firstrun.SetupKeepForThisRun}},
		{name: "and never by itself", events: []setupEvent{filled, tests, tested(nil), forThisRun},
			stage: firstrun.SetupChecked, actions: []firstrun.SetupAction{firstrun.SetupCheck}, title: "Connected"},
		{name: "the keychain can be tried again", events: []setupEvent{filled, tests, tested(nil), goesOn, wasKept(&keys.Problem{Cause: keys.Locked}), triesAgain, wasKept(nil)},
			stage: firstrun.SetupOpening, actions: []firstrun.SetupAction{firstrun.SetupCheck, firstrun.SetupKeep, firstrun.SetupKeep, firstrun.SetupOpen}},
		{name: "and one can go back", events: []setupEvent{filled, tests, tested(nil), goesOn, wasKept(&keys.Problem{Cause: keys.Locked}), goesBack},
			stage: firstrun.SetupTyping, actions: []firstrun.SetupAction{firstrun.SetupCheck, firstrun.SetupKeep}},

		{name: "the sandbox is one click", events: []setupEvent{inSandbox, opened(nil)}, stage: firstrun.SetupDone, actions: []firstrun.SetupAction{firstrun.SetupOpenSandbox}},
		{name: "also while a test is under way", events: []setupEvent{filled, tests, inSandbox, tested(nil)},
			stage: firstrun.SetupOpening, actions: []firstrun.SetupAction{firstrun.SetupCheck, firstrun.SetupOpenSandbox}},
		{name: "nothing is chosen twice", events: []setupEvent{inSandbox, inSandbox, tests, goesOn, filled},
			stage: firstrun.SetupOpening, actions: []firstrun.SetupAction{firstrun.SetupOpenSandbox}},
		{name: "what could not be opened is said", events: []setupEvent{inSandbox, opened(errPlain)},
			stage: firstrun.SetupRefused, actions: []firstrun.SetupAction{firstrun.SetupOpenSandbox}, title: "Assay could not be set up"},
		{name: "who declines to leave a service goes on with the form", events: []setupEvent{filled, tests, tested(nil), goesOn, wasKept(nil), declines},
			stage: firstrun.SetupTyping, actions: []firstrun.SetupAction{firstrun.SetupCheck, firstrun.SetupKeep, firstrun.SetupOpen}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var s firstrun.Setup
			var actions []firstrun.SetupAction
			for _, e := range c.events {
				var action firstrun.SetupAction
				if s, action = e.do(s); action != firstrun.SetupNothing {
					actions = append(actions, action)
				}
			}
			if s.Stage != c.stage {
				t.Errorf("stage %d, want %d", s.Stage, c.stage)
			}
			if len(actions) != len(c.actions) {
				t.Fatalf("actions %v, want %v", actions, c.actions)
			}
			for i := range actions {
				if actions[i] != c.actions[i] {
					t.Fatalf("actions %v, want %v", actions, c.actions)
				}
			}
			if s.Title != c.title || s.At != c.at || s.Anyway != c.anyway {
				t.Errorf("said %q at %d, anyway %t; want %q at %d, %t", s.Title, s.At, s.Anyway, c.title, c.at, c.anyway)
			}
			if (s.Title == "") != (s.Said == "") {
				t.Errorf("%q stands above %q", s.Title, s.Said)
			}
			if strings.Contains(s.Said, "Settings") {
				t.Errorf("Settings can't be reached from here: %q", s.Said)
			}
			if strings.Contains(s.Said+s.Title, someKey) {
				t.Errorf("the key is said: %q", s.Said)
			}
		})
	}
}

func TestServiceDraft(t *testing.T) {
	for typed, want := range map[string]string{
		"":                              "",
		" api.example.org/ ":            "https://api.example.org",
		"https://api.example.org/v1/":   "https://api.example.org/v1",
		"http://127.0.0.1:8080":         "http://127.0.0.1:8080",
		"http://api.example.org":        "http://api.example.org", // the client refuses it
		"\thttps://api.example.org\r\n": "https://api.example.org",
	} {
		if got := (firstrun.ServiceDraft{Address: typed}).Service(); got != want {
			t.Errorf("%q is %q, want %q", typed, got, want)
		}
	}
}

func TestNetworkDraft(t *testing.T) {
	for _, c := range []struct{ name, typed, field, proxy, password string }{
		{name: "no proxy"},
		{name: "a host alone", typed: "proxy.example.org:3128", proxy: "http://proxy.example.org:3128"},
		{name: "a password in the address is taken out of it", typed: "http://mia:" + someSecret + "@proxy.example.org:3128/", proxy: "http://mia@proxy.example.org:3128", password: someSecret},
		{name: "that of the field comes first", typed: "http://mia:" + someSecret + "@proxy.example.org", field: "other", proxy: "http://mia@proxy.example.org", password: "other"},
		{name: "a password without a proxy is none", field: "other"},
	} {
		t.Run(c.name, func(t *testing.T) {
			proxy, password, err := firstrun.NetworkDraft{Proxy: c.typed, ProxyPassword: c.field}.Parts()
			if err != nil || proxy != c.proxy || password != c.password {
				t.Errorf("%q, %q, %v", proxy, password, err)
			}
		})
	}
}

// plainError is an error without words for a person but its own.
type plainError string

func (e plainError) Error() string { return string(e) }

const errPlain = plainError("The disk does not answer.")
