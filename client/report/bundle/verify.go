package bundle

import (
	"context"
	"errors"
	"slices"
	"strings"

	"assay/client/custody"
	"assay/client/plain"
)

// VerifyOptions are how a bundle is verified.
type VerifyOptions struct {
	Signers []Signer // whose seals are known
	// Progress is told how many bytes were read, of how many. It is called on one goroutine at a time; nil: nobody is told.
	Progress func(done, total int64)
}

// Signer is somebody whose seals are known.
type Signer struct {
	Name string
	Key  string // as PublicLine makes it
	Own  bool   // this desk's own key, of now or of before
}

// State is what a bundle turned out to be. Whether what is in it is true, none of them says.
type State string

// The states, which a verification that is written as JSON has.
const (
	Intact        State = "intact"                           // and sealed by somebody who is known
	UnknownSigner State = "intact, but the signer not known" // anyone could have sealed it
	Unsealed      State = "intact, but not sealed"           // anyone could have made it anew
	Changed       State = "changed"                          // since it was made: Findings say where
	Unread        State = "not read as a whole"              // nothing of what could be read was changed
	Newer         State = "made by a newer version"          // which this one can't verify
)

// Intact reports whether nothing was changed, whoever sealed it.
func (s State) Intact() bool { return s == Intact || s == UnknownSigner || s == Unsealed }

// Verification is the result of verifying a bundle.
type Verification struct {
	State    State     `json:"state"`
	Findings []Finding `json:"findings,omitempty"` // the first ones; none in an intact bundle
	More     int       `json:"more,omitempty"`     // how many are not in Findings
	Files    int       `json:"files"`
	Bytes    int64     `json:"bytes"` // of all files

	// As the bundle says of itself; whoever made it could write anything.
	Made       plain.Text `json:"made,omitzero"`       // the date
	Identifier plain.Text `json:"identifier,omitzero"` // of the case, or of the only result
	Version    plain.Text `json:"version,omitzero"`    // of Assay
	Sandbox    bool       `json:"sandbox,omitempty"`   // the results are the sandbox's

	Seal   *Seal   `json:"seal,omitempty"` // nil: there is none, or it does not fit
	Stamps []Stamp `json:"stamps,omitempty"`
	// Proofs is how many entries of the custody log are proved to be in the log whose checkpoint was signed.
	Proofs int `json:"proofs"`
	// Unproved is how many entries have no proof: the log was not signed when the bundle was made.
	Unproved int `json:"unproved,omitempty"`
	// SignOffs are those of judgements by a second person, whose signatures fit.
	SignOffs []SignOff `json:"signOffs,omitempty"`
}

// Seal is a seal that fits.
type Seal struct {
	Key         string     `json:"key"`         // as PublicLine makes it
	Fingerprint string     `json:"fingerprint"` // as ssh-keygen prints it
	Signer      plain.Text `json:"signer,omitzero"`
	Own         bool       `json:"own,omitempty"`
}

// Change is a kind of change of a bundle.
type Change string

// The changes. A verification that is written as JSON uses these words.
const (
	FileChanged      Change = "file changed"
	FileMissing      Change = "file missing"
	FileAdded        Change = "file added"
	FileRenamed      Change = "file renamed" // Was is its former name
	FileUnread       Change = "file not read"
	NoFile           Change = "no file"           // a link, a pipe, a device, or nothing that a bundle has
	NameRefused      Change = "name refused"      // it could be that of a file elsewhere, or of another file on another system
	NameTwice        Change = "name twice"        // some systems take it for another name that is there
	ListChanged      Change = "list changed"      // a manifest, or bagit.txt or bag-info.txt, says what Assay does not write
	CountChanged     Change = "count changed"     // Payload-Oxum
	ZipChanged       Change = "zip changed"       // packed again, or changed around its files
	SealChanged      Change = "seal changed"      // it does not fit
	StampChanged     Change = "stamp changed"     // it does not fit
	ProofChanged     Change = "proof changed"     // of the custody log
	SignatureForeign Change = "signature foreign" // a judgement or a sign-off is not what its author's computer signed
	AnswerForeign    Change = "answer foreign"    // an answer is not the one that the report or the custody log names
	MediaForeign     Change = "media foreign"     // a medium is not the one that the report names
	ReportUnread     Change = "report not read"   // report.json is not one of Assay's
)

// Finding is a place where a bundle is not as it was made.
type Finding struct {
	Change Change     `json:"change"`
	Path   plain.Text `json:"path,omitzero"` // in the bundle
	Was    plain.Text `json:"was,omitzero"`
}

func finding(change Change, path string) Finding {
	return Finding{Change: change, Path: plain.From(path)}
}

// mostFindings bounds the findings: a stranger's folder has as many as files.
const mostFindings = 100

// Problem is why a bundle can't be verified at all.
type Problem string

// The problems.
const (
	NotThere   Problem = "not there"
	NoBundle   Problem = "no bundle"
	Damaged    Problem = "damaged"   // a zip that was cut, or is none inside
	Unreadable Problem = "unread"    // by the system's word
	TooLarge   Problem = "too large" // more than any bundle has
)

// ReadError is the error for what can't be verified at all.
type ReadError struct {
	Problem Problem
	Err     error // the system's; nil for none
}

// Error implements error.
func (e *ReadError) Error() string {
	if e.Err == nil {
		return "the bundle can't be read: " + string(e.Problem)
	}
	return "the bundle can't be read: " + e.Err.Error()
}

// Unwrap returns the cause.
func (e *ReadError) Unwrap() error { return e.Err }

// Verify verifies a bundle, a folder or a zip, without network. It writes nothing and opens nothing outside the bundle. It blocks for as long as reading
// all of it takes. Its error is a *ReadError, or ctx's.
func Verify(ctx context.Context, path string, o VerifyOptions) (*Verification, error) {
	s, err := openSource(path)
	if err != nil {
		return nil, err
	}
	defer s.close() //nolint:errcheck // only read from
	return verify(ctx, s, o)
}

// verifier has what is known so far.
type verifier struct {
	Verification
	options VerifyOptions
	sums    map[string]hashText // of the files that were read
	kept    map[string][]byte   // content of those that are needed
	entries map[int64]custody.Entry
}

func (v *verifier) add(all ...Finding) {
	for _, f := range all {
		if len(v.Findings) == mostFindings {
			v.More++
			continue
		}
		v.Findings = append(v.Findings, f)
	}
}

// verify verifies what was listed.
func verify(ctx context.Context, s *source, o VerifyOptions) (*Verification, error) {
	v := verifier{options: o}
	newer, err := v.readHead(s)
	if err != nil {
		return nil, err
	}
	if newer {
		return &v.Verification, nil
	}
	if err := v.hash(ctx, s); err != nil {
		return nil, err
	}
	v.add(s.findings...)
	v.checkFiles(s)
	v.checkSeal()
	v.checkStamps()
	v.checkCustody()
	v.checkDesk()
	if err := v.checkReport(ctx, s); err != nil {
		return nil, err
	}
	v.State = v.state()
	return &v.Verification, nil
}

// state sums up.
func (v *verifier) state() State {
	onlyUnread := !slices.ContainsFunc(v.Findings, func(f Finding) bool { return f.Change != FileUnread })
	switch {
	case len(v.Findings) > 0 && onlyUnread && v.More == 0:
		return Unread
	case len(v.Findings) > 0:
		return Changed
	case v.Seal == nil:
		return Unsealed
	case v.Seal.Own || !v.Seal.Signer.IsZero():
		return Intact
	}
	return UnknownSigner
}

// longestHead is larger than bagit.txt and bag-info.txt are, in bytes.
const longestHead = 64 << 10

// readHead reads what makes a folder a bundle, and which version of its format it has: newer if it is not this one's.
func (v *verifier) readHead(s *source) (newer bool, err error) {
	head, there := s.find(BagItFile)
	if !there {
		return false, &ReadError{Problem: NoBundle}
	}
	text, err := head.read(longestHead)
	if err != nil {
		return false, readError(err)
	}
	about := info{}
	if f, there := s.find(InfoFile); there {
		text, err := f.read(longestHead)
		if err != nil {
			return false, readError(err)
		}
		about = parseInfo(text)
	}
	if !isOurs(s, about) {
		return false, &ReadError{Problem: NoBundle}
	}
	v.Made, v.Identifier, v.Version = plain.From(about[InfoDate]), plain.From(about[InfoIdentifier]), plain.From(about[InfoVersion])
	v.Sandbox = about[InfoSandbox] == "true"
	if isLater(parseInfo(text)["BagIt-Version"], "1.0") || isLater(about[InfoFormat], FormatVersion) {
		v.State = Newer
		return true, nil
	}
	if string(text) != BagItText {
		v.add(finding(ListChanged, BagItFile))
	}
	if about[InfoFormat] != FormatVersion {
		v.add(finding(ListChanged, InfoFile))
	}
	return false, nil
}

// isOurs tells Assay's bundles, changed ones too, from other programs' bags.
func isOurs(s *source, about info) bool {
	for name := range about {
		if strings.HasPrefix(name, "Assay-") {
			return true
		}
	}
	return slices.ContainsFunc(s.files, func(f file) bool { return strings.HasPrefix(f.name, SealFolder) })
}

// readError is why a small file that everything depends on can't be read.
func readError(err error) error {
	if errors.Is(err, errEntry) {
		return &ReadError{Problem: Damaged, Err: err}
	}
	return &ReadError{Problem: Unreadable, Err: err}
}

// isLater reports whether a version such as 1.2 comes after another one.
func isLater(version, than string) bool {
	number, ok := versionOf(version)
	known, _ := versionOf(than)
	return ok && slices.Compare(number, known) > 0
}

// versionOf reads a version: at most three numbers.
func versionOf(text string) (numbers []int, ok bool) {
	for part := range strings.SplitSeq(text, ".") {
		n := 0
		for _, digit := range part {
			if digit < '0' || digit > '9' || n > 1000 {
				return nil, false
			}
			n = 10*n + int(digit-'0')
		}
		if numbers = append(numbers, n); part == "" || len(numbers) > 3 {
			return nil, false
		}
	}
	return numbers, true
}
