package ffmpeg

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

const (
	// longestWrite is how long ffmpeg may take to write a file.
	longestWrite = 3 * time.Hour
	// longestSilence is how long it may get nowhere where a Job does not say.
	longestSilence = 90 * time.Second
)

// ErrTooLarge is the error of a file that would be larger than it may be.
var ErrTooLarge = errors.New("what ffmpeg writes is larger than it may be")

// Write runs ffmpeg so that it writes a file, in place of what is there; job.After are the options for it. ffmpeg is stopped once the file has more than most
// bytes, which is ErrTooLarge, and when it gets nowhere for job.Silence, or takes hours. Other errors are those of Run.
func (t Tool) Write(ctx context.Context, job Job, to string, most int64) error {
	whole, err := filepath.Abs(to)
	if err != nil {
		return fmt.Errorf("finding the file for ffmpeg: %w", err)
	}
	job.Before = append([]string{"-y", "-progress", "pipe:1", "-stats_period", "1"}, job.Before...)
	job.After = append(append([]string{}, job.After...), "file:"+whole)
	if job.Longest == 0 {
		job.Longest = longestWrite
	}
	watched, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	silence := cmp.Or(job.Silence, longestSilence)
	stuck := &Failed{Program: "ffmpeg", TooLong: silence, Cause: context.DeadlineExceeded}
	watchdog := time.AfterFunc(silence, func() { stop(stuck) })
	defer watchdog.Stop()
	large := false
	at := map[string]string{}
	err = t.Run(watched, job, func(out io.Reader) error {
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			key, value, _ := strings.Cut(lines.Text(), "=")
			switch key {
			case "out_time_us", "total_size":
				if size, err := strconv.ParseInt(value, 10, 64); key == "total_size" && err == nil && size > most {
					large = true
					return ErrTooLarge
				}
				if at[key] != value {
					at[key] = value
					watchdog.Reset(silence)
				}
			}
		}
		return lines.Err()
	})
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case large:
		return ErrTooLarge
	case watched.Err() != nil:
		return context.Cause(watched)
	}
	return err
}

// KeyFrameBefore returns the time of the last key frame of a clip's picture that is not after a moment, from where a part of it can be cut without loss; both
// count from the clip's beginning. Its errors are those of Probe.
func (t Tool) KeyFrameBefore(ctx context.Context, path, demuxer string, at time.Duration) (time.Duration, error) {
	facts, err := t.Probe(ctx, path, demuxer)
	if err != nil {
		return 0, err
	}
	file, err := fileArgument(path)
	if err != nil {
		return 0, err
	}
	text := func(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', 6, 64) }
	args := []string{"-hide_banner", "-loglevel", "error", "-protocol_whitelist", "file,pipe"}
	if demuxer != "" {
		args = append(args, "-f", demuxer)
	}
	args = append(args, "-select_streams", "V:0", "-read_intervals", text(at+facts.Start)+"%+#1", "-show_entries", "packet=pts_time", "-of", "csv=p=0", "-i", file)
	found := at
	err = run(ctx, t.Prober, "ffprobe", args, usualTime, nil, func(out io.Reader) error {
		line, err := bufio.NewReader(io.LimitReader(out, mostWords)).ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		begins, err := strconv.ParseFloat(strings.Trim(line, "\r\n,"), 64)
		if err != nil {
			return fmt.Errorf("no key frame: %w", err)
		}
		found = time.Duration(begins*float64(time.Second)) - facts.Start
		return nil
	})
	return max(0, min(found, at)), err
}
