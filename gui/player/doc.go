// Package player opens recordings, finds their peaks and plays them through an Output. It imports beep, client/ffmpeg and
// client/media/container, and knows neither the window toolkit nor a sound device: gui/player/speaker is the real Output.
//
// Open, Peaks and Detail read a disk and decode: call them on a worker. The methods of Player return at once, on any goroutine.
package player
