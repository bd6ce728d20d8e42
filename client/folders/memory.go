package folders

import (
	"context"

	"assay/client/store"
	"assay/watch"
)

// memory is watch.Memory over the store.
type memory struct{ store Store }

// Known implements watch.Memory.
func (m memory) Known(ctx context.Context, folder string, each func(watch.Known)) error {
	return m.store.KnownFiles(ctx, folder, func(f store.FolderFile) error {
		each(watch.Known(f))
		return ctx.Err()
	})
}

// Announced implements watch.Memory.
func (m memory) Announced(ctx context.Context, folder string, contents []watch.Sum) ([]bool, error) {
	return m.store.AnnouncedContents(ctx, folder, contents)
}

// Remember implements watch.Memory.
func (m memory) Remember(ctx context.Context, folder string, files []watch.Known) error {
	rows := make([]store.FolderFile, len(files))
	for i, f := range files {
		rows[i] = store.FolderFile(f)
	}
	return m.store.RememberFiles(ctx, folder, rows)
}

// Forget implements watch.Memory.
func (m memory) Forget(ctx context.Context, folder string, names []string) error {
	return m.store.ForgetFiles(ctx, folder, names)
}
