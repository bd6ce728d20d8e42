//go:build !darwin

package kit

import "assay/client/i18n"

// usualModifier is the name of the modifier key, which keyboards of different languages label differently.
func usualModifier() string { return i18n.T("Ctrl") }
