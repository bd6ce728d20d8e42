package settings

import (
	"slices"
	"time"

	"assay/client/config"
	"assay/client/i18n"
	"assay/client/submission"
	"assay/gui/present"
)

// The keys of the settings that have a control.
const (
	SettingUse          config.Key = "service.use"
	SettingAddress      config.Key = "service.address"
	SettingGateFiles    config.Key = "gates.files"
	SettingGateLinks    config.Key = "gates.links"
	SettingGateFolders  config.Key = "gates.folders"
	SettingCopies       config.Key = "copies"
	SettingUploads      config.Key = "uploads"
	SettingAnswers      config.Key = "notifications.answers"
	SettingDecisions    config.Key = "notifications.decisions"
	SettingTheme        config.Key = "appearance.theme"
	SettingScale        config.Key = "appearance.scale"
	SettingLanguage     config.Key = "appearance.language"
	SettingCareful      config.Key = "appearance.careful"
	SettingBreaks       config.Key = "appearance.breakMinutes"
	SettingReduceMotion config.Key = "appearance.reduceMotion"
	SettingProxy        config.Key = "network.proxy"
	SettingCertificates config.Key = "network.certificates"
	SettingVault        config.Key = "storage.vaultMegabytes"
	SettingTray         config.Key = "desktop.tray"
	SettingCloseHides   config.Key = "desktop.closeHides"
	SettingAutostart    config.Key = "desktop.autostart"
	SettingOpenWith     config.Key = "desktop.openWith"
	SettingSendTo       config.Key = "desktop.sendTo"
	SettingDesk         config.Key = "desk.address"
	SettingSigners      config.Key = "signers"
	SettingStamps       config.Key = "stamps"
	SettingUpdates      config.Key = "updates.check"
)

// Section is one page of the settings.
type Section int

// The sections, in their order.
const (
	SectionService Section = iota
	SectionSending
	SectionAppearance
	SectionDesktop
	SectionNetwork
	SectionStorage
	SectionEvidence
	SectionDesk
	SectionAbout
)

// SectionNames are the names of the sections.
func SectionNames() []string {
	return []string{
		SectionService:    i18n.T("Service"),
		SectionSending:    i18n.T("Sending"),
		SectionAppearance: i18n.T("Appearance"),
		SectionDesktop:    i18n.T("Desktop"),
		SectionNetwork:    i18n.T("Network"),
		SectionStorage:    i18n.T("Storage"),
		SectionEvidence:   i18n.T("Evidence"),
		SectionDesk:       i18n.T("Desk"),
		SectionAbout:      i18n.T("About"),
	}
}

// OriginWords say why a setting can't be changed here; fixed is false where it can be.
func OriginWords(o config.Origin) (why string, fixed bool) {
	why = o.Sentence()
	return why, why != ""
}

// Choice is a setting of a few values, with their words.
type Choice[T comparable] struct {
	Words  []string
	Values []T
}

// Place is the index of a value among the choices; a value that is not offered is added at the end, so that the present one is always shown.
func (c *Choice[T]) Place(value T, words func(T) string) int {
	if at := slices.Index(c.Values, value); at >= 0 {
		return at
	}
	c.Values = append(c.Values, value)
	c.Words = append(c.Words, words(value))
	return len(c.Values) - 1
}

// GateChoices are the words of the gates, in the order of GateValues.
func GateChoices() []present.Option {
	return []present.Option{
		{Words: i18n.T("Public: sent at once"), Means: i18n.T("Assay sends it as soon as you add it.")},
		{Words: i18n.T("Sensitive: asks first"), Means: i18n.T("It waits in the inbox. You see exactly what would be sent and decide.")},
		{Words: i18n.T("Source-identifying: never leaves"), Means: i18n.T("It is listed in the inbox and never leaves this computer.")},
	}
}

// GateValues are the gates of GateChoices.
func GateValues() []submission.Gate {
	return []submission.Gate{submission.GateSend, submission.GateAsk, submission.GateNever}
}

// ThemeChoices are how the window may look.
func ThemeChoices() Choice[string] {
	return Choice[string]{
		Words:  []string{i18n.T("Same as the system"), i18n.T("Light"), i18n.T("Dark"), i18n.T("High contrast")},
		Values: []string{"", "light", "dark", "high-contrast"},
	}
}

// ScaleChoices are how large everything may be.
func ScaleChoices() Choice[float64] {
	c := Choice[float64]{Words: []string{i18n.T("Same as the system")}, Values: []float64{0}}
	for _, scale := range []float64{0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2} {
		c.Words, c.Values = append(c.Words, ScaleWords(scale)), append(c.Values, scale)
	}
	return c
}

// ScaleWords is a scale in per cent.
func ScaleWords(scale float64) string {
	return i18n.Percent(scale*100, 0)
}

// BreakChoices are after how many minutes the window reminds of a break.
func BreakChoices() Choice[int] {
	c := Choice[int]{Words: []string{i18n.T("Off")}, Values: []int{0}}
	for _, minutes := range []int{30, 60} {
		c.Words, c.Values = append(c.Words, breakWords(minutes)), append(c.Values, minutes)
	}
	return c
}

func breakWords(minutes int) string { return i18n.N(minutes, "Every %s minute", "Every %s minutes") }

// LanguageChoices are the languages in their own names.
func LanguageChoices() Choice[string] {
	c := Choice[string]{Words: []string{i18n.T("Same as the system")}, Values: []string{""}}
	for _, name := range i18n.All() {
		c.Words, c.Values = append(c.Words, name.Text), append(c.Values, name.Code)
	}
	return c
}

// CarefulChoices are how careful the window is with what may be disturbing.
func CarefulChoices() ([]present.Option, []string) {
	return []present.Option{
		{Words: i18n.T("Off"), Means: i18n.T("Pictures are shown as they are.")},
		{Words: i18n.T("Careful with watched folders"), Means: i18n.T("Their pictures are blurred and grey until you click Show. All others are shown as they are.")},
		{Words: i18n.T("Careful"), Means: i18n.T("Every picture is blurred and grey until you click Show. When you move on, it is covered again.")},
		{Words: i18n.T("Most careful"), Means: i18n.T("Lists show no pictures. An open picture is covered: the first click shows it in grey, the second in colour.")},
	}, []string{string(present.CarefulOff), string(present.CarefulWatched), string(present.CarefulAll), string(present.CarefulMost)}
}

// CopyChoices are whether copies of files that the service does not take are sent without asking.
func CopyChoices() ([]present.Option, []string) {
	return []present.Option{
		{Words: i18n.T("Ask me"), Means: i18n.T("The file waits in the inbox until you send the copy.")},
		{Words: i18n.T("Always send a copy"), Means: i18n.T("Files that ask first still ask. Files that never leave still stay here.")},
	}, []string{string(submission.CopiesAsk), string(submission.CopiesAlways)}
}

// UploadChoices are how many files may be uploaded at a time.
func UploadChoices() Choice[int] {
	var c Choice[int]
	for n := 1; n <= 8; n++ {
		c.Words, c.Values = append(c.Words, i18n.Count(n)), append(c.Values, n)
	}
	return c
}

// VaultChoices are how large the vault may grow, in megabytes.
func VaultChoices() Choice[int] {
	var c Choice[int]
	for _, megabytes := range []int{256, 512, 1024, 2048, 5120, 10240, 20480, 51200} {
		c.Words, c.Values = append(c.Words, MegabytesWords(megabytes)), append(c.Values, megabytes)
	}
	return c
}

// MegabytesWords is a size in words.
func MegabytesWords(megabytes int) string { return i18n.Size(int64(megabytes) << 20) }

// Storage is how much room Assay's files take.
type Storage struct {
	Vault   int64 // bytes of artifacts
	Records int64 // of submissions, results and the custody log
	Free    int64 // on the disk; -1: not known
	Places  []StoragePlace
}

// StoragePlace is a folder or file of Assay's.
type StoragePlace struct {
	Words string // what is in it, made with i18n
	Path  string
}

// Words say how much there is, a line each.
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
		i18n.F("This removes %s of local copies: originals, thumbnails, heatmaps and pages. You can't undo it. Results, judgements and the custody log stay. Assay fetches a copy again when you need it, unless the service has deleted it.", i18n.Size(vault)),
		i18n.T("Empty the vault")
}

// PurgedWords say how much was freed.
func PurgedWords(freed int64) string {
	return i18n.F("The vault is empty. That freed %s.", i18n.Size(freed))
}

// About is what the page about Assay shows.
type About struct {
	Version string // "0.7.0 (3f2a1c9)"
	// Crashed is when the run crashed of which there is a report; zero: there is none.
	Crashed time.Time
	// Licences reads the licences, when somebody opens them; nil: there are none.
	Licences func() []Licence
}

// Licence is the licence of a part of Assay, broken into lines. Version may be empty.
type Licence struct{ Name, Version, Text string }

// DesktopReasons say, a sentence each, why this desktop can't do something; "" where it can.
type DesktopReasons struct{ Tray, Autostart, OpenWith, SendTo string }

// CrashWords say when the run crashed of which there is a report.
func CrashWords(at time.Time) string {
	return i18n.F("Assay quit unexpectedly on %s. The report says where in the program. It contains no key, no name and no link. Read it before you pass it on.",
		i18n.DayTime(at, time.Time{}))
}
