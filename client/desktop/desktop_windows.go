package desktop

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/registry"
)

// The registry keys, all in the person's own part of the registry.
const (
	runKey      = `Software\Microsoft\Windows\CurrentVersion\Run`
	approvedKey = `Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run` // where the Task Manager records that an entry is disabled
	programsKey = `Software\Classes\Applications`
	runName     = "Assay"
)

// extensions are those of the files that the service accepts.
var extensions = []string{".jpg", ".jpeg", ".png", ".gif", ".webp", ".heic", ".heif", ".hif", ".tif", ".tiff", ".bmp", ".avif",
	".mp3", ".wav", ".m4a", ".aac", ".ogg", ".flac", ".alac", ".opus", ".oga", ".wma", ".aif", ".aiff", ".amr", ".caf", ".mka", ".weba",
	".mp4", ".mov", ".mkv", ".webm", ".avi", ".m4v", ".3gp", ".wmv", ".mpg", ".mpeg", ".mts", ".m2ts", ".flv", ".ogv",
	".txt"}

func (e Entries) offered() bool { return false }

func (e Entries) possible() (autostart, openWith, sendTo bool) {
	_, err := e.link()
	return true, true, err == nil
}

// registryRoot is the prefix of every key; tests set it.
var registryRoot string

// command is the command line that an entry starts. The system appends the file.
func (e Entries) command() (string, error) {
	for _, part := range append([]string{e.Program}, e.Arguments...) {
		if !plain(part) {
			return "", errName
		}
	}
	if strings.Contains(e.Program, `"`) {
		return "", errName
	}
	return strings.Join(append([]string{`"` + e.Program + `"`}, e.quoted()...), " "), nil
}

// quoted joins arguments so that a program splits them into the same ones.
func (e Entries) quoted() []string {
	if len(e.Arguments) == 0 {
		return nil
	}
	return []string{windows.ComposeCommandLine(e.Arguments)}
}

func (e Entries) autostart(on bool) error {
	if err := e.removeValue(approvedKey); err != nil { // the person has decided again
		return err
	}
	if !on {
		return e.removeValue(runKey)
	}
	command, err := e.command()
	if err != nil {
		return err
	}
	return e.set(runKey, map[string]string{runName: command})
}

// set writes texts into a key, which it creates if it is missing.
func (e Entries) set(path string, values map[string]string) (err error) {
	key, _, err := registry.CreateKey(registry.CURRENT_USER, registryRoot+path, registry.SET_VALUE)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, key.Close()) }()
	for name, value := range values {
		if err := key.SetStringValue(name, value); err != nil {
			return err
		}
	}
	return nil
}

func (e Entries) ownAutostart() (bool, error) { return e.starts(runKey, runName) }
func (e Entries) ownOpenWith() (bool, error) {
	return e.starts(programsKey+`\`+filepath.Base(e.Program)+`\shell\open\command`, "")
}

func (e Entries) ownSendTo() (bool, error) {
	path, err := e.link()
	if err != nil {
		return false, nil //nolint:nilerr // without its folder no entry was ever written
	}
	content, err := contentOf(path)
	return err == nil && strings.EqualFold(linkProgram(content), e.Program), err
}

// starts reports whether a value of the registry is a command line that starts this program. The case of paths does not count on Windows.
func (e Entries) starts(path, name string) (own bool, err error) {
	key, err := registry.OpenKey(registry.CURRENT_USER, registryRoot+path, registry.QUERY_VALUE)
	if errors.Is(err, registry.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, key.Close()) }()
	command, _, err := key.GetStringValue(name)
	if errors.Is(err, registry.ErrNotExist) {
		return false, nil
	}
	program := `"` + e.Program + `"`
	return len(command) >= len(program) && strings.EqualFold(command[:len(program)], program), err
}

// removeValue removes Assay's value from a key.
func (e Entries) removeValue(path string) (err error) {
	key, err := registry.OpenKey(registry.CURRENT_USER, registryRoot+path, registry.SET_VALUE)
	if errors.Is(err, registry.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, key.Close()) }()
	if err := key.DeleteValue(runName); !errors.Is(err, registry.ErrNotExist) {
		return err
	}
	return nil
}

func (e Entries) openWith(on bool) error {
	name := filepath.Base(e.Program)
	if name == "." || strings.ContainsAny(name, `\/`) {
		return errName
	}
	application := programsKey + `\` + name
	if !on {
		for _, below := range []string{`\shell\open\command`, `\shell\open`, `\shell`, `\SupportedTypes`, ``} {
			err := registry.DeleteKey(registry.CURRENT_USER, registryRoot+application+below)
			if err != nil && !errors.Is(err, registry.ErrNotExist) {
				return err
			}
		}
		return nil
	}
	command, err := e.command()
	if err != nil {
		return err
	}
	if strings.Contains(command, "%") { // the system would expand it
		return errName
	}
	types := map[string]string{}
	for _, extension := range extensions {
		types[extension] = ""
	}
	return errors.Join(
		e.set(application, map[string]string{"FriendlyAppName": "Assay"}),
		e.set(application+`\SupportedTypes`, types),
		e.set(application+`\shell\open\command`, map[string]string{"": command + ` "%1"`}),
	)
}

// link is the shortcut in the "Send to" menu.
func (e Entries) link() (string, error) {
	roaming := e.variable("APPDATA")
	if !filepath.IsAbs(roaming) {
		return "", errNone
	}
	return filepath.Join(roaming, "Microsoft", "Windows", "SendTo", "Assay.lnk"), nil
}

func (e Entries) sendTo(on bool) error {
	path, err := e.link()
	if err != nil {
		return err
	}
	if !on {
		return remove(path)
	}
	content, err := shellLink(e.Program, strings.Join(e.quoted(), " "))
	if err != nil {
		return err
	}
	if facts, err := os.Lstat(filepath.Dir(path)); err == nil && !facts.IsDir() {
		return errNone
	}
	return put(path, content)
}
