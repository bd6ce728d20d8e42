package strip

import (
	"bytes"
	"slices"
	"testing"
)

// profile is a colour profile as screens have them: with a name, a maker and a serial number.
func profile() string {
	tags := []struct{ name, data string }{
		{"desc", "mluc\x00\x00\x00\x00" + be32(1) + be32(12) + "enUS" + be32(2*len(secret)) + be32(28) + string(utf16(secret))},
		{"cprt", "text\x00\x00\x00\x00" + secret},
		{"rXYZ", "XYZ \x00\x00\x00\x00red red red "},
		{"mmod", "mmod\x00\x00\x00\x00" + secret},
		{"rTRC", "curv\x00\x00\x00\x00" + be32(1) + "\x01\x00"},
	}
	table, data := be32(len(tags)), ""
	for _, tag := range tags {
		data += secret // what lies between the tags
		table += tag.name + be32(128+4+12*len(tags)+len(data)) + be32(len(tag.data))
		data += tag.data
	}
	header := zeros(24) + secret[:12] + "acsp" + zeros(8) + secret[:8] + zeros(24) + (secret + secret + secret + secret)[:48]
	whole := be32(len(header)+len(table)+len(data)) + header[4:] + table + data
	return whole
}

func TestColourProfile(t *testing.T) {
	whole := []byte(profile())
	plain := plainProfile(whole)
	if len(plain) != len(whole) {
		t.Fatalf("%d bytes became %d", len(whole), len(plain))
	}
	for _, gone := range []string{secret[:8], string(utf16(secret[:8]))} {
		if bytes.Contains(plain, []byte(gone)) {
			t.Errorf("%q is still there: %q", gone, plain)
		}
	}
	for _, kept := range []string{"acsp", "XYZ \x00\x00\x00\x00red red red ", "curv\x00\x00\x00\x00" + be32(1) + "\x01\x00", "mluc\x00\x00\x00\x00" + be32(0) + be32(12), "text\x00\x00\x00\x00"} {
		if !bytes.Contains(plain, []byte(kept)) {
			t.Errorf("%q is gone", kept)
		}
	}
	for name, damaged := range map[string][]byte{
		"too short": whole[:100], "cut short": whole[:len(whole)-1], "no profile": bytes.Replace(slices.Clone(whole), []byte("acsp"), []byte("none"), 1),
		"a tag outside of it": bytes.Replace(slices.Clone(whole), []byte("rXYZ\x00"), []byte("rXYZ\x7f"), 1),
	} {
		if plainProfile(damaged) != nil {
			t.Errorf("%s: it is kept", name)
		}
	}
}
