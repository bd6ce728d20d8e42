// Package film takes still frames out of clips.
package film
