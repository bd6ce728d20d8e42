package bundle

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"slices"
	"strings"

	"github.com/google/uuid"

	"assay/client/desk"
	"assay/client/i18n"
	"assay/client/plain"
)

// desk writes what was judged and signed off in a shared case, as the computers of those who did so have signed it.
func (w *writer) desk() error {
	if w.o.Case == nil {
		return nil
	}
	events, missing, err := w.Records.SignedJudgements(w.ctx, w.o.Case.ID)
	if err != nil {
		return err
	}
	if missing > 0 {
		w.lacks(i18n.N(missing, "%s judgement or sign-off is not in the bundle with its signature: the desk does not have it yet.",
			"%s judgements or sign-offs are not in the bundle with their signatures: the desk does not have them yet."))
	}
	keys := map[uuid.UUID]bool{}
	for _, e := range events {
		name := DeskFolder + e.ID.String()
		if err := w.addText(name+SignedEnding, e.Signed()); err != nil {
			return err
		}
		if err := w.addText(name+SignatureEnding, e.Sig); err != nil {
			return err
		}
		// An answer says how a file is called where that was shared: of a neutral one its hash stays, which its signature covers.
		if !slices.ContainsFunc(w.items, func(it *item) bool { return it.neutral && it.sub.ID == e.Item }) || e.Kind != desk.Result {
			if err := w.addText(name+ContentEnding, e.Content()); err != nil {
				return err
			}
		}
		if keys[e.Device] {
			continue
		}
		keys[e.Device] = true
		public, err := x509.MarshalPKIXPublicKey(ed25519.PublicKey(e.Key))
		if err != nil {
			return err
		}
		if err := w.addText(DeskFolder+e.Device.String()+DeviceKeyEnding, pem.EncodeToMemory(&pem.Block{Type: pemPublicKey, Bytes: public})); err != nil {
			return err
		}
		w.signed = true
	}
	return nil
}

const pemPublicKey = "PUBLIC KEY"

// SignOff is a sign-off by a second person whose signature fits, and so does that of the judgement.
type SignOff struct {
	By          plain.Text `json:"by"` // the login of who signed off, as their computer wrote it
	JudgementBy plain.Text `json:"judgementBy"`
	Label       plain.Text `json:"label"`       // what was judged
	Fingerprint string     `json:"fingerprint"` // of the key of who signed off, as ssh-keygen prints it
	Signer      plain.Text `json:"signer,omitzero"`
	Own         bool       `json:"own,omitempty"`
}

// checkDesk checks that what was judged and signed off is what the computers of those who did so have signed.
func (v *verifier) checkDesk() {
	events := map[uuid.UUID]desk.Event{}
	var order []uuid.UUID
	for name, text := range v.kept {
		rest, in := strings.CutPrefix(name, DeskFolder)
		base, is := strings.CutSuffix(rest, SignedEnding)
		if !in || !is {
			continue
		}
		e, err := desk.ParseSigned(text)
		if err == nil {
			e.Sig = v.kept[DeskFolder+base+SignatureEnding]
		}
		if err != nil || e.ID.String() != base || !v.completes(&e) || e.Verify(v.deviceKey(e.Device)) != nil {
			v.add(finding(SignatureForeign, name))
			continue
		}
		events[e.ID], order = e, append(order, e.ID)
	}
	slices.SortFunc(order, func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
	for _, id := range order {
		e := events[id]
		if e.Kind != desk.SignOff {
			continue
		}
		judgement, there := events[e.About]
		var seen, said desk.Body
		if !there || judgement.Kind != desk.Judgement || judgement.Author == e.Author || judgement.Case != e.Case || json.Unmarshal(e.Body, &seen) != nil ||
			json.Unmarshal(judgement.Body, &said) != nil || len(seen.Seen) == 0 || seen.Seen[0] != hex.EncodeToString(judgement.Digest) {
			v.add(finding(SignatureForeign, DeskFolder+id.String()+SignedEnding))
			continue
		}
		v.SignOffs = append(v.SignOffs, v.signOffOf(e, judgement, said))
	}
}

// completes adds what an event says, where that is there, and reports whether it is what was signed.
func (v *verifier) completes(e *desk.Event) bool {
	content, there := v.kept[DeskFolder+e.ID.String()+ContentEnding]
	if !there {
		return e.Kind == desk.Result // its file's name was left out
	}
	subject, body, err := desk.ParseContent(content)
	sum := sha256.Sum256(content)
	e.Subject, e.Body = subject, body
	return err == nil && len(body) > 0 && bytes.Equal(sum[:], e.Digest)
}

// deviceKey is the public key of a computer; nil where there is none.
func (v *verifier) deviceKey(device uuid.UUID) ed25519.PublicKey {
	block, rest := pem.Decode(v.kept[DeskFolder+device.String()+DeviceKeyEnding])
	if block == nil || block.Type != pemPublicKey || len(rest) > 0 {
		return nil
	}
	public, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		return nil
	}
	key, _ := public.(ed25519.PublicKey)
	return key
}

func (v *verifier) signOffOf(e, judgement desk.Event, said desk.Body) SignOff {
	key := v.deviceKey(e.Device)
	s := SignOff{By: plain.From(e.Author), JudgementBy: plain.From(judgement.Author), Label: plain.From(said.Label)}
	line, err := PublicLine(key)
	if err != nil {
		return s
	}
	s.Fingerprint, _ = Fingerprint(key) // of a key that PublicLine could write
	for _, known := range v.options.Signers {
		if known.Key == line && (s.Signer.IsZero() || known.Own) {
			s.Signer, s.Own = plain.From(known.Name), s.Own || known.Own
		}
	}
	return s
}

// sentence says who has signed off, and whether the key is known.
func (s SignOff) sentence() string {
	by, judged := s.By.Folded().Clip(longestSigner), s.JudgementBy.Folded().Clip(longestSigner)
	switch {
	case s.Own:
		return i18n.F("%s signed off the judgement of %s, with a key of yours.", by, judged)
	case !s.Signer.IsZero():
		return i18n.F("%s signed off the judgement of %s, with the key of %s, whom you know.", by, judged, s.Signer.Clip(longestSigner))
	}
	return i18n.F("%s signed off the judgement of %s, with a key that you don't know: %s", by, judged, s.Fingerprint)
}
