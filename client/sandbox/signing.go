package sandbox

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"assay/client"
)

// storagePrefix is where the sandbox's object storage begins: {institutionId}/{requestId}{extension} follows.
const storagePrefix = "/storage/"

// The query of a pre-signed link: when it was made in Unix seconds, how many seconds it lives, and the proof.
const (
	dateParameter      = "X-Sandbox-Date"
	expiresParameter   = "X-Sandbox-Expires"
	signatureParameter = "X-Sandbox-Signature"
)

// Why a link may not be used, in object storage's words.
const (
	errExpired  = sentence("Request has expired")
	errTampered = sentence("The signature does not match this link.")
)

// signer makes and checks pre-signed links. A link serves one method on one path.
type signer struct {
	secret []byte
	now    func() time.Time
}

// expiredKey marks a request whose answer is to hold links that have expired.
type expiredKey struct{}

// link is the absolute URL of a path in storage, at the address that the client of r called.
func (g signer) link(r *http.Request, method, path string) string {
	made := g.now()
	if expired, _ := r.Context().Value(expiredKey{}).(bool); expired {
		made = made.Add(-client.SignedURLLife)
	}
	date := strconv.FormatInt(made.Unix(), 10)
	expires := strconv.FormatInt(int64(client.SignedURLLife/time.Second), 10)
	return origin(r) + (&url.URL{Path: path, RawQuery: url.Values{
		dateParameter:      {date},
		expiresParameter:   {expires},
		signatureParameter: {g.signature(method, path, date, expires)},
	}.Encode()}).String()
}

// check returns errTampered or errExpired where the link may not be used.
func (g signer) check(method string, u *url.URL) error {
	query := u.Query()
	date, expires := query.Get(dateParameter), query.Get(expiresParameter)
	proof := g.signature(method, u.Path, date, expires)
	if !hmac.Equal([]byte(proof), []byte(query.Get(signatureParameter))) {
		return errTampered
	}
	made, err := strconv.ParseInt(date, 10, 64)
	if err != nil {
		return errTampered
	}
	lives, err := strconv.ParseInt(expires, 10, 64)
	if err != nil {
		return errTampered
	}
	if !g.now().Before(time.Unix(made, 0).Add(time.Duration(lives) * time.Second)) {
		return errExpired
	}
	return nil
}

func (g signer) signature(method, path, date, expires string) string {
	mac := hmac.New(sha256.New, g.secret)
	_, _ = fmt.Fprintf(mac, "%s\n%s\n%s\n%s", method, path, date, expires) // a hash takes everything
	return hex.EncodeToString(mac.Sum(nil))
}
