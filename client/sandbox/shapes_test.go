package sandbox

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"assay/client/assert"
)

func TestFaultShapes(t *testing.T) {
	plain := setup(t)
	id := plain.upload(t, "a.jpg", photo(t, 1))
	plain.settled(t, id)
	plain.stop()
	const list = "/api/v2/media/users/pages/"
	result := "/api/media/users/" + id
	// get calls a sandbox on the same folder with these faults.
	get := func(t *testing.T, method, path, body string, faults ...string) map[string]any {
		t.Helper()
		o := Options{Dir: plain.dir}
		for _, text := range faults {
			f, err := ParseFault(text)
			assert.NoError(t, err)
			o.Faults = append(o.Faults, f)
		}
		s := setupWith(t, o, newClock())
		defer s.stop()
		answer := s.call(t, method, path, body)
		if answer.status != http.StatusOK {
			t.Fatalf("%d %s", answer.status, answer.body)
		}
		if bytes.HasPrefix(answer.body, []byte("[")) {
			return map[string]any{"": decode[[]any](t, answer.body)}
		}
		return decode[map[string]any](t, answer.body)
	}
	keys := func(m map[string]any) string {
		encoded, err := json.Marshal(m)
		assert.NoError(t, err)
		var names strings.Builder
		decoder := json.NewDecoder(bytes.NewReader(encoded))
		for depth := 0; ; {
			token, err := decoder.Token()
			if err != nil {
				return names.String()
			}
			switch token {
			case json.Delim('{'), json.Delim('['):
				depth++
			case json.Delim('}'), json.Delim(']'):
				depth--
			default:
				if name, ok := token.(string); ok && depth == 1 && m[name] != nil {
					names.WriteString(name + " ")
				}
			}
		}
	}

	t.Run("id-inside of an upload address", func(t *testing.T) {
		got := get(t, http.MethodPost, "/api/files/cloud-presigned", `{"fileName":"b.jpg"}`, "upload-url:id-inside")
		inside, _ := got["response"].(map[string]any)
		if _, top := got["requestId"]; top || inside["requestId"] == nil || inside["signedUrl"] == nil {
			t.Errorf("got %v", got)
		}
	})
	t.Run("id-inside of a link", func(t *testing.T) {
		got := get(t, http.MethodPost, "/api/files/social", `{"socialLink":"https://video.example/1"}`, "social:id-inside")
		inside, _ := got["response"].(map[string]any)
		if _, top := got["requestId"]; top || inside["requestId"] == nil {
			t.Errorf("got %v", got)
		}
	})
	t.Run("id-missing", func(t *testing.T) {
		got := get(t, http.MethodPost, "/api/files/cloud-presigned", `{"fileName":"b.jpg"}`, "upload-url:id-missing")
		inside, _ := got["response"].(map[string]any)
		if _, top := got["requestId"]; top || inside["requestId"] != nil || inside["signedUrl"] == nil {
			t.Errorf("got %v", got)
		}
	})
	t.Run("bare-list", func(t *testing.T) {
		got := get(t, http.MethodGet, list+"0?name=a.jpg", "", "list:bare-list")
		if entries, _ := got[""].([]any); len(entries) != 1 {
			t.Errorf("got %v", got)
		}
	})
	t.Run("old-list: pages from 1 in another envelope", func(t *testing.T) {
		got := get(t, http.MethodGet, list+"1?name=a.jpg", "", "list:old-list")
		if entries, _ := got["data"].([]any); len(entries) != 1 || keys(got) != "data totalPages " {
			t.Errorf("got %v", got)
		}
	})
	t.Run("pages-from-1: page 1 is the first, and says so; page 2 is beyond it", func(t *testing.T) {
		for page, want := range map[string][2]float64{"0": {1, 1}, "1": {1, 1}, "2": {2, 0}} {
			got := get(t, http.MethodGet, list+page+"?name=a.jpg", "", "list:pages-from-1")
			if entries, _ := got["mediaList"].([]any); got["currentPage"] != want[0] || float64(len(entries)) != want[1] {
				t.Errorf("page %s: got %v", page, got)
			}
		}
	})
	for fault, check := range map[string]func(result map[string]any) bool{
		"unknown-status": func(r map[string]any) bool { return r["overallStatus"] == "PROCESSING" },
		"null-summary": func(r map[string]any) bool {
			summary, has := r["resultsSummary"]
			return has && summary == nil
		},
		"text-bool":    func(r map[string]any) bool { return r["showAudioResult"] == "False" },
		"no-original":  func(r map[string]any) bool { return r["storageLocation"] == "" && r["thumbnail"] != "" },
		"no-thumbnail": func(r map[string]any) bool { return r["thumbnail"] == "" && r["storageLocation"] != "" },
		"object-score": func(r map[string]any) bool {
			models, _ := r["models"].([]any)
			for _, m := range models {
				row, _ := m.(map[string]any)
				if score, ok := row["predictionNumber"].(map[string]any); !ok || score["decision"] != "NOT_EVALUATED" {
					return false
				}
			}
			return len(models) > 0
		},
	} {
		t.Run(fault+" in a result and in a list", func(t *testing.T) {
			if got := get(t, http.MethodGet, result, "", "result:"+fault); !check(got) {
				t.Errorf("got %v", got)
			}
			got := get(t, http.MethodGet, list+"0?name=a.jpg", "", "any:"+fault)
			entries, _ := got["mediaList"].([]any)
			if len(entries) != 1 {
				t.Fatalf("got %v", got)
			}
			if entry, _ := entries[0].(map[string]any); !check(entry) {
				t.Errorf("got %v", entry)
			}
		})
	}
	t.Run("two shapes at once", func(t *testing.T) {
		got := get(t, http.MethodGet, result, "", "result:null-summary", "result:no-thumbnail")
		if got["resultsSummary"] != nil || got["thumbnail"] != "" {
			t.Errorf("got %v", got)
		}
	})
	t.Run("an error keeps its own shape", func(t *testing.T) {
		s := faultyService(t, "result:null-summary")
		if got := s.call(t, http.MethodGet, "/api/media/users/unknown", ""); got.status != http.StatusNotFound || decode[apiError](t, got.body).Code != "not-found" {
			t.Errorf("%d %s", got.status, got.body)
		}
	})
}
