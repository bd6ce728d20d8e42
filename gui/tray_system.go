package gui

import (
	"bytes"
	"context"
	"encoding/binary"
	"image"
	"image/color"
	"image/png"
	"runtime"
	"sync"

	"fyne.io/systray"

	"assay/assets"
)

// trayOnUI says that the tray is called on the UI thread, which owns its window. On Linux it uses a bus, and may have to wait.
const trayOnUI = runtime.GOOS != "linux"

// systemTray is the system's tray. The toolkit's own is shown only if it is set up before the window opens, and its menu closes at each change of a
// word.
type systemTray struct {
	mu     sync.Mutex
	end    func()
	items  struct{ state, open, cover, whole, quit *systray.MenuItem }
	closed chan struct{}
	taking sync.WaitGroup
}

// Possible implements trayIcon.
func (*systemTray) Possible(ctx context.Context) bool { return hasTray(ctx) }

// Show implements trayIcon.
func (s *systemTray) Show(w trayWords, d trayActions) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.end != nil {
		return
	}
	start, end := systray.RunWithExternalLoop(nil, nil)
	systray.SetTitle("Assay")
	systray.SetTooltip("Assay")
	systray.SetIcon(trayImage(trayPicture()))
	systray.SetOnTapped(d.Open)
	s.items.state = systray.AddMenuItem(w.State, "")
	s.items.state.Disable()
	systray.AddSeparator()
	s.items.open = systray.AddMenuItem(w.Open, "")
	s.items.cover = systray.AddMenuItem(w.Cover, "")
	s.items.whole = systray.AddMenuItem(w.PauseOrResume, "")
	systray.AddSeparator()
	s.items.quit = systray.AddMenuItem(w.Quit, "")
	s.enable(w)
	s.closed = make(chan struct{})
	open, cover, whole, quit := s.items.open.ClickedCh, s.items.cover.ClickedCh, s.items.whole.ClickedCh, s.items.quit.ClickedCh
	s.taking.Go(func() {
		for {
			select {
			case <-open:
				d.Open()
			case <-cover:
				d.Cover()
			case <-whole:
				d.PauseOrResume()
			case <-quit:
				d.Quit()
			case <-s.closed:
				return
			}
		}
	})
	start()
	s.end = end
}

// Say implements trayIcon.
func (s *systemTray) Say(w trayWords) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.end == nil {
		return
	}
	for item, words := range map[*systray.MenuItem]string{
		s.items.state: w.State, s.items.open: w.Open, s.items.cover: w.Cover, s.items.whole: w.PauseOrResume, s.items.quit: w.Quit,
	} {
		item.SetTitle(words)
	}
	s.enable(w)
}

func (s *systemTray) enable(w trayWords) {
	if w.Can {
		s.items.whole.Enable()
		return
	}
	s.items.whole.Disable()
}

// Close implements trayIcon.
func (s *systemTray) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.end == nil {
		return
	}
	s.end()
	close(s.closed)
	s.taking.Wait()
	s.end = nil
}

// traySide is the side of the tray's picture in pixels: more than any tray shows.
const traySide = 64

// trayPicture is Assay's icon as a PNG of that size.
func trayPicture() []byte {
	icon, err := png.Decode(bytes.NewReader(assets.Icon))
	if err != nil {
		return assets.Icon
	}
	small := image.NewNRGBA(image.Rect(0, 0, traySide, traySide))
	step := icon.Bounds().Dx() / traySide
	for y := range traySide {
		for x := range traySide {
			small.SetNRGBA(x, y, average(icon, image.Rect(x*step, y*step, (x+1)*step, (y+1)*step)))
		}
	}
	var out bytes.Buffer
	if err := png.Encode(&out, small); err != nil {
		return assets.Icon
	}
	return out.Bytes()
}

// trayImage is a picture in the form for the system's tray: on Windows an icon file with one entry, which may hold a PNG.
func trayImage(png []byte) []byte {
	if runtime.GOOS != "windows" {
		return png
	}
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

// average is the mean colour of part of a picture.
func average(of image.Image, part image.Rectangle) color.NRGBA {
	var r, g, b, a, n uint32
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			red, green, blue, alpha := of.At(x, y).RGBA()
			r, g, b, a, n = r+red>>8, g+green>>8, b+blue>>8, a+alpha>>8, n+1
		}
	}
	if n == 0 {
		return color.NRGBA{}
	}
	premultiplied := color.RGBA{R: uint8(r / n), G: uint8(g / n), B: uint8(b / n), A: uint8(a / n)} //nolint:gosec // means of bytes
	return color.NRGBAModel.Convert(premultiplied).(color.NRGBA)
}
