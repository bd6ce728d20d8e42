// Package custody is the tamper-evident log of what was done with submissions: its events, its entries, the chain of their hashes, and the
// tree over all of them. It opens no file; client/store stores the log. It imports client/submission, and the trees and notes of golang.org/x/mod/sumdb.
package custody

// Event is what was done with a submission, as it is written in the log.
type Event string

// The events. Their texts are part of the log's hashes: none may ever be changed or given another meaning.
const (
	None Event = "" // nothing that is logged

	Accepted                Event = "accepted" // handed over
	Pulled                  Event = "pulled"   // from the service's list
	Removed                 Event = "removed"
	Hashed                  Event = "hashed"
	UploadURLReceived       Event = "address received"
	SendingBegun            Event = "sending"
	Sent                    Event = "sent"
	ChangedWhileSent        Event = "changed while it was sent" // what was sent does not count
	LinkSubmitted           Event = "link submitted"
	TakenByService          Event = "taken by the service" // its request ID is known
	FoundInList             Event = "found in the list"    // of the service, after its answer was lost
	Refetch                 Event = "to be fetched again"  // a link, by the service
	Duplicate               Event = "handed over before"   // it shows the primary's answer
	NoDuplicate             Event = "on its own"           // it was a duplicate
	Retried                 Event = "tried again"
	Paused                  Event = "paused"
	Resumed                 Event = "resumed"
	Cancelled               Event = "cancelled"
	Refused                 Event = "refused"
	Failed                  Event = "failed" // until it is tried again
	Answered                Event = "answered"
	Replaced                Event = "replaced by newer bytes" // its file was written again
	Held                    Event = "held for a decision"
	Approved                Event = "allowed to leave"
	ApprovedWithoutMetadata Event = "allowed to leave without metadata" // as a copy
	ApprovedAsCopy          Event = "allowed to leave as a copy"        // in another format, or a part of it
	CopyMade                Event = "copy made"                         // in another format, without asking
	Withheld                Event = "kept on this computer"             // by the person
	NeverByPerson           Event = "never leaves: by the person's word"
	NeverByFolder           Event = "never leaves: by its folder"
	NeverBySource           Event = "never leaves: by its source"
	NeverByLock             Event = "never leaves: locked by IT"
	Moved                   Event = "moved"                       // its file, to another folder
	Filed                   Event = "filed"                       // out of the inbox
	FeedbackSent            Event = "feedback sent"               // the service has it
	TakenOver               Event = "taken over from a colleague" // an answer that was shared over the desk; nothing was sent
	Shared                  Event = "shared by a colleague"       // an answer that came over the desk; its file is not here
	Seen                    Event = "seen"                        // by a person: that its answer differs from the one before on the same content
)
