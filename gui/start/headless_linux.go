//go:build headless

package start

// A container's root has no certificates of authorities: these, Mozilla's, count where the system brings none at all.
import _ "golang.org/x/crypto/x509roots/fallback"
