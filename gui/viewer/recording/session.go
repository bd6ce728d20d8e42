package recording

import (
	"context"
	"os"
	"sync"

	"assay/gui/player"
)

// session is one result's sound for as long as it is shown: the open file, the recording and its player. It is taken on a worker and
// ended from the UI thread, in whatever order these come, so that nothing stays open.
type session struct {
	mu     sync.Mutex
	ended  bool
	using  sync.WaitGroup // workers that read the recording
	file   *os.File
	sound  *player.Recording
	player *player.Player
}

// open opens the recording of a file and takes both. It fails with context.Canceled where the session has ended meanwhile.
func (s *session) open(ctx context.Context, file *os.File, options player.Options) (*player.Recording, *player.Player, error) {
	opened, err := player.Open(ctx, file.Name())
	if err != nil {
		file.Close() //nolint:errcheck,gosec // only read from
		return nil, nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		opened.Close() //nolint:errcheck,gosec // nobody waits for what it has to say
		file.Close()   //nolint:errcheck,gosec // only read from
		return nil, nil, context.Canceled
	}
	s.file, s.sound, s.player = file, opened, player.NewPlayer(opened, options)
	return s.sound, s.player, nil
}

// use keeps the recording open until done is called; ok is false once the session has ended.
func (s *session) use() (opened *player.Recording, done func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended || s.sound == nil {
		return nil, nil, false
	}
	s.using.Add(1)
	return s.sound, s.using.Done, true
}

// end closes what is open, once nobody reads it any more. It waits, so it does not run on the UI thread.
func (s *session) end() {
	s.mu.Lock()
	s.ended = true
	s.mu.Unlock()
	s.using.Wait()
	if s.player != nil {
		s.player.Close()
	}
	if s.sound != nil {
		s.sound.Close() //nolint:errcheck,gosec // nobody waits for what it has to say
	}
	if s.file != nil {
		s.file.Close() //nolint:errcheck,gosec // only read from
	}
}
