package desktop

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"assay/client/assert"
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

// link is what a reader of MS-SHLLINK finds.
type link struct{ local, wide, arguments, expands, expandsWide string }

func readLink(t *testing.T, b []byte) link {
	t.Helper()
	u32 := func(at int) int { return int(binary.LittleEndian.Uint32(b[at:])) }
	narrow := func(at int) string {
		text, _, _ := bytes.Cut(b[at:], []byte{0})
		return string(text)
	}
	wide := func(at, units int) string {
		var text []uint16
		for ; units != 0; units-- {
			unit := binary.LittleEndian.Uint16(b[at:])
			if unit == 0 && units < 0 {
				break
			}
			text, at = append(text, unit), at+2
		}
		return string(utf16.Decode(text))
	}
	if u32(0) != 0x4c || !bytes.Equal(b[4:20], []byte("\x01\x14\x02\x00\x00\x00\x00\x00\xc0\x00\x00\x00\x00\x00\x00\x46")) {
		t.Fatal("no shell link")
	}
	flags := u32(20)
	if flags&^0x20 != 0x2|0x80|0x200 {
		t.Fatalf("flags %x", flags)
	}
	info := 0x4c
	var l link
	l.local, l.wide = narrow(info+u32(info+16)), wide(info+u32(info+28), -1)
	if suffix := narrow(info+u32(info+24)) + wide(info+u32(info+32), -1); suffix != "" || u32(info+4) != 0x24 || u32(info+8) != 1 {
		t.Errorf("suffix %q, header %x, flags %x", suffix, u32(info+4), u32(info+8))
	}
	if volume := info + u32(info+12); u32(volume) != 0x11 || narrow(volume+u32(volume+12)) != "" {
		t.Error("the volume can't be read")
	}
	at := info + u32(info)
	if flags&0x20 != 0 {
		units := int(binary.LittleEndian.Uint16(b[at:]))
		l.arguments = wide(at+2, units)
		at += 2 + 2*units
	}
	if u32(at) != 0x314 || u32(at+4) != 0xa0000001 || at+0x314+4 != len(b) || u32(at+0x314) != 0 {
		t.Fatal("the last block is not what it says")
	}
	l.expands, l.expandsWide = narrow(at+8), wide(at+8+260, -1)
	return l
}

func TestShellLink(t *testing.T) {
	t.Run("it names the program and its arguments", func(t *testing.T) {
		b, err := shellLink(`C:\Program Files\Ässay\assay.exe`, `--home "C:\my home"`)
		assert.NoError(t, err)
		want := link{
			local: `C:\Program Files\_ssay\assay.exe`, wide: `C:\Program Files\Ässay\assay.exe`, arguments: `--home "C:\my home"`,
			expands: `C:\Program Files\_ssay\assay.exe`, expandsWide: `C:\Program Files\Ässay\assay.exe`,
		}
		assert.Equal(t, want, readLink(t, b), cmp.AllowUnexported(link{}))
	})
	t.Run("it may have none", func(t *testing.T) {
		b, err := shellLink(`C:\assay.exe`, "")
		assert.NoError(t, err)
		if got := readLink(t, b); got.wide != `C:\assay.exe` || got.arguments != "" {
			t.Errorf("%+v", got)
		}
	})
	t.Run("the program can be read back", func(t *testing.T) {
		const program = `C:\Program Files\Ässay\assay.exe`
		b, err := shellLink(program, "--hidden")
		assert.NoError(t, err)
		assert.Equal(t, program, linkProgram(b))
		withFolders := append(bytes.Clone(b[:linkHeader]), append([]byte{4, 0, 2, 0, 0, 0}, b[linkHeader:]...)...) // as Windows writes it again
		withFolders[linkFlags] |= linkHasIDs
		assert.Equal(t, program, linkProgram(withFolders))
		for n := range b { // cut anywhere
			if got := linkProgram(b[:n]); !strings.HasPrefix(program, got) {
				t.Errorf("of %d bytes: %q", n, got)
			}
		}
	})
	t.Run("what Windows would read as something else is refused", func(t *testing.T) {
		for _, program := range []string{`C:\100%PATH%\assay.exe`, `C:\a"b\assay.exe`, "C:\\a\nb\\assay.exe", `C:\` + strings.Repeat("a", 260), "C:\\\xff"} {
			if _, err := shellLink(program, ""); !errors.Is(err, errName) {
				t.Errorf("%q: %v", program, err)
			}
		}
		if _, err := shellLink(`C:\assay.exe`, "a\x00b"); !errors.Is(err, errName) {
			t.Errorf("%v", err)
		}
	})
}
