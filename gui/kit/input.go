package kit

import (
	"sync/atomic"

	"fyne.io/fyne/v2"
)

// byPointer is whether the person used the pointer last, not the keyboard. Then a control that gets the focus shows no ring round it.
var byPointer atomic.Bool

// PointerUsed is called when the person presses a button of the pointer. Every Control calls it.
func PointerUsed() { byPointer.Store(true) }

// KeyboardUsed is called when the person presses a key. Every Control and Field calls it; the window calls it where nothing has the focus.
func KeyboardUsed() { byPointer.Store(false) }

// ByKeyboard reports whether the focus is to be marked: the person used the keyboard last.
func ByKeyboard() bool { return !byPointer.Load() }

// stillness is whether the person wants reduced motion.
var stillness atomic.Bool

// ReduceMotion sets whether the person wants reduced motion.
func ReduceMotion(reduce bool) { stillness.Store(reduce) }

// Moves reports whether things may move by themselves: the person has reduced motion neither here nor in the toolkit's settings.
func Moves() bool { return !stillness.Load() && fyne.CurrentApp().Settings().ShowAnimations() }
