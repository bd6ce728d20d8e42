package files

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"path"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/minio/minio-go/v7/pkg/s3utils"
)

const (
	// usualRegion is what stores that have no regions expect in a signature. An address may name another with ?region=.
	usualRegion = "us-east-1"
	// part is how many bytes of a large file are sent at a time, and in memory.
	part = 8 << 20
	// once is how often a request is made: who asks tries again later.
	once = 1
)

// IsStore reports whether an address is that of an S3-compatible store, and not of a folder.
func IsStore(address string) bool {
	return strings.HasPrefix(address, "https://") || strings.HasPrefix(address, "http://")
}

// location is where in a store files are kept.
type location struct {
	host           string
	secure         bool
	bucket, prefix string
	region         string
}

// locate reads the address of a store, such as https://files.example.org/bucket/prefix. ok is false where it is none, or where others could read what is sent.
func locate(address string) (l location, ok bool) {
	u, err := url.Parse(address)
	if err != nil || u.User != nil || u.Fragment != "" || u.Hostname() == "" {
		return l, false
	}
	if l.secure = u.Scheme == "https"; !l.secure && (u.Scheme != "http" || !loopback(u.Hostname())) {
		return l, false
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return l, false
	}
	for name := range query {
		if name != "region" {
			return l, false
		}
	}
	if l.region = query.Get("region"); l.region == "" {
		l.region = usualRegion
	}
	l.host = u.Host
	l.bucket, l.prefix, _ = strings.Cut(strings.Trim(u.Path, "/"), "/")
	return l, s3utils.CheckValidBucketName(l.bucket) == nil && (l.prefix == "" || fs.ValidPath(l.prefix))
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// store keeps files in a bucket of an S3-compatible store. The bucket is IT's: it is never made.
type store struct {
	location
	client *minio.Client
}

// openStore makes no request.
func openStore(address string, o Options) (Place, error) {
	at, ok := locate(address)
	if !ok {
		return nil, ErrAddress
	}
	key, secret, _ := strings.Cut(o.Key, ":")
	if key == "" || secret == "" {
		return nil, &Problem{Cause: NoKey, Err: errors.New("no key for the store")}
	}
	client, err := minio.New(at.host, &minio.Options{
		Creds: credentials.NewStaticV4(key, secret, ""), Secure: at.secure, Transport: o.Transport, Region: at.region,
		BucketLookup: minio.BucketLookupPath, MaxRetries: once,
	})
	if err != nil {
		return nil, &Problem{Err: err}
	}
	return store{at, client}, nil
}

func (s store) Put(ctx context.Context, name string, size int64, content io.Reader) error {
	if !isName(name) {
		return fs.ErrNotExist
	}
	switch there, err := s.client.StatObject(ctx, s.bucket, s.key(name), minio.StatObjectOptions{}); {
	case err == nil && there.Size == size:
		return nil
	case err != nil && !missing(err):
		return s.problem(ctx, err)
	}
	read := &remembering{from: content}
	body := io.Reader(read)
	if size == 0 {
		body = strings.NewReader("") // of which it is known that it is empty
	}
	// A large file is sent in parts, one after the other. Only when all are there does the store have it. TLS sees to it that they arrive as they are, and who
	// fetches the file checks its hash: they are not hashed for the store besides.
	_, err := s.client.PutObject(ctx, s.bucket, s.key(name), body, size,
		minio.PutObjectOptions{ContentType: "application/octet-stream", PartSize: part, NumThreads: 1, DisableContentSha256: true})
	if err == nil || read.failed != nil {
		return read.failed
	}
	return s.problem(ctx, err)
}

func (s store) Get(ctx context.Context, name string) (io.ReadCloser, error) {
	if !isName(name) { // a colleague's word
		return nil, fs.ErrNotExist
	}
	content, _, _, err := minio.Core{Client: s.client}.GetObject(ctx, s.bucket, s.key(name), minio.GetObjectOptions{})
	switch {
	case missing(err):
		return nil, fs.ErrNotExist
	case err != nil:
		return nil, s.problem(ctx, err)
	}
	return content, nil
}

func (s store) Check(ctx context.Context) error {
	// What it asks for is a name that no file has, so that it needs no right but those that are used later.
	content, err := s.Get(ctx, strings.Repeat("0", 64))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = content.Close()
	}
	return err
}

func (s store) key(name string) string { return path.Join(s.prefix, name) }

// missing reports whether a store says that it has no such file.
func missing(err error) bool {
	return minio.ToErrorResponse(err).Code == minio.NoSuchKey
}

// problem is a store's answer, or why there is none.
func (s store) problem(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	p := &Problem{Err: err}
	switch answer := minio.ToErrorResponse(err); {
	case answer.StatusCode == http.StatusInsufficientStorage || strings.Contains(answer.Code, "StorageFull") || strings.Contains(answer.Code, "QuotaExceeded"):
		p.Cause = Full
	case answer.Code == minio.NoSuchBucket:
		p.Cause = NoBucket
	case answer.StatusCode == http.StatusForbidden || answer.StatusCode == http.StatusUnauthorized:
		p.Cause = WrongKey
	}
	return p
}
