package desktop

import (
	"encoding/binary"
	"encoding/xml"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// execLine is a command as an entry's Exec line has it, before the escapes of all its texts: every part is quoted, so that nothing in it
// has a special meaning. code is "%F", which the desktop replaces by the files, or "". No shell reads it.
func execLine(program string, arguments []string, code string) (string, error) {
	// According to the specification, a program with an equals sign would be a variable. A percent sign is doubled, and GLib then looks for
	// a program with that name before it undoes the doubling.
	if strings.ContainsAny(program, "=%") {
		return "", errName
	}
	parts := make([]string, 0, len(arguments)+2)
	for _, part := range append([]string{program}, arguments...) {
		if !plain(part) {
			return "", errName
		}
		parts = append(parts, `"`+strings.NewReplacer(`"`, `\"`, "`", "\\`", `$`, `\$`, `\`, `\\`, `%`, `%%`).Replace(part)+`"`)
	}
	if code != "" {
		parts = append(parts, code)
	}
	return strings.Join(parts, " "), nil
}

// plain reports whether a text can stand on a line: it has no line breaks, and no characters that readers could misinterpret.
func plain(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, unicode.IsControl)
}

// escaped is a text as a value in such a file.
func escaped(text string) string { return strings.ReplaceAll(text, `\`, `\\`) }

// launchAgent is the content of the file with which macOS starts a program when the person logs in.
func launchAgent(program string, arguments []string) (string, error) {
	var command strings.Builder
	for _, part := range append([]string{program}, arguments...) {
		if !plain(part) {
			return "", errName
		}
		command.WriteString("\n\t\t<string>")
		if err := xml.EscapeText(&command, []byte(part)); err != nil {
			return "", err
		}
		command.WriteString("</string>")
	}
	return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>Label</key>
	<string>` + appID + `</string>
	<key>ProgramArguments</key>
	<array>` + command.String() + `
	</array>
	<key>RunAtLoad</key>
	<true/>
	<key>ProcessType</key>
	<string>Interactive</string>
</dict>
</plist>
`, nil
}

// The parts of a shell link (MS-SHLLINK) that name a program on this computer: a header, the path, the arguments, and the path again for
// readers that read only that one.
const (
	linkHeader     = 0x4c
	linkFlags      = 0x14 // where they stand in it
	linkHasIDs     = 0x1
	linkHasInfo    = 0x2
	linkHasArgs    = 0x20
	linkIsUnicode  = 0x80
	linkHasExpands = 0x200
	showNormally   = 1

	infoHeader = 0x24 // includes the offsets of Unicode texts
	infoLocal  = 1    // VolumeID and LocalBasePath are present
	volumeSize = 0x11
	fixedDrive = 3

	expandsBlock = 0xa0000001
	expandsSize  = 0x314
	expandsText  = 260
)

var linkClass = []byte{0x01, 0x14, 0x02, 0, 0, 0, 0, 0, 0xc0, 0, 0, 0, 0, 0, 0, 0x46}

// shellLink is a Windows shortcut to a program for the "Send to" menu. Windows appends the names of files to the arguments, and no shell
// reads them. arguments are in the form of a command line.
func shellLink(program, arguments string) ([]byte, error) {
	wide := utf16.Encode([]rune(program))
	if !plain(program) || !plain(arguments) || strings.ContainsAny(program, `%"`) || len(wide) >= expandsText || len(arguments) > 0x7fff {
		return nil, errName
	}
	narrow := strings.Map(func(r rune) rune { // for readers of code pages; others read the Unicode path
		if r > 0x7e {
			return '_'
		}
		return r
	}, program)
	b := new(linkBytes)
	b.u32(linkHeader)
	b.bytes(linkClass)
	flags := linkHasInfo | linkIsUnicode | linkHasExpands
	if arguments != "" {
		flags |= linkHasArgs
	}
	b.u32(flags)
	b.bytes(make([]byte, 4+3*8+4+4)) // attributes, times, size, icon: unknown
	b.u32(showNormally)
	b.bytes(make([]byte, 2+2+4+4)) // no key, reserved

	base := infoHeader + volumeSize
	suffix := base + len(narrow) + 1
	wideBase := suffix + 1
	wideSuffix := wideBase + 2*len(wide) + 2
	for _, n := range []int{wideSuffix + 2, infoHeader, infoLocal, infoHeader, base, 0, suffix, wideBase, wideSuffix, volumeSize, fixedDrive, 0, 0x10} {
		b.u32(n)
	}
	b.bytes([]byte{0}) // the volume has no label
	b.bytes(append([]byte(narrow), 0, 0))
	b.wide(wide)
	b.u16(0)
	b.u16(0)

	if arguments != "" {
		given := utf16.Encode([]rune(arguments))
		b.u16(len(given))
		b.wide(given)
	}

	b.u32(expandsSize)
	b.u32(expandsBlock)
	b.bytes(append([]byte(narrow), make([]byte, expandsText-len(narrow))...))
	b.wide(append(wide, make([]uint16, expandsText-len(wide))...))
	b.u32(0) // end of the extra data
	return b.all, nil
}

// linkProgram is the path that a shortcut starts, as shellLink writes it; "" where it is of another kind.
func linkProgram(link []byte) string {
	if len(link) < linkHeader+infoHeader || binary.LittleEndian.Uint32(link) != linkHeader {
		return ""
	}
	info := linkHeader
	if link[linkFlags]&linkHasIDs != 0 { // Windows adds a list of folders when it has resolved one
		info += 2 + int(binary.LittleEndian.Uint16(link[info:]))
	}
	if len(link) < info+infoHeader || binary.LittleEndian.Uint32(link[info+4:]) < infoHeader {
		return ""
	}
	base := binary.LittleEndian.Uint32(link[info+0x1c:])
	if int64(base) >= int64(len(link)-info) {
		return ""
	}
	var path []uint16
	for at := link[info+int(base):]; len(at) >= 2 && (at[0] != 0 || at[1] != 0); at = at[2:] {
		path = append(path, binary.LittleEndian.Uint16(at))
	}
	return string(utf16.Decode(path))
}

// linkBytes appends numbers in the format's encoding.
type linkBytes struct{ all []byte }

func (b *linkBytes) bytes(more []byte) { b.all = append(b.all, more...) }
func (b *linkBytes) u16(n int)         { b.all = binary.LittleEndian.AppendUint16(b.all, uint16(n)) }
func (b *linkBytes) u32(n int)         { b.all = binary.LittleEndian.AppendUint32(b.all, uint32(n)) }

func (b *linkBytes) wide(text []uint16) {
	for _, unit := range text {
		b.all = binary.LittleEndian.AppendUint16(b.all, unit)
	}
}
