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

// Checkpoint says what a log was at a time: so many entries, with this root of their tree.
type Checkpoint struct {
	Origin string // what the log is called
	Size   int64  // entries
	Root   Hash
	At     time.Time // to the second, in UTC
}

// text is the checkpoint as c2sp.org/tlog-checkpoint has it: a line each for Origin, Size and Root, and one for the time.
func (c Checkpoint) text() string {
	return fmt.Sprintf("%s\n%d\n%s\n%s\n", c.Origin, c.Size, c.Root, c.At.UTC().Format(time.RFC3339))
}

// longestCheckpoint is more bytes than any has that Sign made.
const longestCheckpoint = 1000

// ErrCheckpoint is why a signed checkpoint is refused: it is none, or it is not as it was signed with that key.
var ErrCheckpoint = errors.New("this is no checkpoint of that log signed with that key")

// parseCheckpoint reads what text wrote, and nothing else.
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

// VerifierKey is a public key as those who verify checkpoints of a log are given it.
func VerifierKey(origin string, key ed25519.PublicKey) (string, error) {
	if len(key) != ed25519.PublicKeySize {
		return "", ErrCheckpoint
	}
	return note.NewEd25519VerifierKey(origin, key)
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

// OpenCheckpoint reads a note that Sign made for a log, byte for byte. Its error is ErrCheckpoint.
func OpenCheckpoint(signed []byte, origin string, key ed25519.PublicKey) (Checkpoint, error) {
	v, err := verifier(origin, key)
	if err != nil || len(signed) > longestCheckpoint {
		return Checkpoint{}, ErrCheckpoint
	}
	n, err := note.Open(signed, note.VerifierList(v))
	if err != nil || len(n.Sigs) != 1 || len(n.UnverifiedSigs) > 0 {
		return Checkpoint{}, ErrCheckpoint
	}
	if _, err := base64.StdEncoding.Strict().DecodeString(n.Sigs[0].Base64); err != nil { // what note reads has bits that it does not look at
		return Checkpoint{}, ErrCheckpoint
	}
	c, err := parseCheckpoint(n.Text)
	if err != nil || c.Origin != origin {
		return Checkpoint{}, ErrCheckpoint
	}
	return c, nil
}

// SignedCheckpoint is a checkpoint as it is kept.
type SignedCheckpoint struct {
	Size int64 // what the note should say
	Note []byte
	Key  []byte // the public key that it was signed with
}

// open reads it. Its error is ErrCheckpoint.
func (s SignedCheckpoint) open(origin string) (Checkpoint, error) {
	c, err := OpenCheckpoint(s.Note, origin, s.Key)
	if err == nil && c.Size != s.Size {
		err = ErrCheckpoint
	}
	return c, err
}

// Anchor is what a log was when it was signed last, kept apart from the log: who takes checkpoints out of it does not reach that. The zero value is none.
type Anchor struct {
	Size int64 // entries
	Root Hash
}

// String is the anchor as ParseAnchor reads it.
func (a Anchor) String() string {
	if a == (Anchor{}) {
		return ""
	}
	return fmt.Sprintf("%d %s", a.Size, a.Root)
}

// ParseAnchor reads what String wrote.
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

// Rewritten is why a log is not signed: it is not what it was when the last checkpoint was signed, with more entries since.
type Rewritten struct{ Size int64 } // of that checkpoint

func (r *Rewritten) Error() string {
	return fmt.Sprintf("the custody log is not the one that was signed when it had %d entries: it was written again", r.Size)
}

// Extend signs what a log is now, where there is something in it that the last checkpoint does not cover; there is none yet where last is nil. Before
// that it proves that the log only grew since that and since the anchor: a *Rewritten says that it did not. Where there is nothing to sign, signed is nil.
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

// proveGrown proves that the log of a checkpoint is the beginning of another's.
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
