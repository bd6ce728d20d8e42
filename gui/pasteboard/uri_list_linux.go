package pasteboard

import (
	"strings"

	"assay/client/address"
)

// paths are the files of a list as file managers copy it: one address a line, after the first line of their own that says whether
// they are to be copied or moved. A list that names anything but files of this computer is none.
func paths(list string) []string {
	var found []string
	for _, line := range strings.Split(strings.ReplaceAll(list, "\x00", "\n"), "\n") {
		line = strings.TrimRight(line, "\r")
		if line == "" || line == "copy" || line == "cut" || strings.HasPrefix(line, "#") {
			continue
		}
		path, ok := address.FilePath(line)
		if !ok {
			return nil
		}
		found = append(found, path)
	}
	return found
}
