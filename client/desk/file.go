package desk

// ShareFile says that a file of a result is kept beside the database. About: the result; File.
const ShareFile Kind = "share_artifact"

// File is a file of a result that is kept where all members can reach it, beside the database.
type File struct {
	Kind   string `json:"kind"`            // see store.Artifact
	Model  string `json:"model,omitempty"` // of a heatmap
	Size   int64  `json:"size"`            // bytes
	Stored string `json:"stored"`          // its name there: the SHA-256 of what is kept, hex
	Key    []byte `json:"key,omitempty"`   // by which that is encrypted, see package files; none: it is kept as it is
}

// Keeping is how files of a case are kept beside the database.
type Keeping string

// The choices.
const (
	KeepNone      Keeping = ""
	KeepPlain     Keeping = "plain"
	KeepEncrypted Keeping = "encrypted" // with keys that only those in the case, and the database's admin, can read
)
