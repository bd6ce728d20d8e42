package film

import (
	"context"
	"errors"
	"image"
	"os"
	"path/filepath"
	"testing"
	"time"

	"assay/client/assert"
	"assay/client/ffmpeg"
	"assay/client/media/mediatest"
)

// play collects the times and colours of what is played.
func play(t *testing.T, path string, from time.Duration) (times []time.Duration, colours []string, err error) {
	t.Helper()
	err = New(0).Play(t.Context(), path, from, 160, func(at time.Duration, frame *image.RGBA) error {
		times, colours = append(times, at), append(colours, colour(t, frame, frame.Rect.Dx()/2, frame.Rect.Dy()/2))
		return nil
	})
	return times, colours, err
}

func TestAClipIsPlayedInOrderToItsEnd(t *testing.T) {
	path := clip(t, "clip.mp4", "-pix_fmt", "yuv420p")
	times, colours, err := play(t, path, 500*time.Millisecond)
	assert.NoError(t, err)
	if len(times) < 60 || len(times) > 64 {
		t.Fatalf("%d frames of 2.5 s at 25 a second", len(times))
	}
	for i, at := range times {
		want := []string{"red", "green", "blue"}[min(int((at+time.Millisecond).Seconds()), 2)]
		if at != 500*time.Millisecond+time.Duration(i)*40*time.Millisecond || colours[i] != want {
			t.Errorf("frame %d at %v is %s, want %s", i, at, colours[i], want)
		}
	}
}

func TestARateThatVariesIsPlayedInTime(t *testing.T) {
	// Of the first second there are 25 frames, of the others 5.
	path := clip(t, "varying.mp4", "-pix_fmt", "yuv420p", "-vf", "select='lt(t,1)+not(mod(n,5))'", "-fps_mode", "vfr")
	times, colours, err := play(t, path, 0)
	assert.NoError(t, err)
	for i, at := range times {
		second := at.Seconds()
		if beside := second - float64(int(second)); beside > 0.25 && beside < 0.75 && colours[i] != []string{"red", "green", "blue"}[min(int(second), 2)] {
			t.Errorf("at %v it is %s", at, colours[i])
		}
	}
	if last := times[len(times)-1]; last < 2500*time.Millisecond || last > 3100*time.Millisecond {
		t.Errorf("the last frame is at %v", last)
	}
}

func TestPlayingEndsWhenItIsToldTo(t *testing.T) {
	path := clip(t, "clip.mp4", "-pix_fmt", "yuv420p")
	enough := errors.New("enough")
	if err := New(0).Play(t.Context(), path, 0, 160, func(time.Duration, *image.RGBA) error { return enough }); !errors.Is(err, enough) {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if err := New(0).Play(ctx, path, 0, 160, func(time.Duration, *image.RGBA) error { cancel(); return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestADamagedClipIsPlayedAsFarAsItGoes(t *testing.T) {
	path := mediatest.Made(t, "whole.mp4", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=6", "-g", "25", "-pix_fmt", "yuv420p", "-movflags", "+faststart")
	data, err := os.ReadFile(path)
	assert.NoError(t, err)
	assert.NoError(t, os.WriteFile(path, data[:len(data)*2/3], 0o600))
	var unreadable *ffmpeg.Unreadable
	if times, _, err := play(t, path, 0); len(times) == 0 || err != nil && !errors.As(err, &unreadable) {
		t.Errorf("%d frames, %v", len(times), err)
	}
	none := mediatest.Made(t, "sound.m4a", "-f", "lavfi", "-i", "sine=d=1", "-c:a", "aac")
	if _, _, err := play(t, none, 0); !errors.As(err, &unreadable) {
		t.Errorf("a file without film: %v", err)
	}
}

func TestAnFFmpegThatHangsIsEnded(t *testing.T) {
	path := clip(t, "clip.mp4", "-pix_fmt", "yuv420p")
	found, err := ffmpeg.Find()
	assert.NoError(t, err)
	hanging := filepath.Join(t.TempDir(), "ffmpeg")
	assert.NoError(t, os.WriteFile(hanging, []byte("#!/bin/sh\nexec sleep 60\n"), 0o700)) //nolint:gosec // it is run
	p := New(0)
	p.patience = time.Second
	p.find = func() (ffmpeg.Tool, error) { return ffmpeg.Tool{Program: hanging, Prober: found.Prober}, nil }
	begun := time.Now()
	err = p.Play(t.Context(), path, 0, 160, func(time.Duration, *image.RGBA) error { return nil })
	var unreadable *ffmpeg.Unreadable
	if took := time.Since(begun); !errors.As(err, &unreadable) || took < p.patience || took > patience {
		t.Errorf("after %v: %v", took, err)
	}
}

func TestATurnedClipIsPlayedUpright(t *testing.T) {
	lying := mediatest.Made(t, "lying.mp4", "-f", "lavfi", "-i", "color=red:s=160x90:r=25:d=1", "-pix_fmt", "yuv420p")
	turned := mediatest.Made(t, "turned.mov", "-i", lying, "-c", "copy", "-metadata:s:v:0", "rotate=90")
	var size image.Point
	assert.NoError(t, New(0).Play(t.Context(), turned, 0, 160, func(_ time.Duration, frame *image.RGBA) error {
		size = frame.Rect.Size()
		return nil
	}))
	if size != image.Pt(90, 160) {
		t.Errorf("%v", size)
	}
}

func TestAClipWithoutLengthEndsAtOnce(t *testing.T) {
	path := mediatest.Made(t, "one.mp4", "-f", "lavfi", "-i", "color=red:s=160x90:r=25:d=1", "-frames:v", "1", "-pix_fmt", "yuv420p")
	if times, _, err := play(t, path, time.Hour); len(times) > 1 || err != nil {
		t.Errorf("beyond its end: %v, %v", times, err)
	}
	if times, _, err := play(t, path, 0); len(times) != 1 || err != nil {
		t.Errorf("a single frame: %v, %v", times, err)
	}
	empty := filepath.Join(t.TempDir(), "empty.mp4")
	assert.NoError(t, os.WriteFile(empty, nil, 0o600))
	var unreadable *ffmpeg.Unreadable
	if _, _, err := play(t, empty, 0); !errors.As(err, &unreadable) {
		t.Errorf("an empty file: %v", err)
	}
}
