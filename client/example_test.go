package client_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"time"

	"assay/client"
)

// exampleService answers the main way of one picture.
func exampleService() *httptest.Server {
	mux := http.NewServeMux()
	s := httptest.NewServer(mux)
	mux.HandleFunc("POST /api/files/cloud-presigned", answer(http.StatusOK,
		`{"requestId":"r-1","response":{"signedUrl":"`+s.URL+`/storage/r-1.jpg?signature=abc"}}`))
	mux.HandleFunc("PUT /storage/r-1.jpg", answer(http.StatusOK, ""))
	mux.HandleFunc("GET /api/media/users/r-1", answer(http.StatusOK, `{"requestId":"r-1","mediaType":"IMAGE","overallStatus":"FAKE",
		"models":[{"name":"some-ensemble","status":"FAKE","finalScore":97.5},{"name":"some-model","status":"FAKE"}],
		"heatmaps":{"some-model":"`+s.URL+`/storage/heat.png?signature=def"}}`))
	mux.HandleFunc("GET /storage/heat.png", answer(http.StatusOK, "a picture"))
	mux.HandleFunc("GET /api/v2/media/users", answer(http.StatusOK, `{"mediaList":[{"requestId":"r-1","originalFileName":"photo.jpg"}]}`))
	mux.HandleFunc("GET /api/v2/media/users/pages/{page}", func(w http.ResponseWriter, r *http.Request) {
		answer(http.StatusOK, `{"totalPages":2,"data":[{"requestId":"r-`+r.PathValue("page")+`","overallStatus":"FAKE"}]}`)(w, r)
	})
	mux.HandleFunc("POST /api/files/social", answer(http.StatusOK, `{"requestId":"r-2","response":"Queued."}`))
	mux.HandleFunc("POST /api/v2/user-feedback", answer(http.StatusCreated, `{"id":"f-1","requestId":"r-1","label":"REAL"}`))
	mux.HandleFunc("GET /api/media/users/unknown", answer(http.StatusNotFound, `{"message":"No such result."}`))
	return s
}

// photoFile is a file to upload, in a folder of its own that remove takes away.
func photoFile() (file *os.File, remove func()) {
	folder, err := os.MkdirTemp("", "assay-example")
	if err != nil {
		panic(err)
	}
	name := filepath.Join(folder, "photo.jpg")
	if err := os.WriteFile(name, []byte("the bytes of a photo"), 0o600); err != nil {
		panic(err)
	}
	file, err = os.Open(name)
	if err != nil {
		panic(err)
	}
	return file, func() { _ = os.RemoveAll(folder) }
}

// The way of a picture: an address, the bytes, the result, the heatmap.
func Example() {
	service := exampleService()
	defer service.Close()
	ctx := context.Background()
	c, err := client.New(client.Options{BaseURL: service.URL, Key: func() string { return "the key" }})
	if err != nil {
		_, _ = fmt.Fprintln(os.Stdout, err)
		return
	}
	defer c.Close()

	upload, err := c.RequestUpload(ctx, "photo.jpg")
	if err != nil {
		_, _ = fmt.Fprintln(os.Stdout, err)
		return
	}
	file, remove := photoFile()
	defer remove()
	if err := c.Put(ctx, upload.SignedURL, file, 20, nil); err != nil { // closes the file
		_, _ = fmt.Fprintln(os.Stdout, err)
		return
	}
	result, err := c.Result(ctx, upload.RequestID) // again and again, until it is Final
	if err != nil {
		_, _ = fmt.Fprintln(os.Stdout, err)
		return
	}
	_, _ = fmt.Fprintln(os.Stdout, result.Status(), result.Final())
	if ensemble, ok := result.Ensemble(); ok {
		_, _ = fmt.Fprintln(os.Stdout, ensemble.Name, ensemble.Final.Sent())
	}
	for _, heatmap := range result.UsableHeatmaps() {
		picture, err := c.Artifact(ctx, heatmap.URL, 64<<20)
		_, _ = fmt.Fprintln(os.Stdout, heatmap.Model, string(picture), err)
	}
	// Output:
	// FAKE true
	// some-ensemble 97.5
	// some-model a picture <nil>
}

func ExampleClient_List() {
	service := exampleService()
	defer service.Close()
	c, err := client.New(client.Options{BaseURL: service.URL})
	if err != nil {
		_, _ = fmt.Fprintln(os.Stdout, err)
		return
	}
	defer c.Close()
	results, err := c.List(context.Background(), client.ListQuery{Name: "photo", Size: 10})
	_, _ = fmt.Fprintln(os.Stdout, len(results), results[0].RequestID, err)
	// Output: 1 r-1 <nil>
}

// All own results, page by page as they are ranged over.
func ExampleClient_Results() {
	service := exampleService()
	defer service.Close()
	c, err := client.New(client.Options{BaseURL: service.URL})
	if err != nil {
		_, _ = fmt.Fprintln(os.Stdout, err)
		return
	}
	defer c.Close()
	for result, err := range c.Results(context.Background(), client.ListQuery{Name: "photo", Since: time.Date(2026, 3, 1, 0, 0, 0, 0, time.Local)}) {
		if err != nil {
			_, _ = fmt.Fprintln(os.Stdout, err)
			return
		}
		_, _ = fmt.Fprintln(os.Stdout, result.RequestID, result.Status())
	}
	// Output:
	// r-0 FAKE
	// r-1 FAKE
}

// A link is checked while it is typed, and sent with a note where the service may refuse it.
func ExampleClient_SubmitLink() {
	service := exampleService()
	defer service.Close()
	c, err := client.New(client.Options{BaseURL: service.URL})
	if err != nil {
		_, _ = fmt.Fprintln(os.Stdout, err)
		return
	}
	defer c.Close()
	_, err = c.CheckLink("youtu.be/1")
	_, _ = fmt.Fprintln(os.Stdout, err)
	link, err := c.CheckLink("https://example.org/clip.mp4")
	_, _ = fmt.Fprintln(os.Stdout, link.Note, err)
	submission, err := c.SubmitLink(context.Background(), "https://youtu.be/1")
	_, _ = fmt.Fprintln(os.Stdout, submission.RequestID, submission.Link.Platform, submission.Message, err)
	// Output:
	// could not submit the link: Enter the whole link. It begins with http:// or https://.
	// The service is not known to accept links to this site. It may refuse this one. <nil>
	// r-2 video sharing Queued. <nil>
}

func ExampleClient_SendFeedback() {
	service := exampleService()
	defer service.Close()
	c, err := client.New(client.Options{BaseURL: service.URL})
	if err != nil {
		_, _ = fmt.Fprintln(os.Stdout, err)
		return
	}
	defer c.Close()
	record, err := c.SendFeedback(context.Background(), client.Feedback{
		RequestID: "r-1", Label: client.LabelReal, Category: client.FalsePositive, Comment: "The photographer sent the original.",
	})
	_, _ = fmt.Fprintln(os.Stdout, record.ID, record.Label, err)
	// Output: f-1 REAL <nil>
}

// The links of a result die within minutes; Artifacts replaces them where it is needed.
func ExampleArtifacts() {
	service := exampleService()
	defer service.Close()
	ctx := context.Background()
	c, err := client.New(client.Options{BaseURL: service.URL})
	if err != nil {
		_, _ = fmt.Fprintln(os.Stdout, err)
		return
	}
	defer c.Close()
	asked := time.Now()
	result, err := c.Result(ctx, "r-1")
	if err != nil {
		_, _ = fmt.Fprintln(os.Stdout, err)
		return
	}
	artifacts := client.NewArtifacts(c, result, asked)
	heatmap, err := artifacts.Fetch(ctx, client.HeatmapOf("some-model"), 0)
	_, _ = fmt.Fprintln(os.Stdout, string(heatmap), err)
	_, err = artifacts.Fetch(ctx, client.Thumbnail, 0)
	_, _ = fmt.Fprintln(os.Stdout, errors.Is(err, client.ErrNoArtifact))
	// Output:
	// a picture <nil>
	// true
}

// An Error says in terms of what can be done what went wrong.
func ExampleError() {
	service := exampleService()
	defer service.Close()
	c, err := client.New(client.Options{BaseURL: service.URL})
	if err != nil {
		_, _ = fmt.Fprintln(os.Stdout, err)
		return
	}
	defer c.Close()
	_, err = c.Result(context.Background(), "unknown")
	var failed *client.Error
	if errors.As(err, &failed) {
		_, _ = fmt.Fprintln(os.Stdout, failed.Kind, failed.Status, failed.Temporary(), failed.Sentence())
	}
	// Output: refused 404 false The service says: “No such result.”
}

// A score that was not sent is none, and not 0.
func ExampleScore() {
	var absent client.Score
	_, ok := absent.Number()
	value, sent := client.NewScore(0).Number()
	_, _ = fmt.Fprintln(os.Stdout, ok, value, sent)
	// Output: false 0 true
}
