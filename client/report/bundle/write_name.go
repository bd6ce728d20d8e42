package bundle

import (
	"path/filepath"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"assay/client/plain"
)

// longestName is the length of a name in a bundle, in bytes, without the number before it. File systems take 255, and Windows 260 characters for a
// whole path.
const longestName = 120

// notInNames are characters that Windows does not take in names, and those that manifests would have to escape, which sha256sum does not undo.
var notInNames = strings.NewReplacer("<", "_", ">", "_", ":", "_", `"`, "_", "/", "_", `\`, "_", "|", "_", "?", "_", "*", "_", "%", "_")

// safeName makes a name from outside fit for files on every system, with its extension. A number is put before it, so that it may be reserved, begin
// with a dot, or differ from another one by capitals alone.
func safeName(name string) string {
	name = norm.NFC.String(plain.From(name).Folded().String())
	name = strings.TrimRight(notInNames.Replace(name), ". ")
	if len(name) <= longestName {
		return name
	}
	extension := filepath.Ext(name)
	if len(extension) > longestName/4 {
		extension = ""
	}
	stem := name[:longestName-len(extension)]
	for len(stem) > 0 && !utf8.RuneStart(name[len(stem)]) {
		stem = stem[:len(stem)-1]
	}
	return strings.TrimRight(stem, ". ") + extension
}
