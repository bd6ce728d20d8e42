package gui

import (
	"context"

	"assay/client"
)

// Desk is what the window asks of the process that it runs in. Its methods block: they are called on workers, unless they say
// otherwise.
type Desk interface {
	// Open goes over to the service that the settings name by now, and returns what there is afterwards, also beside an error: the
	// session that was there goes on where it still does, else it was opened anew. The window works with none meanwhile.
	Open(ctx context.Context) (Session, error)
	// Check asks a service once whether it is there and takes the key. It keeps neither. An error is a *client.Error, or ctx's.
	Check(ctx context.Context, address, key string, network client.Network) error
	// Waiting is how many files and links were handed over while there was no session; the next one takes them. It returns at once.
	Waiting() int
	// Raised receives what a later start was given while there was no session, also nothing; it returns at once.
	Raised() <-chan []string
	// Speak has everything said from now on in the language that the settings name by now.
	Speak(ctx context.Context) error
	// Diagnostics is what a person can show others of the state that Assay is in: no key, no name, no link.
	Diagnostics(ctx context.Context) string
	// FreeBytes is how much may still be written to the disk that Assay keeps everything on, 0 where that can't be told. It asks the disk.
	FreeBytes() int64
	// CrashReport is what is known of the run that ended badly, without anything secret.
	CrashReport(ctx context.Context) (string, error)
}

// Entries are Assay's entries in the person's desktop. Its methods write to the disk or the registry.
type Entries interface {
	Autostart(on bool) error
	OpenWith(on bool) error
	SendTo(on bool) error
	Possible() (autostart, openWith, sendTo bool)
}
