package gui

import (
	"context"
	"errors"
	"os"

	"assay/client/media"
)

// ownFile opens the person's own file where it is the one that was submitted, by its hash: size and time of change, which are what
// OpenFile looks at, can be set by whoever changes a file. Once a run is enough for a file that stays as it is.
func (s *submissions) ownFile(ctx context.Context, id string) (*os.File, error) {
	file, err := s.OpenFile(ctx, id)
	if err != nil {
		return nil, err
	}
	if err := s.check(ctx, id, file); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

func (s *submissions) check(ctx context.Context, id string, file *os.File) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	s.mu.Lock()
	before := s.checked[id]
	s.mu.Unlock()
	if before != nil && os.SameFile(before, info) && before.Size() == info.Size() && before.ModTime().Equal(info.ModTime()) {
		return nil
	}
	sub, err := s.get(ctx, id)
	if err != nil {
		return err
	}
	hash, err := media.Hash(ctx, file, nil)
	if err != nil {
		return err
	}
	if hash != sub.SHA256 {
		return &media.Changed{Path: file.Name(), SizeWas: sub.Size, SizeIs: info.Size(), TimeWas: sub.Modified, TimeIs: info.ModTime()}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.checked) >= maxChecked {
		clear(s.checked)
	}
	s.checked[id] = info
	return nil
}

// maxChecked bounds the files that are remembered to match their hash.
const maxChecked = 1000
