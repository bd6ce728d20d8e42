package desktop

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// hostile are names of folders and files that a shell, or a careless reader, would take for more than letters.
var hostile = []string{
	`a b`, `a"b`, `a'b`, "a`touch x`b", `a$(touch x)b`, `$HOME`, `a\b`, `a\\b\`, `100%`, `%F`, `%%u`, `a;b`, `a&b|c>d<e`, `~`, `*?[x]`, `#a`, `-rf`,
	`(a)`, `{a,b}`, `!a`, "a\u202eb", `ä ö ü`, `日本`, `\n`, `\s`, `$\"%`, `"`, ` `, `a  b `,
}

// impossible can't stand in a line of any entry.
var impossible = []string{"a\nExec=evil", "a\rb", "a\x00b", "a\tb", "a\x1bb", "a\x7fb", "a\xffb"}

// taken takes a value of a desktop entry and its Exec line apart as the specification says, and fails on what it does not allow.
func taken(t *testing.T, value string) []string {
	t.Helper()
	var text strings.Builder
	for i := 0; i < len(value); i++ { // a string's escapes
		if value[i] != '\\' {
			text.WriteByte(value[i])
			continue
		}
		i++
		if i == len(value) || value[i] != '\\' {
			t.Fatalf("%s: an escape that was not meant", value)
		}
		text.WriteByte('\\')
	}
	rest := text.String()
	var parts []string
	for rest != "" {
		if rest[0] != '"' {
			parts = append(parts, rest) // a field code
			break
		}
		var part strings.Builder
		i := 1
		for ; i < len(rest) && rest[i] != '"'; i++ {
			switch rest[i] {
			case '\\':
				i++
				if i == len(rest) || !strings.ContainsRune("\"`$\\", rune(rest[i])) {
					t.Fatalf("%s: an escape that the specification does not know", rest)
				}
				part.WriteByte(rest[i])
			case '%':
				i++
				if i == len(rest) || rest[i] != '%' {
					t.Fatalf("%s: a field code", rest)
				}
				part.WriteByte('%')
			case '`', '$':
				t.Fatalf("%s: a shell's sign as it is", rest)
			default:
				part.WriteByte(rest[i])
			}
		}
		if i >= len(rest) {
			t.Fatalf("%s: no end", rest)
		}
		parts = append(parts, part.String())
		rest = strings.TrimPrefix(rest[i+1:], " ")
	}
	return parts
}

func TestExecLine(t *testing.T) {
	t.Run("every program and argument is read as it was", func(t *testing.T) {
		for _, name := range hostile {
			program := "/opt/" + strings.ReplaceAll(name, "%", "") + "/assay"
			line, err := execLine(program, []string{"--home", name}, "%F")
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if diff := cmp.Diff([]string{program, "--home", name, "%F"}, taken(t, escaped(line))); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
		}
	})
	t.Run("a usual one reads well", func(t *testing.T) {
		line, err := execLine("/usr/bin/assay", nil, "%F")
		if err != nil || line != `"/usr/bin/assay" %F` {
			t.Errorf("%s, %v", line, err)
		}
	})
	t.Run("what would end the line, or can't be read, is refused", func(t *testing.T) {
		for _, name := range impossible {
			if _, err := execLine("/opt/"+name+"/assay", nil, ""); !errors.Is(err, errName) {
				t.Errorf("%q as program: %v", name, err)
			}
			if _, err := execLine("/opt/assay", []string{name}, ""); !errors.Is(err, errName) {
				t.Errorf("%q as argument: %v", name, err)
			}
		}
		for _, sign := range []string{"=", "%"} {
			if _, err := execLine("/opt/a"+sign+"b/assay", nil, ""); !errors.Is(err, errName) {
				t.Errorf("%s in a program's name: %v", sign, err)
			}
			if _, err := execLine("/opt/assay", []string{"a" + sign + "b"}, ""); err != nil {
				t.Errorf("%s in an argument: %v", sign, err)
			}
		}
	})
}

func TestLaunchAgent(t *testing.T) {
	t.Run("every program and argument is a text of its own", func(t *testing.T) {
		for _, name := range append(hostile, `a</string><key>x</key>`, `&lt;`, `]]>`) {
			text, err := launchAgent("/opt/"+name+"/assay", []string{name})
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if diff := cmp.Diff([]string{appID, "/opt/" + name + "/assay", name, "Interactive"}, plistStrings(t, text)); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
		}
	})
	t.Run("what can't be read is refused", func(t *testing.T) {
		for _, name := range impossible {
			if _, err := launchAgent("/opt/"+name, nil); !errors.Is(err, errName) {
				t.Errorf("%q: %v", name, err)
			}
		}
	})
}
