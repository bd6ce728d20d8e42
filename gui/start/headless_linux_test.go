//go:build headless

package start

import (
	"crypto/x509"
	"encoding/pem"
	"os"
	"os/exec"
	"testing"
)

// TestWithoutCertificatesOfTheSystemThoseOfMozillaCount runs itself again with the system's own taken away, as in a root without any: they are read
// at the start.
func TestWithoutCertificatesOfTheSystemThoseOfMozillaCount(t *testing.T) {
	const again = "ASSAY_TEST_AGAIN"
	content, err := os.ReadFile("/etc/ssl/certs/ISRG_Root_X1.pem")
	if err != nil {
		t.Fatal("ca-certificates, of .ci/install build, has one to look for: ", err)
	}
	block, _ := pem.Decode(content)
	root, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv(again) != "" {
		if _, err := root.Verify(x509.VerifyOptions{}); err != nil {
			t.Error(err)
		}
		if pool, err := x509.SystemCertPool(); err != nil || pool.Equal(x509.NewCertPool()) {
			t.Error("--ca-file would be all that is trusted:", err)
		}
		return
	}
	if _, err := root.Verify(x509.VerifyOptions{Roots: x509.NewCertPool()}); err == nil {
		t.Error("it counts without being known")
	}
	test := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$") //nolint:gosec // this program
	test.Env = []string{again + "=1", "SSL_CERT_FILE=" + os.DevNull, "SSL_CERT_DIR=" + t.TempDir()}
	if out, err := test.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
