// Package filestest is an S3-compatible store of one's own for tests, over real HTTP on loopback. It imports none of Assay but client/assert.
package filestest

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"assay/client/assert"
)

// Key opens each store, as ACCESS:SECRET.
const Key = access + ":" + secret

const (
	access = "desk-access"
	secret = "desk-secret-of-the-store" //nolint:gosec // of stores that tests start
	bucket = "desk"
	prefix = "assay/"
	region = "us-east-1"
)

// Store is a store with one bucket.
type Store struct {
	URL string // as files.Open takes it, with the bucket and a prefix

	t       testing.TB
	backend gofakes3.Backend

	mu       sync.Mutex
	fault    func(http.ResponseWriter, *http.Request) bool
	requests []string
}

// Start starts one, and stops it at the test's end.
func Start(t testing.TB) *Store {
	t.Helper()
	return StartWith(t, httptest.NewServer)
}

// StartWith is Start for another server, such as one with TLS.
func StartWith(t testing.TB, serve func(http.Handler) *httptest.Server) *Store {
	t.Helper()
	s := &Store{t: t, backend: s3mem.New()}
	assert.NoError(t, s.backend.CreateBucket(bucket))
	fake := gofakes3.New(s.backend).Server()
	server := serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		fault := s.fault
		s.requests = append(s.requests, r.Method+" "+r.URL.String())
		s.mu.Unlock()
		switch {
		case fault != nil && fault(w, r):
		case !signed(r):
			Refuse(w, http.StatusForbidden, "SignatureDoesNotMatch")
		default:
			fake.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(server.Close)
	s.URL = server.URL + "/" + bucket + "/" + strings.TrimSuffix(prefix, "/")
	return s
}

// Refuse answers as stores do.
func Refuse(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, "<Error><Code>%s</Code><Message>refused</Message></Error>", code)
}

// Fault has requests answered by a function where that returns true; nil: none.
func (s *Store) Fault(answer func(http.ResponseWriter, *http.Request) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault = answer
}

// Requests are those that were made since it was last asked.
func (s *Store) Requests() (all []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all, s.requests = s.requests, nil
	return all
}

// Names are those of the files in it.
func (s *Store) Names() (all []string) {
	s.t.Helper()
	listed, err := s.backend.ListBucket(bucket, nil, gofakes3.ListBucketPage{})
	assert.NoError(s.t, err)
	for _, one := range listed.Contents {
		all = append(all, strings.TrimPrefix(one.Key, prefix))
	}
	return all
}

// Read is what is stored under a name.
func (s *Store) Read(name string) []byte {
	s.t.Helper()
	object, err := s.backend.GetObject(bucket, prefix+name, nil)
	assert.NoError(s.t, err)
	content := make([]byte, object.Size)
	_, err = io.ReadFull(object.Contents, content)
	assert.NoError(s.t, err)
	assert.NoError(s.t, object.Contents.Close())
	return content
}

// Write stores something else under a name, as whoever has the store can.
func (s *Store) Write(name string, content []byte) {
	s.t.Helper()
	_, err := s.backend.PutObject(bucket, prefix+name, map[string]string{"Last-Modified": "Thu, 26 Nov 2026 10:00:00 GMT"}, strings.NewReader(string(content)), int64(len(content)), nil)
	assert.NoError(s.t, err)
}

// Remove removes what is stored under a name.
func (s *Store) Remove(name string) {
	s.t.Helper()
	_, err := s.backend.DeleteObject(bucket, prefix+name)
	assert.NoError(s.t, err)
}

// signed reports whether a request is signed with the store's key, by version 4 of the signature of AWS.
func signed(r *http.Request) bool {
	given, found := strings.CutPrefix(r.Header.Get("Authorization"), "AWS4-HMAC-SHA256 ")
	if !found {
		return false
	}
	parts := map[string]string{}
	for field := range strings.SplitSeq(given, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(field), "=")
		parts[name] = value
	}
	day, _, _ := strings.Cut(r.Header.Get("X-Amz-Date"), "T")
	scope := day + "/" + region + "/s3/aws4_request"
	if parts["Credential"] != access+"/"+scope {
		return false
	}
	var headers strings.Builder
	for name := range strings.SplitSeq(parts["SignedHeaders"], ";") {
		value := r.Header.Get(name)
		switch name {
		case "host":
			value = r.Host
		case "content-length":
			value = fmt.Sprint(r.ContentLength)
		}
		headers.WriteString(name + ":" + strings.TrimSpace(value) + "\n")
	}
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return false
	}
	request := strings.Join([]string{r.Method, r.URL.EscapedPath(), strings.ReplaceAll(query.Encode(), "+", "%20"), headers.String(), parts["SignedHeaders"],
		r.Header.Get("X-Amz-Content-Sha256")}, "\n")
	hash := sha256.Sum256([]byte(request))
	text := "AWS4-HMAC-SHA256\n" + r.Header.Get("X-Amz-Date") + "\n" + scope + "\n" + hex.EncodeToString(hash[:])
	key := []byte("AWS4" + secret)
	for _, each := range []string{day, region, "s3", "aws4_request", text} {
		sum := hmac.New(sha256.New, key)
		sum.Write([]byte(each))
		key = sum.Sum(nil)
	}
	return hex.EncodeToString(key) == parts["Signature"]
}
