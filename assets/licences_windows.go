package assets

import _ "embed"

// The terms of MinGW-w64's parts that the linker takes into the binary, as Debian's mingw-w64-common lists them.
//
//go:embed mingw-w64.txt
var runtimeLicence string

// linked are the licences of what is linked in besides Go's modules.
func linked() []Licence { return []Licence{{Name: "MinGW-w64", Text: runtimeLicence}} }
