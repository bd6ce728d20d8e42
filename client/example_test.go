package client_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"

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
	// Output: refused 404 false No such result.
}

// A score that was not sent is none, and not 0.
func ExampleScore() {
	var absent client.Score
	_, ok := absent.Number()
	value, sent := client.NewScore(0).Number()
	_, _ = fmt.Fprintln(os.Stdout, ok, value, sent)
	// Output: false 0 true
}
