package sandbox

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"assay/client"
	"assay/client/sandbox/forensics"
	"assay/client/sandbox/forensics/picture"
)

func TestPacing(t *testing.T) {
	const latency = 3 * time.Second
	begin := func() (*pacing, *entry) {
		e := &entry{record: record{Object: "object"}, live: waitingModels(client.Image)}
		return &pacing{sandbox: &Sandbox{latency: latency}, entry: e, object: "object", last: time.Now()}, e
	}
	ended := func(e *entry) (n int) {
		for _, m := range e.snapshot().live {
			if m.Status != client.Analyzing {
				n++
			}
		}
		return n
	}
	t.Run("models end one after another, each after the latency", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			p, e := begin()
			began := time.Now()
			for i, name := range picture.Models() {
				p.ended(t.Context(), forensics.Model{Name: name, Status: forensics.Authentic})
				if passed, want := time.Since(began), time.Duration(i+1)*latency; passed != want || ended(e) != i+1 {
					t.Errorf("%s: %d ended after %v, want %d after %v", name, ended(e), passed, i+1, want)
				}
			}
		})
	})
	t.Run("the end of ctx ends the wait, and nothing is shown", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			p, e := begin()
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			began := time.Now()
			p.ended(ctx, forensics.Model{Name: picture.Models()[0], Status: forensics.Authentic})
			if time.Since(began) != time.Second || ended(e) != 0 {
				t.Errorf("%d ended after %v", ended(e), time.Since(began))
			}
		})
	})
}
