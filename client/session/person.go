package session

import (
	"cmp"
	"os/user"
	"strings"
)

// Person is the name of this computer's user, who signs notes with it where they give no other: their full name, or else their account's without
// its domain; "" where the system doesn't say.
func Person() string {
	u, err := user.Current()
	if err != nil {
		return ""
	}
	account := u.Username[strings.LastIndexByte(u.Username, '\\')+1:]
	return strings.ToValidUTF8(cmp.Or(strings.TrimSpace(u.Name), account), "\ufffd")
}
