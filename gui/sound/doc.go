// Package sound decodes recordings to PCM, finds their peaks and plays them through an Output.
package sound
