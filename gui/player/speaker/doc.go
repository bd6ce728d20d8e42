// Package speaker is the computer's sound device as a player.Output. It imports oto, which needs cgo on Linux.
package speaker
