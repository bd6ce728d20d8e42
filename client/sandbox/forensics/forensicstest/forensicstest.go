// Package forensicstest has what tests of the analysers share: checks that apply to every report, and C2PA manifest stores.
package forensicstest

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"assay/client/media/mediatest"
	"assay/client/sandbox/forensics"

	"github.com/fxamacker/cbor/v2"
	"github.com/google/go-cmp/cmp"
)

// CheckModels checks the rows of a report for what every analyser promises: they are in the announced order, the ensemble last, and each has
// both scores or none, details that can be encoded as JSON, and a conclusion.
func CheckModels(t testing.TB, announced []string, models []forensics.Model, conclusions map[string]string) {
	t.Helper()
	var names []string
	for i, m := range models {
		names = append(names, m.Name)
		if m.Ensemble != (i == len(models)-1) {
			t.Errorf("%s: Ensemble %v at place %d", m.Name, m.Ensemble, i)
		}
		if (m.Raw == nil) != (m.Score == nil) || m.Score != nil && (*m.Score <= 0 || *m.Score >= 100 || *m.Raw < 0 || *m.Raw > 1) {
			t.Errorf("%s: raw %v, score %v", m.Name, m.Raw, m.Score)
		}
		if _, err := json.Marshal(m.Data); err != nil { // NaN and Inf can't be encoded
			t.Errorf("%s: data: %v", m.Name, err)
		}
		if conclusions[m.Name] == "" {
			t.Errorf("%s: no conclusion", m.Name)
		}
	}
	if diff := cmp.Diff(announced, names); diff != "" {
		t.Errorf("models (-announced +reported):\n%s", diff)
	}
}

// CheckRun checks an analysis for what its caller relies on: its models report in the announced order, and it ends with its context, both
// before it began and between two models.
func CheckRun(t *testing.T, announced []string, analyse func(ctx context.Context, finished func(forensics.Model)) error) {
	t.Helper()
	var order []string
	if err := analyse(t.Context(), func(m forensics.Model) { order = append(order, m.Name) }); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(announced, order); diff != "" {
		t.Errorf("order (-announced +called):\n%s", diff)
	}
	ctx, cancel := context.WithCancel(t.Context())
	calls := 0
	if err := analyse(ctx, func(forensics.Model) { calls++; cancel() }); !errors.Is(err, context.Canceled) || calls != 1 {
		t.Errorf("cancelled between two models: %v after %d models", err, calls)
	}
	if err := analyse(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled before it began: %v", err)
	}
}

// superbox is a box of JUMBF with a label.
func superbox(label, content string) string {
	return mediatest.Box("jumb", mediatest.Box("jumd", strings.Repeat("\x00", 16)+"\x03"+label+"\x00")+content)
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
		return mediatest.Box("cbor", string(b))
	}
	assertions := ""
	if sourceType != "" {
		assertions = superbox("c2pa.actions.v2", encoded(map[string]any{
			"actions": []any{map[string]any{"action": "c2pa.created", "digitalSourceType": sourceType, "when": "2026-01-01T00:00:00Z"}},
		}))
	}
	return superbox("urn:uuid:1", superbox("c2pa.assertions", assertions)+
		superbox("c2pa.claim.v2", encoded(map[string]any{"claim_generator_info": map[string]any{"name": generator}, "alg": "sha256"})))
}

// Store is a store of manifests, of which the last is the file's own.
func Store(t testing.TB, manifests ...string) string {
	t.Helper()
	return superbox("c2pa", strings.Join(manifests, ""))
}

// AreaUnderCurve is the chance that one of high is larger than one of low, a tie
// counting half: the area under the receiver operating characteristic.
func AreaUnderCurve(high, low []float64) float64 {
	wins := 0.0
	for _, h := range high {
		for _, l := range low {
			switch {
			case h > l:
				wins++
			case h == l:
				wins += 0.5
			}
		}
	}
	return wins / float64(max(len(high)*len(low), 1))
}
