package settings

import (
	"assay/client/config"
	"assay/client/i18n"
	"assay/gui/present"
)

// GateChoices are the gates in words, in the order of GateValues.
func GateChoices() []present.Option {
	return []present.Option{
		{Words: i18n.T("Public: sent at once"), Means: i18n.T("It goes to the service as soon as it is handed over.")},
		{Words: i18n.T("Sensitive: asks first"), Means: i18n.T("It waits in the inbox. You see exactly what would be sent, and decide.")},
		{Words: i18n.T("Source-identifying: never leaves"), Means: i18n.T("It is listed here, and never leaves this computer.")},
	}
}

// GateValues are what GateChoices stand for.
func GateValues() []config.Gate {
	return []config.Gate{config.GatePublic, config.GateSensitive, config.GateNever}
}

// ThemeChoices are how the window may look.
func ThemeChoices() Choice[string] {
	return Choice[string]{
		Words:  []string{i18n.T("As the system has it"), i18n.T("Light"), i18n.T("Dark"), i18n.T("High contrast")},
		Values: []string{"", "light", "dark", "high-contrast"},
	}
}

// ScaleChoices are how large everything may be.
func ScaleChoices() Choice[float64] {
	c := Choice[float64]{Words: []string{i18n.T("As the system has it")}, Values: []float64{0}}
	for _, scale := range []float64{0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2} {
		c.Words, c.Values = append(c.Words, ScaleWords(scale)), append(c.Values, scale)
	}
	return c
}

// ScaleWords is a scale in per cent.
func ScaleWords(scale float64) string {
	return i18n.Percent(scale*100, 0)
}

// LanguageChoices are the languages in their own names.
func LanguageChoices() Choice[string] {
	c := Choice[string]{Words: []string{i18n.T("As the system has it")}, Values: []string{""}}
	for _, name := range i18n.All() {
		c.Words, c.Values = append(c.Words, name.Text), append(c.Values, name.Code)
	}
	return c
}

// PreviewChoices are how disturbing material may be shown before a person asks to see it as it is.
func PreviewChoices() Choice[string] {
	return Choice[string]{
		Words: []string{
			i18n.T("Grey from watched folders, else as it is"), i18n.T("As it is"), i18n.T("Grey"), i18n.T("Blurred"),
		},
		Values: []string{
			present.PreviewChoice{}.Kept(), present.PreviewChoice{Made: true}.Kept(),
			present.PreviewChoice{Made: true, Preview: present.PreviewGrey}.Kept(), present.PreviewChoice{Made: true, Preview: present.PreviewBlurred}.Kept(),
		},
	}
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
