// Package film takes still frames out of clips by way of client/ffmpeg, and knows no window toolkit. Its functions read a disk and wait
// for another program: call them on a worker.
package film
