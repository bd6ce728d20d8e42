package inbox_test

import (
	"testing"

	"assay/client/intake"
	"assay/gui/inbox"
)

func TestAcceptedText(t *testing.T) {
	for _, c := range []struct {
		name string
		of   intake.Accepted
		want string
	}{
		{"files say nothing: each has its row", intake.Accepted{IDs: []string{"a", "b"}}, ""},
		{"a folder", intake.Accepted{IDs: []string{"a", "b"}, Folders: 1}, "2 files taken."},
		{"one file", intake.Accepted{IDs: []string{"a"}, Folders: 1}, "1 file taken."},
		{"an empty folder", intake.Accepted{Folders: 1}, "No file taken: there is none in it."},
		{"a folder of other things", intake.Accepted{Folders: 1, Unsupported: 3}, "No file taken. Left out: 3 of a type that is not supported."},
		{"pipes and links", intake.Accepted{IDs: []string{"a"}, Folders: 1, Links: 2, Special: 1},
			"1 file taken. Left out: 2 that only point to another place, 1 that is a pipe or a device."},
		{"what was left out, by reason", intake.Accepted{IDs: []string{"a"}, Folders: 2, Hidden: 2, Unsupported: 1, Unreadable: 4},
			"1 file taken. Left out: 1 of a type that is not supported, 2 hidden, 4 can't be read."},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := inbox.AcceptedText(c.of); got != c.want {
				t.Errorf("it says %q, not %q", got, c.want)
			}
		})
	}
}
