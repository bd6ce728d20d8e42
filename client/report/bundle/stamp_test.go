package bundle_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/client"
	"assay/client/assert"
	"assay/client/report/bundle"
	"assay/client/report/reporttest"
)

// opensslAuthority is a time stamp authority, by openssl, with a root of its own.
type opensslAuthority struct {
	*httptest.Server
	folder  string
	queries [][]byte
	change  func(reply []byte) []byte // what it answers instead; nil: the reply
}

const authorityConfig = `
[req]
distinguished_name = name
prompt = no
[name]
CN = a root for tests
[root]
basicConstraints = critical,CA:true
keyUsage = critical,keyCertSign
[stamper]
keyUsage = critical,digitalSignature
extendedKeyUsage = critical,timeStamping
[tsa]
default_tsa = stamps
[stamps]
serial = serial
signer_cert = stamper.pem
signer_key = stamper.key
signer_digest = sha256
default_policy = 1.2.3.4
digests = sha256
ess_cert_id_alg = sha256
`

func startAuthority(t *testing.T, withRoot bool) *opensslAuthority {
	t.Helper()
	a := &opensslAuthority{folder: t.TempDir()}
	config := authorityConfig
	if withRoot {
		config += "certs = root.pem\n"
	}
	for name, text := range map[string]string{"tsa.cnf": config, "serial": "01\n"} {
		assert.NoError(t, os.WriteFile(filepath.Join(a.folder, name), []byte(text), 0o600))
	}
	for _, args := range []string{
		"req -new -x509 -config tsa.cnf -extensions root -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -keyout root.key -out root.pem",
		"req -new -config tsa.cnf -subj /CN=stamper -newkey rsa:2048 -nodes -keyout stamper.key -out stamper.csr",
		"x509 -req -in stamper.csr -CA root.pem -CAkey root.key -CAcreateserial -days 30 -extfile tsa.cnf -extensions stamper -out stamper.pem",
	} {
		a.openssl(t, strings.Fields(args)...)
	}
	a.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		query, err := io.ReadAll(r.Body)
		if err != nil || r.Header.Get("Content-Type") != "application/timestamp-query" || r.Header.Get("X-Api-Key") != "" {
			http.Error(w, "no query", http.StatusBadRequest)
			return
		}
		a.queries = append(a.queries, query)
		assert.NoError(t, os.WriteFile(filepath.Join(a.folder, "query.tsq"), query, 0o600))
		a.openssl(t, "ts", "-reply", "-config", "tsa.cnf", "-queryfile", "query.tsq", "-out", "reply.tsr")
		reply, err := os.ReadFile(filepath.Join(a.folder, "reply.tsr"))
		assert.NoError(t, err)
		if a.change != nil {
			reply = a.change(reply)
		}
		w.Header().Set("Content-Type", "application/timestamp-reply")
		_, _ = w.Write(reply) // the client may have gone
	}))
	t.Cleanup(a.Close)
	return a
}

func (a *opensslAuthority) openssl(t *testing.T, args ...string) {
	t.Helper()
	if printed, ok := reporttest.Tool(t, a.folder, "openssl", args...); !ok {
		t.Errorf("openssl %q: %s", args, printed)
	}
}

// ask asks over real HTTP.
func ask(ctx context.Context, url string, query []byte) ([]byte, error) {
	return client.AskForStamp(ctx, client.Network{}, url, query)
}

func TestTimeStamps(t *testing.T) {
	reporttest.Need(t, "openssl", "sh")
	for name, withRoot := range map[string]bool{"with the root in the reply": true, "with the stamper's certificate alone": false} {
		t.Run(name, func(t *testing.T) {
			f, a, second := setup(t), startAuthority(t, withRoot), startAuthority(t, withRoot)
			f.add("one", "one.png", picture(1), nil)
			f.o.Ask, f.o.Authorities = ask, []string{a.URL, second.URL + "/tsr"}
			root, written := f.write("stamped")
			if len(written.Stamps) != 2 || len(written.StampProblems) > 0 || written.Stamps[0].Authority.String() != "stamper" || written.Stamps[0].Trusted {
				t.Fatalf("%+v", written)
			}
			text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(bundle.StampTimesFile)))
			assert.NoError(t, err)
			checked := 0
			for line := range strings.Lines(string(text)) {
				if strings.HasPrefix(line, "openssl") {
					checked++
					if printed, ok := shell(t, root, line); !ok || !strings.Contains(printed, "Verification: OK") {
						t.Errorf("%s: %s", line, printed)
					}
				}
			}
			if checked != 2 || !strings.Contains(string(text), " -attime ") {
				t.Errorf("%d commands in %q", checked, text)
			}
			if len(a.queries) != 1 || len(a.queries[0]) > 100 {
				t.Errorf("it got %q", a.queries)
			}
		})
	}
}

func TestATimeStampThatFailsLosesNothing(t *testing.T) {
	reporttest.Need(t, "openssl", "sh")
	f, a, good := setup(t), startAuthority(t, true), startAuthority(t, true)
	f.add("one", "one.png", picture(1), nil)
	f.o.Ask = ask
	earlier := []byte(nil)
	gone := httptest.NewServer(nil)
	gone.Close()
	for name, change := range map[string]func([]byte) []byte{
		"no reply at all":               nil,
		"an empty one":                  func([]byte) []byte { return nil },
		"a page":                        func([]byte) []byte { return []byte("<html>log in</html>") },
		"a truncated one":               func(reply []byte) []byte { return reply[:len(reply)-40] },
		"one with a changed byte":       func(reply []byte) []byte { reply[len(reply)-1] ^= 1; return reply },
		"the one to an earlier query":   func([]byte) []byte { return earlier },
		"one that is larger than large": func([]byte) []byte { return make([]byte, 2<<20) },
	} {
		t.Run(name, func(t *testing.T) {
			a.change = func(reply []byte) []byte { earlier = reply; return reply }
			f.o.Replace, f.o.Authorities = true, []string{a.URL}
			f.write("stamped")
			a.change = change
			f.o.Authorities = []string{a.URL, good.URL}
			if change == nil {
				f.o.Authorities[0] = gone.URL
			}
			root, written := f.write("stamped")
			if len(written.Stamps) != 1 || len(written.StampProblems) != 1 || !strings.HasPrefix(written.StampProblems[0], "There is no time stamp from 127.0.0.1. ") ||
				strings.Contains(written.StampProblems[0], "asn1") {
				t.Errorf("%+v", written)
			}
			wantFiles(t, contents(t, root), bundle.SealFolder, "allowed_signers", "stamps.txt", "tagmanifest-sha256.txt.sig", "tagmanifest-sha256.txt.tsr", "tsa-chain.pem")
		})
	}
	t.Run("an end while it is waited for leaves what was there", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		a.change = func(reply []byte) []byte { cancel(); return reply }
		f.o.Authorities = []string{a.URL}
		before := contents(t, f.folder)
		f.o.Ask = func(ctx context.Context, url string, query []byte) ([]byte, error) {
			reply, err := ask(ctx, url, query)
			if err == nil {
				err = ctx.Err()
			}
			return reply, err
		}
		_, err := bundle.Write(ctx, filepath.Join(f.folder, "stamped"), f.source(), f.o)
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
		assert.Equal(t, before, contents(t, f.folder))
	})
}
