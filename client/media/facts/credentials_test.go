package facts_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/veraison/go-cose"

	"assay/client/assert"
	"assay/client/media/facts"
	"assay/client/media/mediatest"
)

func read(t testing.TB, data []byte, name string) facts.Facts {
	t.Helper()
	f, err := facts.Read(t.Context(), bytes.NewReader(data), int64(len(data)), name)
	assert.NoError(t, err)
	return f
}

func TestNoCredentials(t *testing.T) {
	for name, data := range map[string][]byte{"a.jpg": plainJPEG(t), "a.png": plainPNG(t), "a.gif": plainGIF(t)} {
		t.Run(name, func(t *testing.T) {
			if c := read(t, data, name).Credentials; c.State != facts.None || c.Reason != "" || c.NotSearched {
				t.Errorf("credentials %+v, want none", c)
			}
		})
	}
	t.Run("a kind of file that is not looked into says so", func(t *testing.T) {
		if c := read(t, []byte("Only words."), "a.txt").Credentials; c.State != facts.None || !c.NotSearched {
			t.Errorf("credentials %+v", c)
		}
	})
	t.Run("an APP11 segment of another standard is none", func(t *testing.T) {
		data := plainJPEG(t)
		other := mediatest.APP11(superbox("j360", "j360", ""), 100)
		if c := read(t, append(append(bytes.Clone(data[:2]), other...), data[2:]...), "a.jpg").Credentials; c.State != facts.None {
			t.Errorf("credentials %+v", c)
		}
	})
}

func TestIntactCredentials(t *testing.T) {
	es256 := newSigner(t, cose.AlgorithmES256)
	for name, data := range map[string][]byte{
		"a JPEG over many segments, ES256": es256.jpeg(t),
		"a JPEG, ES384":                    newSigner(t, cose.AlgorithmES384).jpeg(t),
		"a JPEG, ES512":                    newSigner(t, cose.AlgorithmES512).jpeg(t),
		"a JPEG, PS256":                    newSigner(t, cose.AlgorithmPS256).jpeg(t),
		"a JPEG, EdDSA":                    newSigner(t, cose.AlgorithmEdDSA).jpeg(t),
		"a PNG":                            es256.png(t),
		"a GIF":                            es256.gif(t),
		"a clip":                           es256.clip(t),
		"a WAV":                            es256.wav(t),
		"an MP3":                           es256.mp3(t),
	} {
		t.Run(name, func(t *testing.T) {
			c := read(t, data, "a").Credentials
			if c.State != facts.Intact || c.Reason != "" {
				t.Fatalf("state %d, %q", c.State, c.Reason)
			}
			if c.Signer != "A. Photographer\uFFFDgro" || c.Organisation != "The Desk" || c.Title != "Harbour" || c.Ingredients != 1 || len(c.Actions) != 1 {
				t.Errorf("credentials %+v", c)
			}
			if got := c.Actions[0]; got.Action != "c2pa.created" || got.Agent != "Camera/2" || !strings.HasSuffix(got.SourceType, "digitalCapture") {
				t.Errorf("action %+v", got)
			}
		})
	}
}

func TestCredentialsThatAreNotConfirmed(t *testing.T) {
	with := func(change func(s *signer)) *signer {
		s := newSigner(t, cose.AlgorithmES256)
		change(s)
		return s
	}
	flip := func(data []byte, at int) []byte {
		data = bytes.Clone(data)
		data[at] ^= 1
		return data
	}
	plain := newSigner(t, cose.AlgorithmES256)
	jpg, pngs, mp4 := plain.jpeg(t), plain.png(t), plain.clip(t)
	after := func(data []byte, mark string) int {
		i := bytes.LastIndex(data, []byte(mark))
		if i < 0 {
			t.Fatalf("no %q in the file", mark)
		}
		return i + len(mark)
	}
	const content, assertionChanged, signature = "was changed after it was signed", "changed afterwards", "signature does not match"
	const incomplete, kind, key = "missing or cut short", "tied to the file in a way", "signed in a way"
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"a pixel of a JPEG":                {flip(jpg, len(jpg)-20), content},
		"a byte behind a JPEG's end":       {append(bytes.Clone(jpg), 'x'), content},
		"a pixel of a PNG":                 {flip(pngs, len(pngs)-30), content},
		"a byte of a clip's picture":       {flip(mp4, len(mp4)-5), content},
		"a box behind a clip":              {append(bytes.Clone(mp4), isoBox("mdat", "more")...), content},
		"an assertion":                     {flip(pngs, after(pngs, "digitalCaptur")), assertionChanged},
		"the claim":                        {flip(pngs, after(pngs, "Harbou")), signature},
		"the signature":                    {flip(pngs, after(pngs, "PLTE")-22), signature},
		"another's signature":              {with(func(s *signer) { s.certificate = newSigner(t, cose.AlgorithmES256).certificate }).jpeg(t), signature},
		"a payload that is not the claim":  {with(func(s *signer) { s.payload = []byte("another claim") }).jpeg(t), signature},
		"a key of another kind":            {with(func(s *signer) { s.certificate = newSigner(t, cose.AlgorithmEdDSA).certificate }).jpeg(t), key},
		"no certificate":                   {with(func(s *signer) { s.protected = func(h cose.ProtectedHeader) { delete(h, cose.HeaderLabelX5Chain) } }).jpeg(t), key},
		"a hash that is not known":         {with(func(s *signer) { s.hashName = "md5" }).jpeg(t), "kind of hash"},
		"an assertion that is not signed":  {with(func(s *signer) { s.unlisted = []assertion{{"c2pa.metadata", map[string]any{"a": 1}}} }).jpeg(t), "not signed"},
		"an assertion that is missing":     {with(func(s *signer) { s.claimed = func(c map[string]any) { listMore(c, "c2pa.lost") } }).jpeg(t), incomplete},
		"an assertion of another manifest": {with(func(s *signer) { s.claimed = func(c map[string]any) { listMore(c, "../other") } }).jpeg(t), incomplete},
		"no binding":                       {with(func(s *signer) { s.noBinding = true }).jpeg(t), "which file they belong to"},
		"two bindings":                     {with(func(s *signer) { s.listed = []assertion{{"c2pa.hash.data__2", map[string]any{"hash": []byte{1}}}} }).jpeg(t), "more than one set"},
		"a binding to boxes": {with(func(s *signer) {
			s.noBinding, s.listed = true, []assertion{{"c2pa.hash.boxes", map[string]any{"boxes": []any{}}}}
		}).jpeg(t), kind},
		"more left out than the credentials": {with(func(s *signer) { s.widen = 200 }).jpeg(t), "leaves out a part"},
		"a clip's picture left out":          {with(func(s *signer) { s.exclusions = []map[string]any{{"xpath": "/free"}, {"xpath": "/mdat"}} }).clip(t), "leaves out a part"},
		"an addition to earlier ones":        {with(func(s *signer) { s.kind = "c2um" }).jpeg(t), "addition to earlier"},
		"compressed":                         {with(func(s *signer) { s.kind = "c2cm" }).jpeg(t), "compressed"},
		"no manifest":                        {with(func(s *signer) { s.store = func(string) string { return superbox("c2pa", "c2pa", "") } }).png(t), "could not be read"},
		"no box at all":                      {with(func(s *signer) { s.store = func(string) string { return "nothing of the kind" } }).png(t), "could not be read"},
		"10,000 boxes inside each other":     {with(func(s *signer) { s.store = func(string) string { return superbox("c2pa", "c2pa", nested(10_000)) } }).png(t), incomplete},
		"3,000 boxes beside each other": {with(func(s *signer) {
			s.store = func(m string) string {
				return superbox("c2pa", "c2pa", strings.Repeat(superbox("none", "x", ""), 3_000)+m)
			}
		}).png(t), incomplete},
		"cut short": {with(func(s *signer) {
			s.store = func(m string) string { return superbox("c2pa", "c2pa", m[:len(m)-40]) }
		}).png(t), "could not be read"},
		"kept elsewhere": {insert(plainJPEG(t), 2, segment(0xe1, "http://ns.adobe.com/xap/1.0/\x00<x dcterms:provenance='https://example.org/m'/>")), "stored elsewhere"},
	} {
		t.Run(name, func(t *testing.T) {
			got := read(t, c.data, "a").Credentials
			if got.State != facts.NotConfirmed || !strings.Contains(got.Reason, c.want) {
				t.Errorf("state %d, reason %q, want it not confirmed because of %q", got.State, got.Reason, c.want)
			}
		})
	}
	t.Run("two stores", func(t *testing.T) {
		data := insert(pngs, 33, pngChunk("caBX", plain.manifestStore(t, assertion{"c2pa.hash.data", map[string]any{"hash": []byte{1}}})))
		if got := read(t, data, "a").Credentials; got.State != facts.NotConfirmed {
			t.Errorf("credentials %+v", got)
		}
	})
	t.Run("every truncation of a signed picture", func(t *testing.T) {
		for n := range jpg {
			if got := read(t, jpg[:n], "a").Credentials; got.State == facts.Intact {
				t.Fatalf("intact with %d of %d bytes", n, len(jpg))
			}
		}
	})
	t.Run("every changed byte of a signed picture", func(t *testing.T) {
		harmless := 0
		for i := range pngs {
			if read(t, flip(pngs, i), "a").Credentials.State == facts.Intact {
				harmless++
			}
		}
		// Of the chunk that holds the credentials, the checksum and names of no weight may change; of the picture, nothing.
		if harmless > 120 {
			t.Errorf("%d of %d bytes can be changed without a sign", harmless, len(pngs))
		}
	})
}

func listMore(claim map[string]any, label string) {
	listed, _ := claim["created_assertions"].([]any)
	claim["created_assertions"] = append(listed, map[string]any{"url": "self#jumbf=c2pa.assertions/" + label, "hash": []byte{1}})
}

func nested(n int) string {
	var b bytes.Buffer
	for range n {
		b.WriteString("\x00\x00\x00\x00jumb") // to the end
	}
	return b.String()
}
