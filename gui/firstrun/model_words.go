package firstrun

import (
	"errors"
	"strings"

	"assay/client"
	"assay/client/i18n"
	"assay/client/keys"
	"assay/gui/present"
)

// ServiceDraft is a service as it is filled in.
type ServiceDraft struct {
	Address string // as typed; Service returns it complete
	Key     string
	Network NetworkDraft
}

// NetworkDraft is how a service is reached, as it is filled in.
type NetworkDraft struct {
	Proxy         string // as typed; Parts splits it
	ProxyPassword string
	Certificates  string // path of a PEM file
}

// Service is the complete address: with https:// if it was typed without a scheme, and without space at its ends.
func (d ServiceDraft) Service() string {
	address := strings.TrimRight(strings.TrimSpace(d.Address), "/")
	if address == "" || strings.Contains(address, "://") {
		return address
	}
	return "https://" + address
}

// Parts are the proxy's address without a password, and the password: from its own field, or typed within the address. No settings file holds it. An
// error says why that is no valid proxy.
func (d NetworkDraft) Parts() (proxy, password string, err error) {
	typed := strings.TrimRight(strings.TrimSpace(d.Proxy), "/")
	if typed == "" {
		return "", "", nil
	}
	if !strings.Contains(typed, "://") {
		typed = "http://" + typed
	}
	proxy, password, err = client.SplitProxy(typed)
	if d.ProxyPassword != "" {
		password = d.ProxyPassword
	}
	return proxy, password, err
}

// SetupWords is what the first run says about Assay, and about what it sends.
func SetupWords() (what, promise string) {
	return i18n.T("Have a service check pictures, clips, recordings and texts for signs of manipulation or AI."),
		i18n.T("Nothing is sent before you choose “Test the connection” or “Start”.")
}

// GateWords say what happens to files and links that are handed over.
func GateWords(asks bool) (title, means string) {
	if asks {
		return i18n.T("Files and links wait for you"), i18n.T("They wait in the inbox. You see what would be sent and decide.")
	}
	return i18n.T("Files and links are sent at once"), i18n.T("They leave this computer as soon as you drop or paste them. Watched folders have their own setting.")
}

// KeychainChoice says what keeping a key for this run means.
func KeychainChoice() string {
	return i18n.T("Assay can keep the key until you quit. Next time you type it again. Assay never writes the key to a file.")
}

// TestWords say the outcome of a test, in a few words and in sentences.
func TestWords(err error) (title, sentence string) {
	if err == nil {
		return i18n.T("Connected"), i18n.T("The service answered and accepted the key.")
	}
	title, _, _ = refusalOf(err)
	return title, present.Problem(err)
}

// saidInForm says in sentences why a test failed, to somebody who fills in the address, the key and the proxy here: its hints don't send to Settings,
// which a first run has not reached yet.
func saidInForm(err error) string {
	var e *client.Error
	if !errors.As(err, &e) {
		return present.Problem(err)
	}
	hint := e.Hint.String()
	switch {
	case e.Fault == client.FaultProxy:
		hint = i18n.T("Check the proxy's address and the network connection.")
	case e.Fault == client.FaultProxyLogin:
		hint = i18n.T("Check the proxy's user name and password, or ask the IT desk for them.")
	case e.Fault == client.FaultAddress, e.Fault == client.FaultTime:
		hint = i18n.T("Check the address. If your network needs a proxy, set it first.")
	case e.Kind == client.KindKey:
		hint = i18n.T("Check the key.")
	}
	return strings.TrimSpace(e.Message.String() + " " + hint)
}

// refusalOf says what kind of error a test had, where it can be corrected, and whether it makes sense to go on without a test.
func refusalOf(err error) (title string, at SetupField, anyway bool) {
	var e *client.Error
	if !errors.As(err, &e) {
		return i18n.T("The test failed"), SetupNowhere, false
	}
	switch e.Fault {
	case client.FaultAddress:
		return i18n.T("Wrong address"), SetupAddress, false
	case client.FaultOffline:
		return i18n.T("No network"), SetupNowhere, true
	case client.FaultProxy:
		return i18n.T("The proxy blocks the way"), SetupProxy, true
	case client.FaultProxyLogin:
		return i18n.T("The proxy needs a password"), SetupProxyLogin, true
	case client.FaultCertificate:
		return i18n.T("Certificate not trusted"), SetupCertificates, false
	case client.FaultPage:
		return i18n.T("A log-in page answered"), SetupNowhere, false
	case client.FaultTime:
		return i18n.T("No answer in time"), SetupNowhere, true
	}
	switch e.Kind {
	case client.KindSetup:
		return i18n.T("Wrong address"), SetupAddress, false
	case client.KindKey:
		return i18n.T("Key refused"), SetupKey, false
	case client.KindBusy, client.KindService:
		return i18n.T("The service is busy"), SetupNowhere, true
	case client.KindNetwork, client.KindStalled:
		return i18n.T("Not reached"), SetupNowhere, false
	}
	return i18n.T("Unexpected answer"), SetupAddress, false
}

// keychainTitle is the title above the keychain's sentence.
func keychainTitle(err error) string {
	switch {
	case keys.IsProblem(err, keys.Absent):
		return i18n.T("No keychain")
	case keys.IsProblem(err, keys.Locked):
		return i18n.T("The keychain is locked")
	case keys.IsProblem(err, keys.Slow):
		return i18n.T("The keychain does not answer")
	}
	return i18n.T("The keychain did not save the key")
}
