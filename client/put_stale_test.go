package client_test

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"testing"
)

func TestPutDoesNotTrustAConnectionThatStorageMayHaveClosed(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		_, _ = fmt.Fprint(conn, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") // promises to stay open
		_ = conn.Close()
	})
	c := connect(t, s.URL)
	path := filepath.Join(t.TempDir(), "a.bin")
	if err := os.WriteFile(path, make([]byte, 4096), 0o600); err != nil {
		t.Fatal(err)
	}
	for n := range 50 {
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Put(t.Context(), s.URL+"/x", file, 4096, nil); err != nil {
			t.Fatalf("upload %d: %v", n, err)
		}
	}
}
