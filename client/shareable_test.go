package client_test

import (
	"encoding/json"
	"strings"
	"testing"

	"assay/client"
)

func TestShareable(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"a signed address loses its query", `{"thumbnail":"https://s.example/a/b.jpg?X-Sig=abc&e=900"}`, `{"thumbnail":"https://s.example/a/b.jpg?…"}`},
		{"however it is escaped", `{"thumbnail":"https:\/\/s.example\/a\u003fX-Sig=abc"}`, `{"thumbnail":"https://s.example/a?…"}`},
		{"in a map of heatmaps", `{"heatmaps":{"oak":"http://127.0.0.1:1/h.png?s=1"}}`, `{"heatmaps":{"oak":"http://127.0.0.1:1/h.png?…"}}`},
		{"within a sentence", `["see https://s.example/x?sig=1 now"]`, `["see https://s.example/x?… now"]`},
		{"one that can't be read", `["https://s.example/%zz?sig=1"]`, `["https://s.example/%zz?…"]`},
		{"a name and password", `["https://me:secret@s.example/x"]`, `["https://s.example/x?…"]`},
		{"behind what looks like one", `["http/https://s.example/x?sig=1"]`, `["http/https://s.example/x?…"]`},
		{"as a name", `{"https://s.example/x?sig=1":1}`, `{"https://s.example/x?…":1}`},
		{"the person's own link stays", `{"socialLink":"https://v.example/watch?v=9"}`, `{"socialLink":"https://v.example/watch?v=9"}`},
		{"all else stays byte for byte", "{ \"n\" : 1.50e2,\n\t\"s\":\"a \\u00e9 \\\" ?\" , \"u\":\"https://s.example/plain\" }", "{ \"n\" : 1.50e2,\n\t\"s\":\"a \\u00e9 \\\" ?\" , \"u\":\"https://s.example/plain\" }"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := string(client.Shareable([]byte(c.in))); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
	if client.Shareable([]byte(`{"a":"https://s.example/x?sig=1`)) != nil {
		t.Error("what is no JSON was let through")
	}
}

func FuzzShareable(f *testing.F) {
	f.Add([]byte(`{"a":"https://s.example/x?sig=1","b":[1,null,"\\\"?"]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		got := client.Shareable(data)
		if !json.Valid(data) {
			return
		}
		if !json.Valid(got) {
			t.Fatalf("%q became %q", data, got)
		}
		if again := client.Shareable(got); !strings.Contains(string(got), "http") && string(again) != string(got) {
			t.Fatalf("%q is not at rest: %q", got, again)
		}
	})
}
