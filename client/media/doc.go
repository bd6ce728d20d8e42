// Package media knows a local file before it is sent: its kind, cap, the name it is sent under and its SHA-256.
// It may import the standard library, assay/client and assay/client/i18n; nothing else of Assay.
//
// Functions that touch the disk block, so they belong on workers. A dead network share may hold one of them for as long
// as the operating system does: ctx is looked at between system calls, not within.
package media
