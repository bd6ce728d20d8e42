package gui

import (
	"context"
	"net"
	"os"
	"strconv"
	"strings"
	"time"

	"assay/client/i18n"
)

// platformVariable is the environment variable by which a person, or chooseDisplay, tells the toolkit which display system to use.
const platformVariable = "FYNE_PLATFORM"

// displayPatience is how long a display may take to take a call.
const displayPatience = 2 * time.Second

// chooseDisplay tells the toolkit which display system to open the window on, where only one of them answers, and says why no window can open, "" where
// one can: the toolkit would panic. Where both answer, the choice is the toolkit's: Wayland, unless programs would have to draw their title bars
// themselves (GNOME), which on X11 the desktop does. undo, called once the window is
// made, takes the choice out of the environment again, which other programs get.
func chooseDisplay() (undo func(), problem string) {
	x11, wayland, given := os.Getenv("DISPLAY"), waylandSocket(), os.Getenv(platformVariable)
	switch given {
	case onX11:
		wayland = ""
	case onWayland:
		x11 = ""
	}
	if x11 == "" && wayland == "" {
		return nil, i18n.T("There is no display here, so no window can open. Use \"assay scan FILE…\" instead.")
	}
	xAnswers, waylandAnswers := x11 != "" && reachable(x11), wayland != "" && servesWayland(wayland)
	switch {
	case xAnswers && waylandAnswers:
	case waylandAnswers:
		_ = os.Setenv(platformVariable, onWayland) // it can't fail
	case xAnswers: // said, since the toolkit would also look for a Wayland that nobody named, such as that of a session behind this one
		_ = os.Setenv(platformVariable, onX11)
	case x11 == "":
		return nil, i18n.F("The display %s does not answer, so no window can open. Use \"assay scan FILE…\" instead.", wayland)
	default:
		return nil, i18n.F("The display %s does not answer, so no window can open. Use \"assay scan FILE…\" instead.", x11)
	}
	return func() { _ = os.Setenv(platformVariable, given) }, ""
}

// reachable reports whether an X server listens at a DISPLAY of the form host:number.screen.
func reachable(display string) bool {
	host, rest, ok := strings.Cut(display, ":")
	number, _, _ := strings.Cut(rest, ".")
	n, err := strconv.Atoi(number)
	if !ok || err != nil {
		return false
	}
	addresses := [][2]string{{"tcp", net.JoinHostPort(host, strconv.Itoa(6000+n))}}
	if host == "" || host == "unix" {
		socket := "/tmp/.X11-unix/X" + number
		addresses = [][2]string{{"unix", "@" + socket}, {"unix", socket}, {"tcp", net.JoinHostPort("localhost", strconv.Itoa(6000+n))}}
	} else if strings.HasPrefix(host, "/") { // the path of a socket, as launchers of remote displays set it
		addresses = [][2]string{{"unix", display}, {"unix", host}}
	}
	for _, a := range addresses {
		if takesCalls(a[0], a[1]) {
			return true
		}
	}
	return false
}

// takesCalls reports whether a server listens at an address.
func takesCalls(network, address string) bool {
	ctx, cancel := context.WithTimeout(context.Background(), displayPatience)
	defer cancel()
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, network, address)
	return err == nil && conn.Close() == nil
}
