package main

import (
	"encoding/json"
	"testing"

	"assay/client/assert"
	"assay/client/release"
	"assay/client/updates"
)

func TestLatest(t *testing.T) {
	const address = "https://assay.example/latest.json"
	var latest updates.Latest
	assert.NoError(t, json.Unmarshal([]byte(makes(t, "latest", address, "https://assay.example/0.1.0")), &latest))
	assert.Equal(t, updates.Latest{Version: release.Version(), Page: "https://assay.example/0.1.0"}, latest)
	t.Run("what no Assay would believe is refused", func(t *testing.T) {
		for _, args := range [][]string{{address, "https://other.example/0.1.0"}, {"http://assay.example/latest.json", "https://assay.example/"}, {address, "http://assay.example/"}, {address}} {
			refuses(t, append([]string{"latest"}, args...)...)
		}
	})
}
