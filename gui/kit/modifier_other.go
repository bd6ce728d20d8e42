//go:build !darwin

package kit

import "assay/client/i18n"

// usualModifier is what stands on the key, which differs from one language's keyboards to another's.
func usualModifier() string { return i18n.T("Ctrl") }
