package client_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"assay/client"
)

func TestAskForStamp(t *testing.T) {
	var asked []*http.Request
	var queries []string
	authority := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		query, _ := io.ReadAll(r.Body) // as much as there is
		asked, queries = append(asked, r), append(queries, string(query))
		switch r.URL.Path {
		case "/":
			_, _ = w.Write([]byte("a stamp")) // the client may have gone
		case "/large":
			_, _ = w.Write(make([]byte, 2<<20))
		default:
			http.Error(w, "secret words", http.StatusServiceUnavailable)
		}
	}))
	t.Cleanup(authority.Close)
	gone := httptest.NewServer(nil)
	gone.Close()

	reply, err := client.AskForStamp(t.Context(), client.Network{}, authority.URL, []byte("a query"))
	if err != nil || string(reply) != "a stamp" || queries[0] != "a query" {
		t.Fatalf("%q, %v, after %q", reply, err, queries)
	}
	if r := asked[0]; r.Method != http.MethodPost || r.Header.Get("Content-Type") != "application/timestamp-query" || r.Header.Get("X-Api-Key") != "" || r.Header.Get("Authorization") != "" {
		t.Errorf("it sends %s with %v", r.Method, r.Header)
	}
	for address, kind := range map[string]client.Kind{
		authority.URL + "/busy": client.KindRefused, authority.URL + "/large": client.KindNetwork, gone.URL: client.KindNetwork, "tsa": client.KindSetup, "file:///etc/passwd": client.KindSetup,
	} {
		reply, err := client.AskForStamp(t.Context(), client.Network{}, address, nil)
		if len(reply) > 0 || !client.IsKind(err, kind) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", address, err)
		}
	}
	t.Run("by the proxy of the settings", func(t *testing.T) {
		through := false
		proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			through = r.URL.Host == "tsa.example"
			_, _ = w.Write([]byte("from afar")) // the client may have gone
		}))
		t.Cleanup(proxy.Close)
		address, err := url.Parse(proxy.URL)
		if err != nil {
			t.Fatal(err)
		}
		reply, err := client.AskForStamp(t.Context(), client.Network{Proxy: address.String()}, "http://tsa.example/tsr", nil)
		if err != nil || string(reply) != "from afar" || !through {
			t.Errorf("%q, %v", reply, err)
		}
	})
}
