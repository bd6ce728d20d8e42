package intake_test

import (
	"context"
	"os"
	"time"

	"assay/client"
	"assay/client/intake"
	"assay/client/submission"
)

// around is called in place of each call of the service and each write of the store, under its name: it makes it by do, or does not.
type around func(name string, do func() error) error

// aroundService and aroundStore are called by way of around.
type (
	aroundService struct {
		intake.Service
		around around
	}
	aroundStore struct {
		intake.Store
		around around
	}
)

func call[T any](a around, name string, do func() (T, error)) (result T, err error) {
	if err = a(name, func() (err error) {
		result, err = do()
		return err
	}); err != nil {
		var nothing T
		return nothing, err
	}
	return result, nil
}

func (s aroundService) RequestUpload(ctx context.Context, name string) (client.Upload, error) {
	return call(s.around, "address", func() (client.Upload, error) { return s.Service.RequestUpload(ctx, name) })
}

func (s aroundService) Put(ctx context.Context, url string, file *os.File, size int64, progress func(int64)) error {
	return s.around("put", func() error { return s.Service.Put(ctx, url, file, size, progress) })
}

func (s aroundService) Result(ctx context.Context, id string) (*client.Result, error) {
	return call(s.around, "look", func() (*client.Result, error) { return s.Service.Result(ctx, id) })
}

func (s aroundService) FindUpload(ctx context.Context, name string, since time.Time) (string, error) {
	return call(s.around, "find", func() (string, error) { return s.Service.FindUpload(ctx, name, since) })
}

func (s aroundService) SubmitLink(ctx context.Context, link string) (client.LinkSubmission, error) {
	return call(s.around, "link", func() (client.LinkSubmission, error) { return s.Service.SubmitLink(ctx, link) })
}

func (s aroundService) List(ctx context.Context, q client.ListQuery) ([]*client.Result, error) {
	return call(s.around, "list", func() ([]*client.Result, error) { return s.Service.List(ctx, q) })
}

func (s aroundStore) Add(ctx context.Context, subs []submission.Submission) ([]submission.Submission, error) {
	if len(subs) == 0 {
		return nil, nil // a question of the tests
	}
	return call(s.around, "accepting", func() ([]submission.Submission, error) { return s.Store.Add(ctx, subs) })
}

func (s aroundStore) Save(ctx context.Context, sub submission.Submission, event string) error {
	return s.around("writing "+string(sub.Step), func() error { return s.Store.Save(ctx, sub, event) })
}

func (s aroundStore) Answer(ctx context.Context, sub submission.Submission, event string) error {
	return s.around("writing "+string(sub.Step), func() error { return s.Store.Answer(ctx, sub, event) })
}

func (s aroundStore) SetFact(ctx context.Context, name, value string) error {
	return s.around("writing "+name, func() error { return s.Store.SetFact(ctx, name, value) })
}
