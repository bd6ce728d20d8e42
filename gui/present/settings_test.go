package present_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"assay/client/config"
	"assay/client/keys"
	"assay/gui/present"
)

func TestSettingsSections(t *testing.T) {
	if names := present.SettingsSections(); len(names) != int(present.SettingsAbout)+1 || slices.Contains(names, "") {
		t.Errorf("%q", names)
	}
}

// leaves are the keys of all settings, by their names in the file.
func leaves(of reflect.Type, before string) (all []present.SettingKey) {
	for i := range of.NumField() {
		f := of.Field(i)
		name := before + f.Tag.Get("json")
		if f.Type.Kind() == reflect.Struct {
			all = append(all, leaves(f.Type, name+".")...)
			continue
		}
		all = append(all, present.SettingKey(name))
	}
	return all
}

func TestSettingKeys(t *testing.T) {
	known := leaves(reflect.TypeFor[config.Settings](), "")
	for _, key := range []present.SettingKey{
		present.SettingUse, present.SettingAddress, present.SettingGateFiles, present.SettingGateLinks, present.SettingGateFolders,
		present.SettingUploads, present.SettingAnswers, present.SettingDecisions, present.SettingTheme, present.SettingScale,
		present.SettingLanguage, present.SettingPreview, present.SettingProxy, present.SettingCertificates, present.SettingVault,
		present.SettingTray, present.SettingCloseHides, present.SettingAutostart, present.SettingOpenWith, present.SettingSendTo,
	} {
		if !slices.Contains(known, key) {
			t.Errorf("no setting is called %s", key)
		}
		known = slices.DeleteFunc(known, func(k present.SettingKey) bool { return k == key })
	}
	if !slices.Equal(known, []present.SettingKey{"service.uploadPath"}) { // for IT and the file alone
		t.Errorf("without a control: %v", known)
	}
}

func TestOriginWords(t *testing.T) {
	for origin, wantFixed := range map[present.SettingOrigin]bool{
		config.ByDefault: false, config.ByManaged: false, config.ByPerson: false,
		config.ByEnvironment: true, config.ByFlag: true, config.Locked: true,
	} {
		if why, fixed := present.OriginWords(origin); fixed != wantFixed || (why == "") == fixed {
			t.Errorf("origin %d: %q, %t", origin, why, fixed)
		}
	}
}

func TestSettingsChoices(t *testing.T) {
	defaults := config.Defaults()
	for name, c := range map[string]struct {
		words  int
		values int
		place  int
	}{
		"themes":    {len(present.ThemeChoices().Words), len(present.ThemeChoices().Values), slices.Index(present.ThemeChoices().Values, defaults.Appearance.Theme)},
		"scales":    {len(present.ScaleChoices().Words), len(present.ScaleChoices().Values), slices.Index(present.ScaleChoices().Values, defaults.Appearance.Scale)},
		"languages": {len(present.LanguageChoices().Words), len(present.LanguageChoices().Values), slices.Index(present.LanguageChoices().Values, defaults.Appearance.Language)},
		"previews":  {len(present.PreviewChoices().Words), len(present.PreviewChoices().Values), slices.Index(present.PreviewChoices().Values, defaults.Appearance.Preview)},
		"uploads":   {len(present.UploadChoices().Words), len(present.UploadChoices().Values), slices.Index(present.UploadChoices().Values, defaults.Uploads)},
		"vault":     {len(present.VaultChoices().Words), len(present.VaultChoices().Values), slices.Index(present.VaultChoices().Values, defaults.Storage.VaultMegabytes)},
		"gates":     {len(present.GateChoices()), len(present.GateValues()), slices.Index(present.GateValues(), defaults.Gates.Files)},
	} {
		if c.words != c.values || c.place < 0 {
			t.Errorf("%s: %d words for %d values, the default is at %d", name, c.words, c.values, c.place)
		}
	}
	t.Run("a value that is not offered is shown all the same", func(t *testing.T) {
		c := present.VaultChoices()
		n := len(c.Values)
		if at := c.Place(777, present.MegabytesWords); at != n || c.Words[at] != "777 MB" {
			t.Errorf("%d: %q", at, c.Words)
		}
		if at := c.Place(777, present.MegabytesWords); at != n || len(c.Words) != n+1 {
			t.Errorf("it was added twice: %q", c.Words)
		}
	})
}

func TestKeyWords(t *testing.T) {
	for _, c := range []struct {
		name           string
		state          present.KeyState
		words, problem string
	}{
		{"none", present.KeyState{}, "There is no key", ""},
		{"in the keychain", present.KeyState{Where: keys.InKeychain}, "keychain", ""},
		{"for this run", present.KeyState{Where: keys.ForThisRun, Problem: &keys.Problem{Cause: keys.Absent}}, "forgotten when Assay ends", "no keychain"},
		{"from the environment", present.KeyState{Where: keys.FromEnvironment}, "ASSAY_API_KEY", ""},
		{"a locked keychain", present.KeyState{Problem: &keys.Problem{Cause: keys.Locked}, Waiting: true}, "not known yet", "locked"},
		{"one that waits", present.KeyState{Waiting: true}, "not known yet", "unlock it"},
	} {
		t.Run(c.name, func(t *testing.T) {
			words, problem := present.KeyWords(c.state)
			if !strings.Contains(words, c.words) || !strings.Contains(problem, c.problem) || (problem == "") != (c.problem == "") {
				t.Errorf("%q, %q", words, problem)
			}
		})
	}
}

func TestLeaveWords(t *testing.T) {
	for n, want := range map[int]string{0: "Each service has", 1: "1 submission is under way", 3: "3 submissions are under way"} {
		title, text, yes := present.ServiceNow{UnderWay: n}.LeaveWords("https://b.example")
		if title != "Go over to https://b.example?" || !strings.HasPrefix(text, want) || yes == "" {
			t.Errorf("%d: %q, %q, %q", n, title, text, yes)
		}
	}
}
