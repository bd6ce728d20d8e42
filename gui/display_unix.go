//go:build !windows && !darwin

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

// noDisplay says why no window can open here, "" where one can. The toolkit would panic instead.
func noDisplay() string {
	display := os.Getenv("DISPLAY")
	if display == "" {
		return i18n.T("There is no display here, so no window can open. Use \"assay scan FILE…\" instead.")
	}
	if !reachable(display) {
		return i18n.F("The display %s does not answer, so no window can open. Use \"assay scan FILE…\" instead.", display)
	}
	return ""
}

// reachable reports whether an X server listens at a DISPLAY of the form host:number.screen.
func reachable(display string) bool {
	host, rest, ok := strings.Cut(display, ":")
	number, _, _ := strings.Cut(rest, ".")
	n, err := strconv.Atoi(number)
	if !ok || err != nil {
		return false
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	var dialer net.Dialer
	addresses := [][2]string{{"tcp", net.JoinHostPort(host, strconv.Itoa(6000+n))}}
	if host == "" || host == "unix" {
		socket := "/tmp/.X11-unix/X" + number
		addresses = [][2]string{{"unix", "@" + socket}, {"unix", socket}, {"tcp", net.JoinHostPort("localhost", strconv.Itoa(6000+n))}}
	} else if strings.HasPrefix(host, "/") { // a socket's path, as launchers of remote displays set it
		addresses = [][2]string{{"unix", display}, {"unix", host}}
	}
	for _, a := range addresses {
		if conn, err := dialer.DialContext(ctx, a[0], a[1]); err == nil {
			return conn.Close() == nil
		}
	}
	return false
}
