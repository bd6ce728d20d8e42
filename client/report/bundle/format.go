// Package bundle makes and verifies evidence bundles: results with everything that they rest on, as a folder or a .zip that programs which are not
// Assay's can check. A bundle is a BagIt 1.0 bag (RFC 8493) with a seal over its tag manifest, by choice a time stamp (RFC 3161), and proofs of the
// custody log. It imports the packages of client that hold results and put them into words.
package bundle

import (
	"path/filepath"
	"strings"
)

// The files of a bundle, by their paths in it, which have slashes on every system. All but those below seal/ are in a manifest: the payload in
// ManifestFile, the rest, and ManifestFile itself, in TagManifestFile.
const (
	BagItFile       = "bagit.txt"
	InfoFile        = "bag-info.txt"
	ManifestFile    = "manifest-sha256.txt"
	TagManifestFile = "tagmanifest-sha256.txt"
	ReadmeFile      = "README.html"
	HowToFile       = "VERIFY.txt"
	ProofCheckFile  = "check_proof.py" // checks the proofs of the custody log, with Python's own library

	PayloadFolder   = "data/"
	ReportName      = PayloadFolder + "report" // and .html, .pdf, .json
	CrateFile       = PayloadFolder + "ro-crate-metadata.json"
	LeftOutFile     = PayloadFolder + "left-out.txt" // a sentence a line: what the bundle lacks, and why; missing where that is nothing
	MediaFolder     = PayloadFolder + "media/"       // N-received-NAME, N-sent-NAME; N is the result's number, from 1
	AnswersFolder   = PayloadFolder + "answers/"     // N.json; earlier answers N-1.json, N-2.json, the oldest first
	ArtifactsFolder = PayloadFolder + "artifacts/"   // N-KIND-MODEL.EXT
	CustodyFolder   = PayloadFolder + "custody/"
	EntriesFile     = CustodyFolder + "entries.ndjson"
	LogKeyFile      = CustodyFolder + "log-key.txt" // a line, the custody log's public key, as custody.VerifierKey makes it; missing where nothing is signed
	DeskFolder      = PayloadFolder + "desk/"       // of a shared case: ID.event, ID.sig and ID.content of each judgement, sign-off and answer that was signed off; DEVICE.pem

	SealFolder         = "seal/"
	SignatureFile      = SealFolder + TagManifestFile + ".sig"
	AllowedSignersFile = SealFolder + "allowed_signers"
	StampFile          = SealFolder + TagManifestFile + ".tsr" // of the first authority
	SecondStampFile    = SealFolder + TagManifestFile + ".2.tsr"
	ChainFile          = SealFolder + "tsa-chain.pem" // certificates of the first authority, and of those who vouch for it
	SecondChainFile    = SealFolder + "tsa-chain.2.pem"
	StampTimesFile     = SealFolder + "stamps.txt" // how to check the stamps, at their times
)

// Endings of files in AnswersFolder and CustodyFolder, after the number: of the result, and of the custody log's entry (custody.Entry's Seq).
const (
	AnswerEnding   = ".json"
	ReceivedEnding = ".received-sha256" // the hash of the answer as it was received, where signed queries were removed from it: hex and a line feed
	EntryEnding    = ".entry"           // the bytes that the log's hashes cover: custody.Entry's Text
	ProofEnding    = ".tlog-proof"      // c2sp.org/tlog-proof@v1, with the signed checkpoint
)

// Endings of files in DeskFolder, after the ID of an event or of a computer.
const (
	SignedEnding    = ".event"   // the bytes that the signature is over: desk.Event's Signed
	SignatureEnding = ".sig"     // Ed25519, 64 bytes
	ContentEnding   = ".content" // the bytes whose SHA-256 is the event's digest: desk.Event's Content; missing where a file's name is left out
	DeviceKeyEnding = ".pem"     // the public key of the computer that signed
)

// BagItText is what BagItFile holds.
const BagItText = "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"

// The names of lines in InfoFile. BagIt defines those that do not begin with Assay.
const (
	InfoDate       = "Bagging-Date"
	InfoOxum       = "Payload-Oxum"
	InfoIdentifier = "External-Identifier" // the case's ID, or the request ID of the only result
	InfoNote       = "External-Description"
	InfoAgent      = "Bag-Software-Agent"
	InfoVersion    = "Assay-Version"
	InfoFormat     = "Assay-Bundle"  // FormatVersion
	InfoSandbox    = "Assay-Sandbox" // "true" where the results are the sandbox's
)

// FormatVersion is the version of this layout. A later Assay that writes what this one could not verify increases it.
const FormatVersion = "1"

// What ssh-keygen -Y verify is told of a seal.
const (
	SealNamespace = "assay-bundle"
	SealIdentity  = "desk"
)

// FolderEnding is the extension that a bundle's folder may have.
const FolderEnding = ".assay"

// ZipEnding is the extension of a bundle in one file. The files in it are stored, not compressed: the same content can be compressed in many ways, so that
// a byte of it could be changed without a trace.
const ZipEnding = ".zip"

// IsName reports whether a path names a bundle to write: a .zip, or a folder, which has no extension or FolderEnding.
func IsName(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case "", FolderEnding, ZipEnding:
		return true
	}
	return false
}

// isZip reports whether a path names a bundle in one file.
func isZip(path string) bool { return strings.EqualFold(filepath.Ext(path), ZipEnding) }

// manifestEscapes are what BagIt has encoded in the paths of manifests.
var manifestEscapes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
