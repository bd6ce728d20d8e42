package main

import (
	"archive/tar"
	"archive/zip"
	"compress/flate"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assay/client/durable"
)

func newArchive() *cobra.Command {
	var out, folder string
	var level int
	cmd := &cobra.Command{
		Use: "archive --out FILE --folder NAME NAME=PATH…", Args: cobra.MinimumNArgs(1),
		Short: "write a .tar.xz or .zip of files, whose bytes depend on names, contents and who may execute them alone",
		RunE: func(cmd *cobra.Command, args []string) error {
			at, err := sourceDate()
			if err != nil {
				return err
			}
			members, err := membersOf(folder, args)
			if err != nil {
				return err
			}
			return durable.Write(out, durable.Options{ForOthers: true}, func(w io.Writer) error {
				switch {
				case strings.HasSuffix(out, ".tar.xz"):
					return writeTarXZ(cmd.Context(), w, members, at, level)
				case strings.HasSuffix(out, ".zip"):
					return writeZip(w, members, at)
				}
				return fmt.Errorf("%s is neither .tar.xz nor .zip", out)
			})
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "the archive")
	cmd.Flags().StringVar(&folder, "folder", "", "the folder in the archive that has all of it")
	cmd.Flags().IntVar(&level, "level", 6, "how hard xz tries, 0 to 9: what is compressed already needs 0")
	return cmd
}

// member is a file or a folder of an archive.
type member struct {
	name string // with slashes, a folder's with one at its end
	path string // "" for a folder
	mode fs.FileMode
}

// membersOf reads NAME=PATH; what is below a folder's path is below its name. They are sorted, a folder before what is in it.
func membersOf(folder string, args []string) ([]member, error) {
	byName := map[string]member{}
	add := func(name, from string, mode fs.FileMode) error {
		if _, there := byName[name]; there {
			return fmt.Errorf("%s is given twice", name)
		}
		byName[name] = member{name: name, path: from, mode: 0o644 | mode&0o111}
		for up := path.Dir(name); up != "."; up = path.Dir(up) {
			byName[up+"/"] = member{name: up + "/", mode: 0o755}
		}
		return nil
	}
	for _, arg := range args {
		name, from, found := strings.Cut(arg, "=")
		if !found || !fs.ValidPath(name) {
			return nil, fmt.Errorf("%s is not NAME=PATH, with a name inside the archive", arg)
		}
		name = path.Join(folder, name)
		err := filepath.WalkDir(from, func(file string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			info, err := os.Stat(file) // what a pointer leads to is taken
			if err != nil {
				return err
			}
			below, err := filepath.Rel(from, file)
			if err != nil {
				return err
			}
			mode := info.Mode() & 0o111
			if mode != 0 {
				mode = 0o111 // whatever this system's usual permissions are
			}
			return add(path.Join(name, filepath.ToSlash(below)), file, mode)
		})
		if err != nil {
			return nil, err
		}
	}
	members := make([]member, 0, len(byName))
	for _, m := range byName {
		members = append(members, m)
	}
	slices.SortFunc(members, func(a, b member) int { return strings.Compare(a.name, b.name) })
	return members, nil
}

// copyTo writes a file's content.
func (m member) copyTo(w io.Writer) error {
	file, err := os.Open(m.path)
	if err != nil {
		return err
	}
	defer file.Close() //nolint:errcheck // only read from
	_, err = io.Copy(w, file)
	return err
}

// compress starts xz, whose output is the same however many threads there are, from two on. What is written gets to w; closing waits for it.
func compress(ctx context.Context, w io.Writer, level int) (io.WriteCloser, error) {
	program := exec.CommandContext(ctx, "xz", "--format=xz", "--threads=2", fmt.Sprintf("-%d", level), "--stdout") //nolint:gosec // a number
	program.Env = []string{"PATH=" + os.Getenv("PATH")}                                                            // XZ_DEFAULTS would change what it writes
	program.Stdout, program.Stderr = w, os.Stderr
	in, err := program.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := program.Start(); err != nil {
		return nil, err
	}
	return &running{in, program}, nil
}

type running struct {
	io.WriteCloser
	program *exec.Cmd
}

func (r *running) Close() error {
	err := r.WriteCloser.Close()
	if ended := r.program.Wait(); ended != nil {
		return fmt.Errorf("xz: %w", ended)
	}
	return err
}

func writeTarXZ(ctx context.Context, w io.Writer, members []member, at time.Time, level int) error {
	compressed, err := compress(ctx, w, level)
	if err != nil {
		return err
	}
	return errors.Join(writeTar(compressed, members, at), compressed.Close())
}

func writeTar(w io.Writer, members []member, at time.Time) error {
	archive := tar.NewWriter(w)
	for _, m := range members {
		head := &tar.Header{Typeflag: tar.TypeDir, Name: m.name, Mode: int64(m.mode), ModTime: at}
		if m.path != "" {
			info, err := os.Stat(m.path)
			if err != nil {
				return err
			}
			head.Typeflag, head.Size = tar.TypeReg, info.Size()
		}
		if err := archive.WriteHeader(head); err != nil {
			return err
		}
		if m.path == "" {
			continue
		}
		if err := m.copyTo(archive); err != nil {
			return err
		}
	}
	return archive.Close()
}

func writeZip(w io.Writer, members []member, at time.Time) error {
	archive := zip.NewWriter(w)
	archive.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestCompression) })
	for _, m := range members {
		head := &zip.FileHeader{Name: m.name, Method: zip.Deflate, Modified: at}
		head.SetMode(m.mode)
		if m.path == "" {
			head.Method = zip.Store
			head.SetMode(m.mode | fs.ModeDir)
		}
		content, err := archive.CreateHeader(head)
		if err != nil {
			return err
		}
		if m.path == "" {
			continue
		}
		if err := m.copyTo(content); err != nil {
			return err
		}
	}
	return archive.Close()
}
