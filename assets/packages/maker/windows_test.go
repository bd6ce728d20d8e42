package main

import (
	"bytes"
	"encoding/binary"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/client/assert"
)

func TestTheIconOfWindowsHasEverySize(t *testing.T) {
	path := filepath.Join(t.TempDir(), "assay.ico")
	makes(t, "ico", filepath.Join("..", "..", "icon.svg"), path)
	icon, err := os.ReadFile(path)
	assert.NoError(t, err)
	number := func(at int) int { return int(binary.LittleEndian.Uint32(icon[at:])) }
	assert.Equal(t, []byte{0, 0, 1, 0, byte(len(icoSides)), 0}, icon[:6])
	end := 6 + 16*len(icoSides)
	for i, side := range icoSides {
		entry := 6 + 16*i
		assert.Equal(t, byte(side), icon[entry])
		assert.Equal(t, end, number(entry+12)) // where the one before ends
		picture := icon[end : end+number(entry+8)]
		end += len(picture)
		if side == 256 {
			facts, err := png.DecodeConfig(bytes.NewReader(picture))
			assert.NoError(t, err)
			assert.Equal(t, side, facts.Width)
			continue
		}
		assert.Equal(t, []uint32{40, uint32(side), uint32(2 * side)}, []uint32{
			binary.LittleEndian.Uint32(picture), binary.LittleEndian.Uint32(picture[4:]), binary.LittleEndian.Uint32(picture[8:]),
		})
		middle := picture[40+4*(side/2*side+side/2):]
		assert.Equal(t, byte(0xff), middle[3]) // its middle is opaque
		assert.True(t, middle[0]|middle[1]|middle[2] != 0, "the middle of %d is black", side)
	}
	assert.Equal(t, len(icon), end)
}

// summary is an installer's bytes around a summary with these values, as msibuild writes them.
func summary(code string, at uint64) []byte {
	var values []byte
	property := func(parts ...any) (at uint32) {
		at = uint32(len(values))
		for _, part := range parts {
			switch part := part.(type) {
			case string:
				values = append(values, part...)
			case uint64:
				values = binary.LittleEndian.AppendUint64(values, part)
			case int:
				values = binary.LittleEndian.AppendUint32(values, uint32(part))
			}
		}
		return at
	}
	places := []uint32{
		property(isText, 8, "Assay\x00\x00\x00"), property(isText, len(code)+1, code, "\x00\x00"), property(isTime, at), property(isTime, at), property(3, 500),
	}
	section := binary.LittleEndian.AppendUint32(nil, uint32(8+8*len(places)+len(values)))
	section = binary.LittleEndian.AppendUint32(section, uint32(len(places)))
	for i, name := range []uint32{2, packageCode, created, saved, 14} {
		section = binary.LittleEndian.AppendUint32(section, name)
		section = binary.LittleEndian.AppendUint32(section, uint32(8+8*len(places))+places[i])
	}
	set := append(make([]byte, beforeSummaryID), summaryID...)
	set = binary.LittleEndian.AppendUint32(set, uint32(len(set)+4))
	return bytes.Join([][]byte{make([]byte, 512), set, section, values, make([]byte, 512)}, nil)
}

func TestAnInstallerOfWindowsIsTheSameEachTime(t *testing.T) {
	const code = "{0D8F8F3C-1234-5ABC-8000-0123456789AB}"
	var made [][]byte
	for _, other := range []string{"{FFFFFFFF-FFFF-4FFF-BFFF-FFFFFFFFFFFF}", "{00000000-0000-4000-8000-000000000000}"} {
		path := filepath.Join(t.TempDir(), "assay.msi")
		assert.NoError(t, os.WriteFile(path, summary(other, uint64(len(made)+1)), 0o600))
		makes(t, "msi", path, code, "--time", "1795410000")
		content, err := os.ReadFile(path)
		assert.NoError(t, err)
		made = append(made, content)
	}
	assert.Equal(t, made[0], made[1])
	assert.True(t, bytes.Contains(made[0], []byte(code)), "the code is not in it")
	assert.Equal(t, 2, bytes.Count(made[0], binary.LittleEndian.AppendUint64(nil, 134398836000000000))) // 2026-11-23 05:00, in units of 100 ns since 1601
}

func TestWhatIsNoInstallerOfWindowsIsRefused(t *testing.T) {
	whole := summary("{00000000-0000-4000-8000-000000000000}", 1)
	for name, content := range map[string][]byte{
		"nothing":      nil,
		"no summary":   make([]byte, 4096),
		"two of them":  append(bytes.Clone(whole), whole...),
		"cut":          whole[:len(whole)-600],
		"without code": bytes.ReplaceAll(whole, []byte("{0000"), []byte("(0000")),
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "assay.msi")
			assert.NoError(t, os.WriteFile(path, content, 0o600))
			refuses(t, "msi", path, "{0D8F8F3C-1234-5ABC-8000-0123456789AB}")
			after, err := os.ReadFile(path)
			assert.NoError(t, err)
			assert.Equal(t, len(content), len(after))
		})
	}
	if said := refuses(t, "msi", filepath.Join(t.TempDir(), "none"), "x"); !strings.Contains(said, "none") {
		t.Errorf("%q", said)
	}
}
