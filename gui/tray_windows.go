package gui

import (
	"context"
	"encoding/binary"
)

// trayOnUI says that the tray is called on the UI thread, to which its window belongs.
const trayOnUI = true

func hasTray(context.Context) bool { return true }

// trayImage is a picture as the tray takes it: an icon file of one entry, which may hold a PNG as it is.
func trayImage(png []byte) []byte {
	const head, entry = 6, 16
	icon := make([]byte, head+entry, head+entry+len(png))
	binary.LittleEndian.PutUint16(icon[2:], 1) // an icon
	binary.LittleEndian.PutUint16(icon[4:], 1) // of one entry
	icon[head], icon[head+1] = traySide, traySide
	binary.LittleEndian.PutUint16(icon[head+4:], 1)                // planes
	binary.LittleEndian.PutUint16(icon[head+6:], 32)               // bits a pixel
	binary.LittleEndian.PutUint32(icon[head+8:], uint32(len(png))) //nolint:gosec // the icon of this program
	binary.LittleEndian.PutUint32(icon[head+12:], head+entry)
	return append(icon, png...)
}
