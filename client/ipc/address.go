package ipc

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"

	"assay/client/bounded"
)

const (
	// maxSocketPath is below every system's limit for the path of a socket: 104 bytes on macOS, 108 elsewhere.
	maxSocketPath = 100
	maxAddress    = 4096 // bytes of the address file at most
)

// errNoPlace means that there is no folder for a socket that is closed to other users of this computer.
var errNoPlace = errors.New("no folder that is private to the user")

// sockets are the paths at which a holder of dir may listen, the best first: in dir, or if dir's path is too long, or dir is on a disk without owners
// and open to others, in a private temporary folder.
func sockets(dir string) []string {
	sum := sha256.Sum256([]byte(dir))
	name := fmt.Sprintf("assay-%d-%s", os.Getuid(), hex.EncodeToString(sum[:8]))
	all := []string{filepath.Join(dir, socketName)}
	for _, parent := range temporaryFolders() {
		all = append(all, filepath.Join(parent, name, socketName))
	}
	return all
}

// listen opens the socket of the holder of dir, at the first path that works. It removes what a killed holder left there.
func listen(ctx context.Context, dir string) (net.Listener, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	var failures []error
	for _, socket := range sockets(dir) {
		if len(socket) > maxSocketPath {
			failures = append(failures, fmt.Errorf("%s: the path is too long", socket))
			continue
		}
		listener, err := listenAt(ctx, socket)
		if err == nil {
			return listener, nil
		}
		failures = append(failures, err)
	}
	return nil, errors.Join(failures...)
}

func listenAt(ctx context.Context, socket string) (net.Listener, error) {
	folder := filepath.Dir(socket)
	if err := os.Mkdir(folder, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	if err := makePrivate(folder); err != nil {
		return nil, err
	}
	// What is there was left by a killed holder, since we have the lock.
	if err := os.Remove(socket); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "unix", socket)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(socket, 0o600); err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	return listener, nil
}

// dial connects to the holder of dir, if one listens and belongs to the same user. It does not wait for one.
func dial(ctx context.Context, dir string) (net.Conn, error) {
	socket, err := readAddress(dir)
	if err != nil {
		return nil, err
	}
	if err := checkPrivate(filepath.Dir(socket)); err != nil {
		return nil, err
	}
	dialer := net.Dialer{Timeout: dialTimeout}
	conn, err := dialer.DialContext(ctx, "unix", socket)
	if err != nil {
		return nil, err
	}
	if err := checkPeer(conn); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return conn, nil
}

func readAddress(dir string) (string, error) {
	data, err := bounded.ReadFile(filepath.Join(dir, addressName), maxAddress)
	if err != nil {
		return "", err
	}
	socket := string(data)
	if !filepath.IsAbs(socket) || strings.ContainsRune(socket, 0) {
		return "", errors.New("the address file names no socket")
	}
	return socket, nil
}

// writeAddress writes the address file, whole or not at all. After a crash it may be an old one or missing, as if its holder were gone.
func writeAddress(dir, socket string) error {
	temporary := filepath.Join(dir, addressName+".new") // nobody else writes here, since we have the lock
	if err := os.WriteFile(temporary, []byte(socket), 0o600); err != nil {
		return err
	}
	if err := os.Rename(temporary, filepath.Join(dir, addressName)); err != nil {
		return errors.Join(err, os.Remove(temporary))
	}
	return nil
}

// removeSocket removes what Serve made. If it fails, the next holder does it.
func removeSocket(dir, socket string) {
	_ = os.Remove(filepath.Join(dir, addressName))
	_ = os.Remove(socket) // closing the listener may have removed it
	if folder := filepath.Dir(socket); strings.HasPrefix(filepath.Base(folder), "assay-") {
		_ = os.Remove(folder) // the system refuses unless it is empty
	}
}
