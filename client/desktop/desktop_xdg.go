//go:build unix && !darwin

package desktop

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"assay/client/bounded"
	"assay/client/i18n"
)

// The defaults of the XDG base directories; the person's own are below the home folder.
const (
	ownConfig  = ".config"
	ownData    = ".local/share"
	systemData = "/usr/local/share:/usr/share"
)

const entryName = appID + ".desktop"

// openWithName names the entry for "Open with", here and in packages: the last by name. Without a chosen program, desktops open a file with the first
// one that a package has brought, and a double click must never send a file.
const openWithName = "zz-" + entryName

// windowClass is what X11 calls the class of Assay's windows; in a Wayland session they are known by appID.
const windowClass = "Assay"

// folder is one of the person's base directories; "" where there is none.
func (e Entries) folder(variable, below string) string {
	if folder := e.variable(variable); filepath.IsAbs(folder) { // the specification says that others are ignored
		return folder
	}
	if home := e.variable("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, below)
	}
	return ""
}

// own is the path of a file below one of the person's base directories.
func (e Entries) own(variable, below string, parts ...string) (string, error) {
	folder := e.folder(variable, below)
	if folder == "" {
		return "", errNone
	}
	return filepath.Join(append([]string{folder}, parts...)...), nil
}

// systemFolders are the base directories of data that all users share.
func (e Entries) systemFolders() []string {
	named := e.variable("XDG_DATA_DIRS")
	if named == "" {
		named = systemData
	}
	return slices.DeleteFunc(strings.Split(named, ":"), func(folder string) bool { return !filepath.IsAbs(folder) })
}

func (e Entries) possible() (autostart, openWith, sendTo bool) {
	if e.sandboxed() {
		// Not under "Open with" either: desktops take the entries of such packages before the system's, and a double click would send a file.
		return true, false, false
	}
	data := e.folder("XDG_DATA_HOME", ownData)
	return e.folder("XDG_CONFIG_HOME", ownConfig) != "", data != "" && !e.offered(), data != "" && e.hasThunar()
}

// offered reports whether the package that brought this program offers it under "Open with" already. Where the person has an entry of before, that one
// takes the package's place, and can still be removed.
func (e Entries) offered() bool {
	if e.sandboxed() {
		return false
	}
	isThere := func(folder string) bool {
		_, err := os.Stat(filepath.Join(folder, "applications", openWithName))
		return err == nil
	}
	return !isThere(e.folder("XDG_DATA_HOME", ownData)) && slices.ContainsFunc(e.systemFolders(), func(folder string) bool {
		return filepath.Join(filepath.Dir(folder), "bin") == filepath.Dir(e.Program) && isThere(folder)
	})
}

// hasThunar reports whether the file manager Thunar is installed, the only one whose "Send to" is a folder of desktop entries. Those of others
// are folders of shell scripts, which are unsafe for names of files that anybody may have chosen.
func (e Entries) hasThunar() bool {
	return slices.ContainsFunc(e.systemFolders(), func(folder string) bool {
		facts, err := os.Stat(filepath.Join(folder, "Thunar"))
		return err == nil && facts.IsDir()
	})
}

// The files of the entries.
func (e Entries) autostartFile() (string, error) {
	return e.own("XDG_CONFIG_HOME", ownConfig, "autostart", entryName)
}

func (e Entries) openWithFile() (string, error) {
	return e.own("XDG_DATA_HOME", ownData, "applications", openWithName)
}

func (e Entries) sendToFile() (string, error) {
	return e.own("XDG_DATA_HOME", ownData, "Thunar", "sendto", entryName)
}

func (e Entries) ownAutostart() (bool, error) {
	if e.sandboxed() {
		return true, nil // what the desktop has for this sandbox starts this program
	}
	return e.starts(e.autostartFile())
}
func (e Entries) ownOpenWith() (bool, error) { return e.starts(e.openWithFile()) }
func (e Entries) ownSendTo() (bool, error)   { return e.starts(e.sendToFile()) }

// starts reports whether an entry's file starts this program. Where there can be no file, it does not.
func (e Entries) starts(path string, err error) (bool, error) {
	command, unfit := execLine(e.Program, nil, "")
	if err != nil || unfit != nil {
		return false, nil //nolint:nilerr // without its folder, or with such a name, no entry was ever written
	}
	content, err := contentOf(path)
	begin := "Exec=" + escaped(command)
	for line := range strings.Lines(string(content)) {
		if line = strings.TrimRight(line, "\n"); line == begin || strings.HasPrefix(line, begin+" ") {
			return true, err
		}
	}
	return false, err
}

func (e Entries) autostart(on bool) error {
	if e.sandboxed() {
		return e.askAutostart(on)
	}
	path, err := e.autostartFile()
	if err != nil {
		return err
	}
	return e.entry(on, path, "", desktopEntry{more: []string{"X-GNOME-Autostart-enabled=true"}})
}

// entry writes an entry, or removes it.
func (e Entries) entry(on bool, path, code string, d desktopEntry) (err error) {
	if !on {
		return remove(path)
	}
	if d.exec, err = execLine(e.Program, e.Arguments, code); err != nil {
		return err
	}
	d.program = e.Program
	return put(path, []byte(d.text()))
}

func (e Entries) openWith(on bool) error {
	if e.sandboxed() {
		return none(on)
	}
	path, err := e.openWithFile()
	if err != nil {
		return err
	}
	// KDE opens a file with the entry of the highest preference; 1 is the default of all. Menus have the package's own entry, if any.
	if err := e.entry(on, path, "%F", desktopEntry{types: mimeTypes, more: []string{"NoDisplay=true", "InitialPreference=0"}}); err != nil {
		return err
	}
	return e.cache(on, filepath.Join(filepath.Dir(path), cacheName))
}

func (e Entries) sendTo(on bool) error {
	if e.sandboxed() {
		return none(on)
	}
	path, err := e.sendToFile()
	if err != nil {
		return err
	}
	if on && !e.hasThunar() {
		return errNone
	}
	return e.entry(on, path, "%F", desktopEntry{types: mimeTypes})
}

// mimeTypes are those of the files that the service accepts, or a copy that Assay makes of them. Wave files have two names, an older and a newer one; Apple Lossless is
// stored as audio/mp4.
var mimeTypes = []string{
	"image/jpeg", "image/png", "image/gif", "image/webp",
	"image/heic", "image/heif", "image/avif", "image/tiff", "image/bmp",
	"audio/mpeg", "audio/x-wav", "audio/vnd.wave", "audio/mp4", "audio/aac", "audio/ogg", "audio/flac",
	"audio/x-opus+ogg", "audio/x-ms-wma", "audio/x-aiff", "audio/AMR", "audio/x-caf", "audio/x-matroska", "audio/webm",
	"video/mp4", "video/quicktime",
	"video/x-matroska", "video/webm", "video/x-msvideo", "video/vnd.avi", "video/x-m4v", "video/3gpp",
	"video/x-ms-wmv", "video/mpeg", "video/mp2t", "video/x-flv", "video/ogg",
	"text/plain",
}

// desktopEntry is a file of the desktop entry specification, as Linux and the BSDs use them.
type desktopEntry struct {
	exec, program string // a result of execLine, and of what program
	types         []string
	more          []string // further lines
}

// text is the content of the file.
func (d desktopEntry) text() string {
	lines := []string{
		"[Desktop Entry]",
		"Type=Application",
		"Version=1.0",
		"Name=Assay",
		"Comment=" + escaped(i18n.T("Have a picture, clip, recording or text checked for manipulation")),
		"Exec=" + escaped(d.exec),
		"TryExec=" + escaped(d.program), // once the program is removed, desktops ignore the entry
		"Icon=" + appID,                 // of the theme, where a package has brought it
		"StartupWMClass=" + windowClass,
		"Terminal=false",
		"Categories=Utility;", // a second main category would show it twice in menus
	}
	if len(d.types) > 0 {
		lines = append(lines, "MimeType="+strings.Join(d.types, ";")+";")
	}
	return strings.Join(append(lines, d.more...), "\n") + "\n"
}

// cacheName is the file in which GNOME, Xfce and others look up which entries open a type of file. One of their programs generates it from
// the entries, but Assay starts no programs here, so it writes its own lines.
const cacheName = "mimeinfo.cache"

const cacheHead = "[MIME Cache]"

// cache adds Assay to the person's cache, or removes it. For a type without a chosen program, these desktops open a file with the first entry
// in the person's cache, and a double click must never send a file: so all entries that the system has are written before Assay's.
func (e Entries) cache(on bool, path string) error {
	text, err := bounded.ReadFile(path, largestEntry)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err != nil && !on {
		return nil
	}
	own := parseCache(string(text))
	var system []map[string][]string
	for _, folder := range e.systemFolders() {
		text, err := bounded.ReadFile(filepath.Join(folder, "applications", cacheName), largestEntry)
		if err == nil { // a missing or unreadable cache lists no entries
			system = append(system, parseCache(string(text)))
		}
	}
	for _, kind := range mimeTypes {
		entries := slices.DeleteFunc(own[kind], func(name string) bool {
			_, err := os.Lstat(filepath.Join(filepath.Dir(path), name))
			return name == openWithName || err != nil // written by an earlier call only
		})
		if on {
			for _, others := range system {
				for _, other := range others[kind] {
					if other != openWithName && !slices.Contains(entries, other) {
						entries = append(entries, other)
					}
				}
			}
			entries = append(entries, openWithName)
		}
		own[kind] = entries
	}
	content := writeCache(own)
	if !on && content == cacheHead+"\n" {
		return remove(path)
	}
	return put(path, []byte(content))
}

// parseCache reads which entries open which type, in their order.
func parseCache(text string) map[string][]string {
	entries := map[string][]string{}
	for line := range strings.Lines(text) {
		kind, names, ok := strings.Cut(strings.TrimSpace(line), "=")
		if !ok || strings.HasPrefix(kind, "#") || strings.HasPrefix(kind, "[") {
			continue
		}
		for name := range strings.SplitSeq(names, ";") {
			if name != "" {
				entries[kind] = append(entries[kind], name)
			}
		}
	}
	return entries
}

func writeCache(entries map[string][]string) string {
	lines := []string{cacheHead}
	for kind, names := range entries {
		if len(names) > 0 {
			lines = append(lines, kind+"="+strings.Join(names, ";")+";")
		}
	}
	slices.Sort(lines[1:])
	return strings.Join(lines, "\n") + "\n"
}
