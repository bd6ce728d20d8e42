package intake_test

import (
	"context"
	"errors"
	"os"
	"time"

	"assay/client"
	"assay/client/store"
	"assay/client/submission"
)

// instant is before or after something is written down or the service is called.
type instant string

// only is a step without a result.
func only(do func() error) func() (struct{}, error) {
	return func() (struct{}, error) { return struct{}{}, do() }
}

// observed does something between two moments, and notes what is said of a failure.
func observed[T any](s *scene, name string, do func() (T, error)) (result T, err error) {
	if err = s.passes(instant("before " + name)); err == nil {
		if result, err = do(); err == nil {
			err = s.passes(instant("after " + name))
		}
	}
	if err != nil {
		s.hear(err.Error())
		var e *client.Error
		if errors.As(err, &e) {
			s.hear(e.Sentence(), e.Code.String())
		}
	}
	return result, err
}

// overheard is the client.
type overheard struct {
	*client.Client
	scene *scene
}

func (o overheard) RequestUpload(ctx context.Context, name string) (client.Upload, error) {
	return observed(o.scene, "address", func() (client.Upload, error) { return o.Client.RequestUpload(ctx, name) })
}

func (o overheard) Put(ctx context.Context, address string, file *os.File, size int64, progress func(int64)) error {
	_, err := observed(o.scene, "put", only(func() error { return o.Client.Put(ctx, address, file, size, progress) }))
	return err
}

func (o overheard) Result(ctx context.Context, id string) (*client.Result, error) {
	return observed(o.scene, "look", func() (*client.Result, error) { return o.Client.Result(ctx, id) })
}

func (o overheard) FindUpload(ctx context.Context, name string, since time.Time) (string, error) {
	return observed(o.scene, "find", func() (string, error) { return o.Client.FindUpload(ctx, name, since) })
}

func (o overheard) SubmitLink(ctx context.Context, link string) (client.LinkSubmission, error) {
	return observed(o.scene, "link", func() (client.LinkSubmission, error) { return o.Client.SubmitLink(ctx, link) })
}

func (o overheard) List(ctx context.Context, q client.ListQuery) ([]*client.Result, error) {
	return observed(o.scene, "list", func() ([]*client.Result, error) { return o.Client.List(ctx, q) })
}

// watchedStore is the store.
type watchedStore struct {
	*store.Store
	scene *scene
}

func (w watchedStore) Add(ctx context.Context, subs []submission.Submission) ([]submission.Submission, error) {
	if len(subs) == 0 {
		return nil, nil // a question of the scene
	}
	return observed(w.scene, "accepting", func() ([]submission.Submission, error) { return w.Store.Add(ctx, subs) })
}

func (w watchedStore) Save(ctx context.Context, sub submission.Submission, deed string) error {
	_, err := observed(w.scene, "writing "+string(sub.Step), only(func() error { return w.Store.Save(ctx, sub, deed) }))
	return err
}

func (w watchedStore) Answer(ctx context.Context, sub submission.Submission, deed string) error {
	_, err := observed(w.scene, "writing "+string(sub.Step), only(func() error { return w.Store.Answer(ctx, sub, deed) }))
	return err
}

func (w watchedStore) SetFact(ctx context.Context, name, value string) error {
	_, err := observed(w.scene, "writing "+name, only(func() error { return w.Store.SetFact(ctx, name, value) }))
	return err
}
