package settings_test

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"testing"

	"assay/client/config"
	"assay/client/keys"
	"assay/gui/settings"
)

func TestSettingsSections(t *testing.T) {
	if names := settings.SectionNames(); len(names) != int(settings.SectionAbout)+1 || slices.Contains(names, "") {
		t.Errorf("%q", names)
	}
}

// leaves are the keys of all settings, by their names in the file.
func leaves(of reflect.Type, before string) (all []config.Key) {
	for i := range of.NumField() {
		f := of.Field(i)
		name := before + f.Tag.Get("json")
		if f.Type.Kind() == reflect.Struct {
			all = append(all, leaves(f.Type, name+".")...)
			continue
		}
		all = append(all, config.Key(name))
	}
	return all
}

func TestSettingKeys(t *testing.T) {
	known := leaves(reflect.TypeFor[config.Settings](), "")
	for _, key := range []config.Key{
		settings.SettingUse, settings.SettingAddress, settings.SettingGateFiles, settings.SettingGateLinks, settings.SettingGateFolders,
		settings.SettingUploads, settings.SettingAnswers, settings.SettingDecisions, settings.SettingTheme, settings.SettingScale,
		settings.SettingLanguage, settings.SettingCareful, settings.SettingProxy, settings.SettingCertificates, settings.SettingVault,
		settings.SettingTray, settings.SettingCloseHides, settings.SettingAutostart, settings.SettingOpenWith, settings.SettingSendTo,
		settings.SettingReduceMotion, settings.SettingBreaks, settings.SettingCopies, settings.SettingSigners, settings.SettingStamps, settings.SettingUpdates, settings.SettingDesk,
	} {
		if !slices.Contains(known, key) {
			t.Errorf("no setting is called %s", key)
		}
		known = slices.DeleteFunc(known, func(k config.Key) bool { return k == key })
	}
	if !slices.Equal(known, []config.Key{"service.uploadPath"}) { // for IT and the file alone
		t.Errorf("without a control: %v", known)
	}
}

func TestOriginWords(t *testing.T) {
	for origin, wantFixed := range map[config.Origin]bool{
		config.ByDefault: false, config.ByManaged: false, config.ByPerson: false,
		config.ByEnvironment: true, config.ByFlag: true, config.Locked: true, config.LockUnread: true,
	} {
		if why, fixed := settings.OriginWords(origin); fixed != wantFixed || (why == "") == fixed {
			t.Errorf("origin %d: %q, %t", origin, why, fixed)
		}
	}
}

func TestSettingsChoices(t *testing.T) {
	defaults := config.Defaults()
	careful, levels := settings.CarefulChoices()
	copies, rules := settings.CopyChoices()
	for name, c := range map[string]struct {
		words  int
		values int
		place  int
	}{
		"themes":    {len(settings.ThemeChoices().Words), len(settings.ThemeChoices().Values), slices.Index(settings.ThemeChoices().Values, defaults.Appearance.Theme)},
		"scales":    {len(settings.ScaleChoices().Words), len(settings.ScaleChoices().Values), slices.Index(settings.ScaleChoices().Values, defaults.Appearance.Scale)},
		"languages": {len(settings.LanguageChoices().Words), len(settings.LanguageChoices().Values), slices.Index(settings.LanguageChoices().Values, defaults.Appearance.Language)},
		"careful":   {len(careful), len(levels), slices.Index(levels, defaults.Appearance.Careful)},
		"copies":    {len(copies), len(rules), slices.Index(rules, cmp.Or(defaults.Copies, "ask"))},
		"uploads":   {len(settings.UploadChoices().Words), len(settings.UploadChoices().Values), slices.Index(settings.UploadChoices().Values, defaults.Uploads)},
		"vault":     {len(settings.VaultChoices().Words), len(settings.VaultChoices().Values), slices.Index(settings.VaultChoices().Values, defaults.Storage.VaultMegabytes)},
		"gates":     {len(settings.GateChoices()), len(settings.GateValues()), slices.Index(settings.GateValues(), defaults.Gates.Files)},
	} {
		if c.words != c.values || c.place < 0 {
			t.Errorf("%s: %d words for %d values, the default is at %d", name, c.words, c.values, c.place)
		}
	}
	t.Run("a value that is not offered is shown all the same", func(t *testing.T) {
		c := settings.VaultChoices()
		n := len(c.Values)
		if at := c.Place(777, settings.MegabytesWords); at != n || c.Words[at] != "777 MB" {
			t.Errorf("%d: %q", at, c.Words)
		}
		if at := c.Place(777, settings.MegabytesWords); at != n || len(c.Words) != n+1 {
			t.Errorf("it was added twice: %q", c.Words)
		}
	})
}

func TestKeyWords(t *testing.T) {
	for _, c := range []struct {
		name           string
		state          keys.Status
		words, problem string
	}{
		{"none", keys.Status{}, "There is no key", ""},
		{"in the keychain", keys.Status{Where: keys.InKeychain}, "keychain", ""},
		{"for this run", keys.Status{Where: keys.ForThisRun, Problem: &keys.Problem{Cause: keys.Absent}}, "only until you quit", "no keychain"},
		{"from the environment", keys.Status{Where: keys.FromEnvironment}, "ASSAY_API_KEY", ""},
		{"a locked keychain", keys.Status{Problem: &keys.Problem{Cause: keys.Locked}, Waiting: true}, "has not given", "locked"},
		{"one that waits", keys.Status{Waiting: true}, "has not given", "Unlock"},
	} {
		t.Run(c.name, func(t *testing.T) {
			words, problem := settings.KeyWords(c.state)
			if !strings.Contains(words, c.words) || !strings.Contains(problem, c.problem) || (problem == "") != (c.problem == "") {
				t.Errorf("%q, %q", words, problem)
			}
		})
	}
}

func TestLeaveWords(t *testing.T) {
	for n, want := range map[int]string{0: "Each service has", 1: "1 file or link is under way", 3: "3 files and links are under way"} {
		title, text, yes := settings.ServiceNow{UnderWay: n}.LeaveWords("https://b.example")
		if title != "Switch to https://b.example?" || !strings.HasPrefix(text, want) || yes == "" {
			t.Errorf("%d: %q, %q, %q", n, title, text, yes)
		}
	}
}
