// Package forensicstest makes C2PA manifest stores for the tests of the analysers.
package forensicstest

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/fxamacker/cbor/v2"
)

// Box is a box of ISO/IEC 14496-12.
func Box(kind, content string) string {
	return string(binary.BigEndian.AppendUint32(nil, uint32(8+len(content)))) + kind + content
}

// Superbox is a box of JUMBF with a label.
func Superbox(label, content string) string {
	return Box("jumb", Box("jumd", strings.Repeat("\x00", 16)+"\x03"+label+"\x00")+content)
}

// Manifest is a C2PA manifest with a claim and, if a source type is given, one
// action; unsigned.
func Manifest(t testing.TB, generator, sourceType string) string {
	t.Helper()
	encoded := func(v any) string {
		b, err := cbor.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return Box("cbor", string(b))
	}
	assertions := ""
	if sourceType != "" {
		assertions = Superbox("c2pa.actions.v2", encoded(map[string]any{
			"actions": []any{map[string]any{"action": "c2pa.created", "digitalSourceType": sourceType, "when": "2026-01-01T00:00:00Z"}},
		}))
	}
	return Superbox("urn:uuid:1", Superbox("c2pa.assertions", assertions)+
		Superbox("c2pa.claim.v2", encoded(map[string]any{"claim_generator_info": map[string]any{"name": generator}, "alg": "sha256"})))
}

// Store is a store of manifests, the file's own the last.
func Store(t testing.TB, manifests ...string) string {
	t.Helper()
	return Superbox("c2pa", strings.Join(manifests, ""))
}
