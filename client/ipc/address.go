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
	// maxSocketPath is less than what every system takes for a socket's path: 104 bytes on macOS, 108 elsewhere.
	maxSocketPath = 100
	maxAddress    = 4096 // bytes of the address file
)

// errNoPlace means that a socket's folder is open to other users of this computer, or can't be made.
var errNoPlace = errors.New("no folder that is private to the user")

// sockets are the paths where a holder of dir may listen, the best first: in dir, or in a private folder among the temporary
// ones where dir's path is too long, or is open to others on a disk that knows no owners.
func sockets(dir string) []string {
	sum := sha256.Sum256([]byte(dir))
	name := fmt.Sprintf("assay-%d-%s", os.Getuid(), hex.EncodeToString(sum[:8]))
	all := []string{filepath.Join(dir, socketName)}
	for _, parent := range temporaryFolders() {
		all = append(all, filepath.Join(parent, name, socketName))
	}
	return all
}

// listen opens the socket of the holder of dir, in the first place that does. It removes what a killed holder left there.
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
	// What lies there is of a holder that was killed: the lock is ours.
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

// dial connects to the holder of dir, if one listens and is the same user's. It waits for nobody.
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

// writeAddress makes the address appear whole or not at all. After a crash it may be an old one or nothing, as of a holder
// that is gone.
func writeAddress(dir, socket string) error {
	temporary := filepath.Join(dir, addressName+".new") // nobody else writes here: the lock is ours
	if err := os.WriteFile(temporary, []byte(socket), 0o600); err != nil {
		return err
	}
	if err := os.Rename(temporary, filepath.Join(dir, addressName)); err != nil {
		return errors.Join(err, os.Remove(temporary))
	}
	return nil
}

// removeSocket clears away what Serve made. What stays does no harm: the next holder removes it.
func removeSocket(dir, socket string) {
	_ = os.Remove(filepath.Join(dir, addressName))
	_ = os.Remove(socket) // gone already where closing the listener did it
	if folder := filepath.Dir(socket); strings.HasPrefix(filepath.Base(folder), "assay-") {
		_ = os.Remove(folder) // refused by the system unless it is empty
	}
}
