package command

import (
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"assay/client/assert"
	"assay/client/updates"
)

func TestOnlyAWindowWithAnAddressLinkedInAsksForNewerVersions(t *testing.T) {
	var page string
	host := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Api-Key") != "" {
			t.Error("the key is sent")
		}
		_, _ = fmt.Fprintf(w, `{"version": "99.0.0", "page": %q}`, page) //nolint:forbidigo // the client may have gone
	}))
	t.Cleanup(host.Close)
	page = host.URL + "/99.0.0"
	certificate := filepath.Join(t.TempDir(), "ca.pem")
	assert.NoError(t, os.WriteFile(certificate, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: host.Certificate().Raw}), 0o600))
	open := func(t *testing.T, address string) *hostRun {
		d, service := setup(t), newHostService(t)
		d.kept[service.url] = someKey
		d.machine.Updates = address
		return d.openHost("--server", service.url, "--ca-file", certificate)
	}
	t.Run("with one, on the way into the network that holds for all", func(t *testing.T) {
		w := open(t, host.URL+"/latest.json")
		latest, newer, err := w.host.Updates.Ask(t.Context())
		assert.NoError(t, err)
		assert.True(t, newer, "99.0.0 is newer")
		assert.Equal(t, updates.Latest{Version: "99.0.0", Page: page}, latest)
		w.close()
	})
	for _, address := range []string{"", "http://updates.example/latest.json", "no address"} {
		t.Run(fmt.Sprintf("not with %q", address), func(t *testing.T) {
			w := open(t, address)
			if w.host.Updates != nil {
				t.Error("it would ask")
			}
			w.close()
		})
	}
	t.Run("what is built without one has none", func(t *testing.T) {
		assert.Equal(t, "", ThisComputer().Machine.Updates)
	})
}
