package desktop

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
)

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
		if err != nil {
			t.Fatal(err)
		}
		want := link{
			local: `C:\Program Files\_ssay\assay.exe`, wide: `C:\Program Files\Ässay\assay.exe`, arguments: `--home "C:\my home"`,
			expands: `C:\Program Files\_ssay\assay.exe`, expandsWide: `C:\Program Files\Ässay\assay.exe`,
		}
		if diff := cmp.Diff(want, readLink(t, b), cmp.AllowUnexported(link{})); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("it may have none", func(t *testing.T) {
		b, err := shellLink(`C:\assay.exe`, "")
		if err != nil {
			t.Fatal(err)
		}
		if got := readLink(t, b); got.wide != `C:\assay.exe` || got.arguments != "" {
			t.Errorf("%+v", got)
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
