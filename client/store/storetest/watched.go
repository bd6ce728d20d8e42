package storetest

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"assay/client/store"
)

// Watched is a watched folder as it is kept, with its settings as client/folders writes them, in JSON.
type Watched struct{ Path, Settings string }

// WatchFolders keeps watched folders, in this order, in the store of a folder that has one or none. Nothing is known of their
// files: all that stands in them is new to the next run.
func WatchFolders(ctx context.Context, folder string, all ...Watched) (err error) {
	s, err := store.Open(ctx, folder, store.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	for i, w := range all {
		sum := sha256.Sum256([]byte(w.Path))
		id := fmt.Sprintf("%x-%x-%x-%x-%x", sum[0:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
		if err := s.KeepFolder(ctx, store.Folder{ID: id, Path: w.Path, Added: last.Add(time.Duration(i) * time.Second), Settings: []byte(w.Settings)}); err != nil {
			return err
		}
	}
	return nil
}
