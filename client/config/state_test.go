package config

import (
	"path/filepath"
	"runtime"
	"sync"
	"testing"
)

func TestState(t *testing.T) {
	want := State{WindowWidth: 1280, WindowHeight: 800, CrashSeen: "crash-20261121-191500.txt"}
	t.Run("what was saved is loaded, also over an earlier one", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "new")
		for _, s := range []State{{WindowWidth: 1}, want} {
			must(t, SaveState(dir, s))
			same(t, s, LoadState(dir))
		}
		if runtime.GOOS != "windows" {
			isPrivate(t, dir, filepath.Join(dir, stateName))
		}
		same(t, []string{stateName}, names(t, dir))
	})
	t.Run("two that remember something at once both do", func(t *testing.T) {
		dir := t.TempDir()
		var all sync.WaitGroup
		for _, do := range []func(*State){
			func(s *State) { s.WindowWidth, s.WindowHeight = want.WindowWidth, want.WindowHeight }, func(s *State) { s.CrashSeen = want.CrashSeen },
		} {
			all.Go(func() {
				if err := ChangeState(dir, do); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		same(t, want, LoadState(dir))
	})
	t.Run("what can't be read is as if it were not there", func(t *testing.T) {
		for _, text := range []string{"", "{", "[]", `{"windowWidth": "wide"}`} {
			dir := t.TempDir()
			write(t, filepath.Join(dir, stateName), text)
			if got := LoadState(dir); got != (State{}) {
				t.Errorf("%s: %+v", text, got)
			}
		}
		if got := LoadState(filepath.Join(t.TempDir(), "nowhere")); got != (State{}) {
			t.Errorf("%+v", got)
		}
	})
}
