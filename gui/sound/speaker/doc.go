// Package speaker is the sound card as a sound.Output.
package speaker
