package intake_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"assay/client"
	"assay/client/i18n"
	"assay/client/submission"
)

func TestAFileIsSentOnceAndAnswered(t *testing.T) {
	q := newQueue(t, &service{})
	got := q.until(q.accept([]string{pictureFile(t, "Photo.PNG", 1)}, submission.Dropped)[0], submission.Done)
	if got.Result.OverallStatus != client.Authentic || got.RequestID != "id-1" || got.SHA256 == "" || got.Type != client.Image {
		t.Errorf("got %+v", got)
	}
	if len(q.service.asked) != 1 || len(q.service.puts) != 1 {
		t.Errorf("asked %d times, sent %d times", len(q.service.asked), len(q.service.puts))
	}
	if got.Source != submission.Dropped || got.Answered.IsZero() {
		t.Errorf("source %q, answered %v", got.Source, got.Answered)
	}
}

func TestWhatCannotBeSentIsRefusedBeforeAnyRequest(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, size int64) string {
		path := filepath.Join(dir, name)
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Truncate(size); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct{ name, path, says string }{
		{"U7 a type that is not supported, with the list of what is", write("scan.tiff", 10), "alac"},
		{"U8 a picture one byte over its cap, with cap and size", write("big.jpg", 50<<20+1), "50 MB"},
		{"U12 an empty file", write("empty.png", 0), "empty"},
		{"a file that is not there", filepath.Join(dir, "gone.png"), "not there"},
	} {
		t.Run(c.name, func(t *testing.T) {
			q := newQueue(t, &service{})
			got := q.until(q.accept([]string{c.path}, submission.Dropped)[0], submission.Refused)
			if !strings.Contains(got.Problem.String(), c.says) {
				t.Errorf("it says %q, nothing of %q", got.Problem, c.says)
			}
			if len(q.service.asked)+len(q.service.puts)+q.service.looked != 0 {
				t.Error("a request was made")
			}
		})
	}
	t.Run("U8 a picture of exactly its cap goes", func(t *testing.T) {
		q := newQueue(t, &service{})
		q.until(q.accept([]string{write("cap.jpg", 50<<20)}, submission.Dropped)[0], submission.Done)
	})
	t.Run("the others go on", func(t *testing.T) {
		q := newQueue(t, &service{})
		ids := q.accept([]string{filepath.Join(dir, "scan.tiff"), pictureFile(t, "a.png", 1), filepath.Join(dir, "empty.png")}, submission.Dropped)
		q.until(ids[0], submission.Refused)
		q.until(ids[1], submission.Done)
		q.until(ids[2], submission.Refused)
	})
}

func TestFaultsThatPassAreTriedAgainAtTheSameAddress(t *testing.T) {
	q := newQueue(t, &service{
		uploads: nil,
		put:     []func(*os.File) error{func(*os.File) error { return busy() }, func(*os.File) error { return nil }},
		results: []func() (*client.Result, error){
			func() (*client.Result, error) {
				return nil, &client.Error{Op: "t", Kind: client.KindRefused, Status: 404, Message: i18n.Verbatim("No.")}
			},
			func() (*client.Result, error) { return nil, busy() },
			func() (*client.Result, error) { return &client.Result{OverallStatus: client.Analyzing}, nil },
			func() (*client.Result, error) { return &client.Result{OverallStatus: client.Fake}, nil },
		},
	})
	got := q.until(q.accept([]string{pictureFile(t, "a.png", 1)}, submission.Dropped)[0], submission.Done, submission.Failed)
	if got.State != submission.Done || got.Result.OverallStatus != client.Fake {
		t.Fatalf("state %q, problem %q", got.State, got.Problem)
	}
	if len(q.service.asked) != 1 {
		t.Errorf("%d addresses were asked for: the first one still lived", len(q.service.asked))
	}
	if len(q.service.puts) != 2 || q.service.puts[0] != q.service.puts[1] {
		t.Errorf("sent to %v", q.service.puts)
	}
}

func TestADeniedAddressIsReplacedOnce(t *testing.T) {
	denied := func(*os.File) error {
		return &client.Error{Op: "t", Kind: client.KindExpired, Status: 403, Message: i18n.Verbatim("Denied.")}
	}
	t.Run("U13 and the person does not notice", func(t *testing.T) {
		q := newQueue(t, &service{put: []func(*os.File) error{denied, func(*os.File) error { return nil }}})
		got := q.until(q.accept([]string{pictureFile(t, "a.png", 1)}, submission.Dropped)[0], submission.Done, submission.Failed)
		if got.State != submission.Done || got.RequestID != "id-2" || len(q.service.asked) != 2 {
			t.Errorf("state %q, request %q, %d addresses", got.State, got.RequestID, len(q.service.asked))
		}
	})
	t.Run("a second denial is said", func(t *testing.T) {
		q := newQueue(t, &service{put: []func(*os.File) error{denied}})
		got := q.until(q.accept([]string{pictureFile(t, "a.png", 1)}, submission.Dropped)[0], submission.Failed)
		if len(q.service.puts) != 2 || !strings.Contains(got.Problem.String(), "Denied.") {
			t.Errorf("%d attempts, problem %q", len(q.service.puts), got.Problem)
		}
	})
}

func TestRefusalsOfTheServiceAreNotTriedAgain(t *testing.T) {
	q := newQueue(t, &service{uploads: []func() (client.Upload, error){func() (client.Upload, error) {
		return client.Upload{}, &client.Error{Op: "t", Kind: client.KindRefused, Status: 400, Message: i18n.Verbatim("Not this name.")}
	}}})
	got := q.until(q.accept([]string{pictureFile(t, "a.png", 1)}, submission.Dropped)[0], submission.Failed)
	if len(q.service.asked) != 1 || got.Problem.String() != "Not this name." {
		t.Errorf("asked %d times, problem %q", len(q.service.asked), got.Problem)
	}
}

func TestRetryGoesOnWhereItStood(t *testing.T) {
	refused := &client.Error{Op: "t", Kind: client.KindRefused, Status: 400, Message: i18n.Verbatim("No.")}
	s := &service{results: []func() (*client.Result, error){
		func() (*client.Result, error) { return nil, refused },
		func() (*client.Result, error) { return &client.Result{OverallStatus: client.Fake}, nil },
	}}
	q := newQueue(t, s)
	id := q.accept([]string{pictureFile(t, "a.png", 1)}, submission.Dropped)[0]
	q.until(id, submission.Failed)
	q.Retry(id)
	q.until(id, submission.Done)
	if len(s.asked) != 1 || len(s.puts) != 1 {
		t.Errorf("the file was sent %d times", len(s.puts))
	}
}

func TestAnUploadWithoutIdentifierIsLookedFor(t *testing.T) {
	s := &service{
		uploads: []func() (client.Upload, error){func() (client.Upload, error) {
			return client.Upload{SignedURL: "https://storage.example/x", Issued: start}, nil
		}},
		find: func(name string) (string, error) { return "found-" + name, nil },
	}
	q := newQueue(t, s)
	got := q.until(q.accept([]string{pictureFile(t, "a b.png", 1)}, submission.Dropped)[0], submission.Done)
	if got.RequestID != "found-"+s.asked[0] || s.asked[0] != got.SendName || !regexp.MustCompile(`^a_b-[0-9a-f]{8}\.png$`).MatchString(got.SendName) {
		t.Errorf("request %q, sent as %q", got.RequestID, s.asked[0])
	}
}

func TestTheSameBytesAreNotSentTwice(t *testing.T) {
	s := &service{}
	q := newQueue(t, s)
	first := pictureFile(t, "a.png", 1)
	renamed := filepath.Join(t.TempDir(), "b.png")
	data, err := os.ReadFile(first)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(renamed, data, 0o600); err != nil {
		t.Fatal(err)
	}
	ids := q.accept([]string{first, renamed}, submission.Dropped)
	q.until(ids[0], submission.Done)
	q.until(ids[1], submission.Done)
	again := q.until(q.accept([]string{first}, submission.Dropped)[0], submission.Done)
	if len(s.puts) != 1 {
		t.Errorf("sent %d times", len(s.puts))
	}
	if again.Earlier == "" || again.Result == nil || again.RequestID != "id-1" {
		t.Errorf("the later one shows %+v", again)
	}
}

func TestAFileThatChangesWhileItIsSentIsNotAcceptedAsSent(t *testing.T) {
	path := pictureFile(t, "a.png", 1)
	s := &service{put: []func(*os.File) error{func(*os.File) error {
		f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		if _, err := f.WriteString("more"); err != nil {
			return err
		}
		return f.Close()
	}}}
	q := newQueue(t, s)
	got := q.until(q.accept([]string{path}, submission.Dropped)[0], submission.Failed, submission.Done)
	if got.State != submission.Failed || !strings.Contains(got.Problem.String(), "changed") || s.looked != 0 {
		t.Errorf("state %q, problem %q, %d results fetched", got.State, got.Problem, s.looked)
	}
}

func TestCancelTakesEffectAtOnceAndRetryStartsAgain(t *testing.T) {
	reached, release := make(chan struct{}), make(chan struct{})
	s := &service{put: []func(*os.File) error{
		func(*os.File) error { close(reached); <-release; return context.Canceled },
		func(*os.File) error { return nil },
	}}
	q := newQueue(t, s)
	id := q.accept([]string{pictureFile(t, "a.png", 1)}, submission.Dropped)[0]
	<-reached
	q.Cancel(id)
	if got, _ := q.Get(id); got.State != submission.Cancelled {
		t.Fatalf("state %q", got.State)
	}
	close(release)
	for { // the run may still be on its way out
		q.Retry(id)
		if got, _ := q.Get(id); got.State != submission.Cancelled {
			break
		}
	}
	q.until(id, submission.Done)
}

func TestRemoveForgetsWhatHasEnded(t *testing.T) {
	q := newQueue(t, &service{})
	id := q.accept([]string{pictureFile(t, "a.png", 1)}, submission.Dropped)[0]
	q.until(id, submission.Done)
	for ok := true; ok; _, ok = q.Get(id) { // it ends a moment after it is done
		q.Remove(id)
	}
	if all := q.All(); len(all) != 0 {
		t.Errorf("%d are left", len(all))
	}
}
