package bundle_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"assay/client"
	"assay/client/assert"
	"assay/client/desk"
	"assay/client/report"
	"assay/client/report/bundle"
	"assay/client/report/reporttest"
	"assay/client/store"
)

var ruisKey = ed25519.NewKeyFromSeed(bytes.Repeat([]byte{9}, ed25519.SeedSize))

// shared has a case at a desk with a result that Ines, who uses this computer, has judged, and that Rui has signed off.
func (f *fixture) shared() {
	f.t.Helper()
	f.typical()
	c, err := f.AddCase(f.t.Context(), store.Case{Title: "The flood"})
	assert.NoError(f.t, err)
	_, err = f.AddToCase(f.t.Context(), c.ID, f.ids, "Ines")
	assert.NoError(f.t, err)
	ines, rui := uuid.New(), uuid.New()
	assert.NoError(f.t, f.JoinDesk(f.t.Context(), store.Membership{Member: "ines", Device: ines}))
	assert.NoError(f.t, f.SetDeskPeople(f.t.Context(), []store.DeskMember{{Name: "ines", Display: "Ines"}, {Name: "rui", Display: "Rui"}}, []store.DeskDevice{
		{ID: ines, Member: "ines", Key: ownKey.Public().(ed25519.PublicKey)}, {ID: rui, Member: "rui", Key: ruisKey.Public().(ed25519.PublicKey)},
	}))
	assert.NoError(f.t, f.ShareCase(f.t.Context(), c.ID, desk.ShareAll))
	given, err := f.AddFeedback(f.t.Context(), store.Feedback{Feedback: client.Feedback{RequestID: "request-one", Label: client.LabelManipulated, Comment: "The waterline."}})
	assert.NoError(f.t, err)
	given.State = store.FeedbackSending
	assert.NoError(f.t, f.SaveFeedback(f.t.Context(), given))
	events, err := f.Unsent(f.t.Context(), 100)
	assert.NoError(f.t, err)
	signOff := desk.Event{ID: uuid.New(), Author: "rui", Device: rui, Lamport: 100, Kind: desk.SignOff, At: noon}
	byID, seen := map[uuid.UUID]desk.Event{}, []string{}
	for i := range events {
		e := &events[i]
		e.Sign(ownKey)
		if byID[e.ID] = *e; e.Kind == desk.Judgement {
			signOff.Case, signOff.About = e.Case, e.ID
			seen = append(seen, hex.EncodeToString(e.Digest), hex.EncodeToString(byID[e.About].Digest))
		}
	}
	assert.NoError(f.t, f.Sent(f.t.Context(), events))
	signOff.Body, err = json.Marshal(desk.Body{At: noon, Seen: seen})
	assert.NoError(f.t, err)
	signOff.Sign(ruisKey)
	assert.NoError(f.t, f.Receive(f.t.Context(), []store.Received{{Event: signOff}}, "1", ""))
	f.o.Case, err = report.ReadCase(f.t.Context(), f.Store, c)
	assert.NoError(f.t, err)
}

func TestABundleProvesASignOff(t *testing.T) {
	f := setup(t)
	f.shared()
	root, written := f.write("case")
	assert.Equal(t, 0, len(written.Lacks))
	line, err := bundle.PublicLine(ruisKey.Public().(ed25519.PublicKey))
	assert.NoError(t, err)
	verify := func(t *testing.T, root string, signers ...bundle.Signer) *bundle.Verification {
		t.Helper()
		v, err := bundle.Verify(t.Context(), root, bundle.VerifyOptions{Signers: signers})
		assert.NoError(t, err)
		return v
	}
	t.Run("by a key that is not known yet", func(t *testing.T) {
		v := verify(t, root)
		assert.Equal(t, bundle.UnknownSigner, v.State)
		assert.Equal(t, 1, len(v.SignOffs))
		said := strings.Join(v.Details(), "\n")
		if !strings.Contains(said, "rui signed off the judgement of ines, with a key that you don't know: SHA256:") {
			t.Error(said)
		}
	})
	t.Run("by a signer who is known", func(t *testing.T) {
		said := strings.Join(verify(t, root, bundle.Signer{Name: "Rui of the night desk", Key: line}).Details(), "\n")
		if !strings.Contains(said, "rui signed off the judgement of ines, with the key of Rui of the night desk, whom you know.") {
			t.Error(said)
		}
	})
	all := contents(t, root)
	var signOff, judgement string
	for name, text := range all {
		if strings.HasPrefix(name, bundle.DeskFolder) && strings.Contains(text, `"sign_off"`) {
			signOff = strings.TrimSuffix(name, bundle.SignedEnding)
		}
		if strings.HasPrefix(name, bundle.DeskFolder) && strings.HasSuffix(name, bundle.SignedEnding) && strings.Contains(text, `"judgement"`) {
			judgement = strings.TrimSuffix(name, bundle.SignedEnding)
		}
	}
	if !strings.Contains(all[judgement+bundle.ContentEnding], "The waterline.") {
		t.Error("the comment is not in what was signed")
	}
	for file, change := range map[string]func(string) string{
		judgement + bundle.ContentEnding:   func(s string) string { return strings.ReplaceAll(s, "MANIPULATED", "AUTHENTICAL") },
		signOff + bundle.SignedEnding:      func(s string) string { return strings.ReplaceAll(s, `"rui"`, `"zoe"`) },
		signOff + bundle.SignatureEnding:   func(s string) string { return string(s[0]^1) + s[1:] },
		judgement + bundle.SignedEnding:    func(s string) string { return strings.ReplaceAll(s, `"ines"`, `"rui"`) },
		judgement + bundle.SignatureEnding: func(string) string { return all[signOff+bundle.SignatureEnding] },
	} {
		t.Run("changed: "+filepath.Ext(file), func(t *testing.T) {
			path := filepath.Join(root, filepath.FromSlash(file))
			defer func() { assert.NoError(t, os.WriteFile(path, []byte(all[file]), 0o600)) }()
			assert.NoError(t, os.WriteFile(path, []byte(change(all[file])), 0o600))
			v := verify(t, root)
			if v.State != bundle.Changed || !slices.ContainsFunc(v.Findings, func(f bundle.Finding) bool { return f.Change == bundle.SignatureForeign }) || len(v.SignOffs) > 0 {
				t.Errorf("%s: %v, %v", v.State, v.Findings, v.SignOffs)
			}
		})
	}
	t.Run("other programs check it, by the command in VERIFY.txt", func(t *testing.T) {
		reporttest.Need(t, "sh", "openssl", "sha256sum")
		command := ""
		for _, c := range commands(t, root) {
			if strings.Contains(c, "openssl") {
				command = c
			}
		}
		printed, ok := shell(t, root, command)
		if n := strings.Count(printed, "Signature Verified Successfully"); !ok || n != 3 || strings.Contains(printed, "changed") {
			t.Errorf("%s: %s", command, printed)
		}
		for _, file := range []string{judgement + bundle.ContentEnding, judgement + bundle.SignedEnding} {
			path := filepath.Join(root, filepath.FromSlash(file))
			assert.NoError(t, os.WriteFile(path, []byte(all[file]+"x"), 0o600))
			if printed, _ := shell(t, root, command); !strings.Contains(printed, "changed") && !strings.Contains(printed, "Signature Verification Failure") {
				t.Errorf("%s: it says %q", file, printed)
			}
			assert.NoError(t, os.WriteFile(path, []byte(all[file]), 0o600))
		}
	})
	t.Run("where names are left out, the answer that was shared with its name is", func(t *testing.T) {
		f.o.Names = report.NamesNeutral
		root, _ := f.write("neutral")
		for name, text := range contents(t, root) {
			if strings.Contains(text, "Größe 100%") {
				t.Errorf("%s has the name", name)
			}
		}
		v := verify(t, root)
		assert.Equal(t, 1, len(v.SignOffs))
		assert.Equal(t, bundle.UnknownSigner, v.State)
	})
}
