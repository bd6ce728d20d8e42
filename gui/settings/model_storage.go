package settings

import (
	"time"

	"assay/client/i18n"
)

// Storage is what Assay's files take on this computer.
type Storage struct {
	Vault   int64 // bytes of copies of what stands behind results
	Records int64 // of submissions, results and the custody log
	Free    int64 // on the disk; -1: not known
	Places  []StoragePlace
}

// StoragePlace is a folder or file of Assay's.
type StoragePlace struct {
	Words string // what lies there, made with i18n
	Path  string
}

// Words say what there is, a line each.
func (s Storage) Words() []string {
	lines := []string{
		i18n.F("Vault: %s of copies of originals, heatmaps and pages", i18n.Size(s.Vault)),
		i18n.F("Records: %s of results and the custody log", i18n.Size(s.Records)),
	}
	if s.Free >= 0 {
		lines = append(lines, i18n.F("Free on this disk: %s", i18n.Size(s.Free)))
	}
	return lines
}

// PurgeWords ask whether to empty the vault.
func PurgeWords(vault int64) (title, text, yes string) {
	return i18n.T("Empty the vault?"),
		i18n.F("%s of local copies are removed: originals, thumbnails, heatmaps and pages. This can't be undone. Results, judgements and the custody log stay. What the service still has is fetched again when you look at it; what it has deleted is gone.", i18n.Size(vault)),
		i18n.T("Empty the vault")
}

// PurgedWords say what came of it.
func PurgedWords(freed int64) string {
	return i18n.F("The vault is empty: %s were freed.", i18n.Size(freed))
}

// About is what Assay says of itself.
type About struct {
	Version string // "0.7.0 (3f2a1c9)"
	// Crashed is when the run ended of which there is a report; zero: there is none.
	Crashed time.Time
	// Licences are read when somebody wants to see them; nil: there are none.
	Licences func() []Licence
}

// Licence is the text under which a part of Assay is passed on, broken into lines. Version may be empty.
type Licence struct{ Name, Version, Text string }

// DesktopReasons say in a sentence each why this desktop can't do something; "" where it can.
type DesktopReasons struct{ Tray, Autostart, OpenWith, SendTo string }

// CrashWords say of which crash there is a report.
func CrashWords(at time.Time) string {
	return i18n.F("Assay ended unexpectedly on %s. The report says where in the program that was. It holds no key, no name and no link. Read it before you pass it on.",
		i18n.DayTime(at, time.Time{}))
}
