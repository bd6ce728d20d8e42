package main

import (
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
)

// kind is a kind of files that are released.
type kind struct {
	name   *regexp.Regexp // of its files
	what   string         // for the release notes: who takes it
	system string         // of the binary in it, "" for none
	asks   bool           // the binary in it is the one that can ask for updates, if it has a window
}

// kinds are all that may be released. The first that matches counts.
var kinds = []kind{
	{regexp.MustCompile(`-debug\.tar\.xz$`), "debug symbols of the binaries", "", false},
	{regexp.MustCompile(`\.deb$`), "Debian, Ubuntu and those that stem from them", "linux", false},
	{regexp.MustCompile(`\.rpm$`), "Fedora, openSUSE, RHEL", "linux", false},
	{regexp.MustCompile(`\.apk$`), "Alpine Linux", "linux", false},
	{regexp.MustCompile(`\.pkg\.tar\.zst$`), "Arch Linux", "linux", false},
	{regexp.MustCompile(`-container(-[a-z0-9]+)?\.(tar|oci\.tar)$`), "a container image", "linux", false},
	{regexp.MustCompile(`-linux-[a-z0-9]+\.tar\.xz$`), "Linux, to unpack anywhere", "linux", true},
	{regexp.MustCompile(`-linux-[a-z0-9]+\.AppImage$`), "Linux, one file", "linux", true},
	{regexp.MustCompile(`-linux-[a-z0-9]+\.flatpak$`), "Linux, with Flatpak", "flatpak", false},
	{regexp.MustCompile(`-windows-[a-z0-9]+-setup\.exe$`), "Windows, for one person", "windows", true},
	{regexp.MustCompile(`-windows-[a-z0-9]+\.msi$`), "Windows, for roll-out by IT", "windows", false},
	{regexp.MustCompile(`-windows-[a-z0-9]+\.zip$`), "Windows, to unpack anywhere", "windows", true},
	{regexp.MustCompile(`-(macos|darwin)-[a-z0-9]+\.tar\.xz$`), "macOS, to unpack anywhere", "darwin", true},
	{regexp.MustCompile(`\.dmg$`), "macOS", "darwin", true},
}

// companions are released beside the files of a kind: they tell of them.
var companions = regexp.MustCompile(`\.cdx\.json$|^SHA256SUMS(\.sig)?$|^allowed_signers$|^release-notes\.md$|^latest\.json$`)

// machines are words for a machine in the names of packages, by Go's word.
var machines = map[string]*regexp.Regexp{
	"amd64": regexp.MustCompile(`amd64|x86_64|x64`),
	"arm64": regexp.MustCompile(`arm64|aarch64`),
}

const headlessPrefix = "assay-headless"

// kindOf is a released file's kind. An error says that it has none.
func kindOf(name string) (kind, error) {
	for _, k := range kinds {
		if strings.HasPrefix(name, "assay") && k.name.MatchString(name) {
			return k, nil
		}
	}
	return kind{}, fmt.Errorf("%s is of no kind that is released: see kinds.go", name)
}

// binary is the folder of the binary that is in a file of the kind, as .ci/binary names it.
func (k kind) binary(name string) (string, error) {
	for machine, words := range machines {
		if !words.MatchString(name) {
			continue
		}
		switch folder := k.system + "-" + machine; {
		case strings.HasPrefix(name, headlessPrefix):
			return "headless-" + folder, nil
		case k.asks:
			return folder + "-updates", nil
		default:
			return folder, nil
		}
	}
	if k.system == "darwin" { // for both processors: their modules are the same
		return "darwin-arm64-updates", nil
	}
	return "", fmt.Errorf("%s names no machine", name)
}

// program is the binary's file name.
func (k kind) program() string {
	if k.system == "windows" {
		return "assay.exe"
	}
	return "assay"
}

// released are the names of the files in a folder, sorted: packages, and what tells of them. A folder in it, or what is neither, is an error.
func released(folder string) (packages, others []string, err error) {
	entries, err := os.ReadDir(folder) // sorted
	if err != nil {
		return nil, nil, err
	}
	for _, e := range entries {
		switch name := e.Name(); {
		case e.Type()&fs.ModeType != 0:
			return nil, nil, fmt.Errorf("%s is no file", name)
		case companions.MatchString(name):
			others = append(others, name)
		default:
			if _, err := kindOf(name); err != nil {
				return nil, nil, err
			}
			packages = append(packages, name)
		}
	}
	if len(packages) == 0 {
		return nil, nil, fmt.Errorf("no packages in %s", folder)
	}
	return packages, others, nil
}

// sorted are the names of both, in order.
func sorted(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return all
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
