package custody

import (
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// Checkpoint describes a log at a time: its number of entries, and the root of their tree.
type Checkpoint struct {
	Origin string // the log's name
	Size   int64  // entries
	Root   Hash
	At     time.Time // to the second, in UTC
}

// text is the checkpoint as c2sp.org/tlog-checkpoint defines it: a line each for Origin, Size, Root and the time.
func (c Checkpoint) text() string {
	return fmt.Sprintf("%s\n%d\n%s\n%s\n", c.Origin, c.Size, c.Root, c.At.UTC().Format(time.RFC3339))
}

// longestCheckpoint is larger than any checkpoint that Sign makes, in bytes.
const longestCheckpoint = 1000

// ErrCheckpoint means that a signed checkpoint is malformed, or that its signature does not match the key.
var ErrCheckpoint = errors.New("this is no checkpoint of that log signed with that key")

// parseCheckpoint reads the result of text, and accepts no other spelling.
func parseCheckpoint(text string) (c Checkpoint, err error) {
	lines := strings.Split(text, "\n")
	if len(lines) != 5 {
		return c, ErrCheckpoint
	}
	size, failed := strconv.ParseInt(lines[1], 10, 64)
	root, err := tlog.ParseHash(lines[2])
	at, err2 := time.Parse(time.RFC3339, lines[3])
	c = Checkpoint{Origin: lines[0], Size: size, Root: root, At: at.UTC()}
	if errors.Join(failed, err, err2) != nil || size < 0 || c.text() != text {
		return Checkpoint{}, ErrCheckpoint
	}
	return c, nil
}

// signer signs notes with a key.
type signer struct {
	note.Verifier
	key ed25519.PrivateKey
}

// Sign implements note.Signer.
func (s signer) Sign(text []byte) ([]byte, error) { return ed25519.Sign(s.key, text), nil }

// VerifierKey is a public key in the form in which it is given to those who verify checkpoints of a log.
func VerifierKey(origin string, key ed25519.PublicKey) (string, error) {
	if len(key) != ed25519.PublicKeySize {
		return "", ErrCheckpoint
	}
	return note.NewEd25519VerifierKey(origin, key)
}

// ParseVerifierKey reads the result of VerifierKey, and accepts no other spelling. Its error is ErrCheckpoint.
func ParseVerifierKey(text string) (origin string, key ed25519.PublicKey, err error) {
	parts := strings.SplitN(text, "+", 3)
	if len(parts) != 3 {
		return "", nil, ErrCheckpoint
	}
	encoded, err := base64.StdEncoding.Strict().DecodeString(parts[2])
	if err != nil || len(encoded) != 1+ed25519.PublicKeySize {
		return "", nil, ErrCheckpoint
	}
	origin, key = parts[0], encoded[1:]
	if again, err := VerifierKey(origin, key); err != nil || again != text {
		return "", nil, ErrCheckpoint
	}
	return origin, key, nil
}

func verifier(origin string, key ed25519.PublicKey) (note.Verifier, error) {
	text, err := VerifierKey(origin, key)
	if err != nil {
		return nil, err
	}
	return note.NewVerifier(text)
}

// Sign makes a signed note of the checkpoint.
func (c Checkpoint) Sign(key ed25519.PrivateKey) ([]byte, error) {
	v, err := verifier(c.Origin, key.Public().(ed25519.PublicKey))
	if err != nil {
		return nil, err
	}
	return note.Sign(&note.Note{Text: c.text()}, signer{v, key})
}

// OpenCheckpoint reads a note that Sign made for a log. It accepts no other spelling of it. Its error is ErrCheckpoint.
func OpenCheckpoint(signed []byte, origin string, key ed25519.PublicKey) (Checkpoint, error) {
	v, err := verifier(origin, key)
	if err != nil || len(signed) > longestCheckpoint {
		return Checkpoint{}, ErrCheckpoint
	}
	n, err := note.Open(signed, note.VerifierList(v))
	if err != nil || len(n.Sigs) != 1 || len(n.UnverifiedSigs) > 0 {
		return Checkpoint{}, ErrCheckpoint
	}
	if _, err := base64.StdEncoding.Strict().DecodeString(n.Sigs[0].Base64); err != nil { // package note ignores unused bits of the encoding
		return Checkpoint{}, ErrCheckpoint
	}
	c, err := parseCheckpoint(n.Text)
	if err != nil || c.Origin != origin {
		return Checkpoint{}, ErrCheckpoint
	}
	return c, nil
}

// SignedCheckpoint is a checkpoint as it is stored.
type SignedCheckpoint struct {
	Size int64 // according to the note
	Note []byte
	Key  []byte // the public key of its signature
}

// open reads it. Its error is ErrCheckpoint.
func (s SignedCheckpoint) open(origin string) (Checkpoint, error) {
	c, err := OpenCheckpoint(s.Note, origin, s.Key)
	if err == nil && c.Size != s.Size {
		err = ErrCheckpoint
	}
	return c, err
}

// Anchor is the state of a log at its last signature. It is stored apart from the log, so that removing checkpoints from the log does not remove it. The
// zero value means that there is none.
type Anchor struct {
	Size int64 // entries
	Root Hash
}

// String is the anchor as text, for ParseAnchor.
func (a Anchor) String() string {
	if a == (Anchor{}) {
		return ""
	}
	return fmt.Sprintf("%d %s", a.Size, a.Root)
}

// ParseAnchor reads the result of String.
func ParseAnchor(text string) (a Anchor, err error) {
	if text == "" {
		return a, nil
	}
	size, root, _ := strings.Cut(text, " ")
	if a.Size, err = strconv.ParseInt(size, 10, 64); err == nil {
		a.Root, err = tlog.ParseHash(root)
	}
	if err != nil || a.String() != text {
		return Anchor{}, ErrCheckpoint
	}
	return a, nil
}

// Rewritten is why a log is not signed: it does not extend the log for which the last checkpoint was signed.
type Rewritten struct{ Size int64 } // of that checkpoint

func (r *Rewritten) Error() string {
	return fmt.Sprintf("the custody log is not the one that was signed when it had %d entries: it was written again", r.Size)
}

// Extend signs the present state of a log if it has entries that the last checkpoint does not cover; last is nil before the first one. Otherwise signed is
// nil. Before it signs, it proves that the log only grew since last and since the anchor; if not, the error is a *Rewritten.
func Extend(last *SignedCheckpoint, anchor Anchor, c Checkpoint, nodes Nodes, key ed25519.PrivateKey) (signed *SignedCheckpoint, err error) {
	if err := proveGrown(Checkpoint{Origin: c.Origin, Size: anchor.Size, Root: anchor.Root}, c, nodes); err != nil {
		return nil, err
	}
	if last != nil {
		before, err := last.open(c.Origin)
		if err != nil {
			return nil, &Rewritten{last.Size}
		}
		if err := proveGrown(before, c, nodes); err != nil || before.Size == c.Size {
			return nil, err
		}
	}
	if c.Size == 0 {
		return nil, nil
	}
	text, err := c.Sign(key)
	if err != nil {
		return nil, err
	}
	return &SignedCheckpoint{Size: c.Size, Note: text, Key: key.Public().(ed25519.PublicKey)}, nil
}

// proveGrown proves that one checkpoint's log is the beginning of another's.
func proveGrown(before, now Checkpoint, nodes Nodes) error {
	if before.Size > now.Size {
		return &Rewritten{before.Size}
	}
	proof, err := ProveConsistency(before.Size, now.Size, nodes)
	if err != nil {
		return err
	}
	if proof.Verify(before, now) != nil {
		return &Rewritten{before.Size}
	}
	return nil
}
