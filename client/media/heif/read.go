package heif

import (
	"bytes"
	"encoding/binary"
	"image"
	"math"
	"strings"

	"assay/client/media/container"
)

// About is what a file says of its primary picture besides the pixels. What it does not say is zero.
type About struct {
	AVIF    bool   // its pixels are AV1's, which Decode can't read
	Film    bool   // there is a sequence of pictures besides: a burst, or an animation
	Profile []byte // its colour profile (ICC)
	EXIF    []byte // a block as TIFF has it, which begins with "II" or "MM"
	XMP     []byte
	Colours Colours
}

// Colours are the numbers of a picture's colours, as ITU-T H.273 has them; 2 is "not said".
type Colours struct {
	Primaries, Transfer, Matrix int
	Limited                     bool // luma from 16 to 235
}

// The numbers of H.273 that are told apart here.
const (
	notSaid           = 2
	matrix709         = 1
	matrix2020        = 9
	transferPQ        = 16
	transferHLG       = 18
	PrimariesP3       = 12
	Primaries2020     = 9
	mostBlock         = 4 << 20 // of profile, EXIF and XMP each, in bytes
	mostItems         = 10_000
	fullBox           = 4 // bytes of version and flags
	longestBrandsRead = 256
)

// Read reads what a file says of itself. What is damaged is left out.
func Read(data []byte) About {
	src := container.SourceOf(data)
	a := About{Colours: Colours{notSaid, notSaid, notSaid, false}}
	read := false
	src.Boxes(src.Whole(), func(b container.Block) bool {
		switch {
		case b.Kind == "moov":
			a.Film = true
		case b.Kind == "ftyp":
			brands := string(src.Bytes(b.Content, longestBrandsRead))
			a.AVIF = strings.HasPrefix(brands, "avi") || strings.Contains(brands, "avif") && !strings.Contains(brands, "heic")
		case b.Kind == "meta" && !read:
			read = true
			m := meta{src: src, items: map[uint32]*item{}}
			m.read(container.Between(b.Content.Start+fullBox, b.Content.End))
			m.tell(&a)
		}
		return true
	})
	return a
}

// meta is the box with what a file says of its items.
type meta struct {
	src        *container.Source
	primary    uint32
	items      map[uint32]*item
	properties []container.Block
	idat       container.Span
}

// item is one thing in a file: a picture, or a block of EXIF or XMP.
type item struct {
	kind       string
	at         []container.Span
	properties []int // from 1, as in the file
}

func (m *meta) item(id uint32) *item {
	if m.items[id] == nil {
		m.items[id] = &item{}
	}
	return m.items[id]
}

func (m *meta) read(in container.Span) {
	m.src.Boxes(in, func(b container.Block) bool {
		if b.Kind == "idat" {
			m.idat = b.Content
		}
		return true
	})
	m.src.Boxes(in, func(b container.Block) bool {
		switch b.Kind {
		case "pitm":
			f := m.fields(b)
			m.primary = f.number(2 + 2*min(1, f.version))
		case "iinf":
			f := m.fields(b)
			f.number(2 + 2*min(1, f.version))
			m.src.Boxes(container.Between(b.Content.Start+int64(f.at), b.Content.End), func(b container.Block) bool {
				m.readInfo(b)
				return len(m.items) < mostItems
			})
		case "iloc":
			m.readPlaces(b)
		case "iprp":
			m.src.Boxes(b.Content, func(b container.Block) bool {
				switch b.Kind {
				case "ipco":
					m.src.Boxes(b.Content, func(p container.Block) bool {
						m.properties = append(m.properties, p)
						return len(m.properties) < mostItems
					})
				case "ipma":
					m.readAssociations(b)
				}
				return true
			})
		}
		return true
	})
}

// fields reads the numbers of a box with version and flags.
func (m *meta) fields(b container.Block) *fields {
	data := m.src.Bytes(b.Content, mostBlock)
	f := &fields{data: data}
	if head := f.number(fullBox); !f.short {
		f.version, f.flags = int(head>>24), head&0xffffff
	}
	return f
}

type fields struct {
	data    []byte
	at      int
	version int
	flags   uint32
	short   bool // the box ended before
}

// number reads a number of up to 4 bytes.
func (f *fields) number(bytes int) (n uint32) {
	if f.short = f.short || f.at+bytes > len(f.data); f.short {
		return 0
	}
	for range bytes {
		n = n<<8 | uint32(f.data[f.at])
		f.at++
	}
	return n
}

// offset reads a number of 0, 4 or 8 bytes.
func (f *fields) offset(bytes int) int64 {
	high := uint32(0)
	if bytes == 8 {
		high, bytes = f.number(4), 4
	}
	return int64(high&math.MaxInt32)<<32 | int64(f.number(bytes))
}

// readInfo reads what kind of item there is.
func (m *meta) readInfo(b container.Block) {
	f := m.fields(b)
	if b.Kind != "infe" || f.version < 2 {
		return
	}
	id := f.number(2 + 2*min(1, f.version-2))
	f.number(2)
	var kind [4]byte
	binary.BigEndian.PutUint32(kind[:], f.number(4))
	if f.short {
		return
	}
	one := m.item(id)
	if one.kind = string(kind[:]); one.kind == "mime" {
		texts := strings.Split(string(f.data[f.at:]), "\x00")
		if len(texts) > 1 {
			one.kind = texts[1]
		}
	}
}

// readPlaces reads where the items lie.
func (m *meta) readPlaces(b container.Block) {
	f := m.fields(b)
	sizes := f.number(2)
	offset, length, base, index := int(sizes>>12), int(sizes>>8&15), int(sizes>>4&15), int(sizes&15)
	if f.version == 0 {
		index = 0
	}
	for range min(f.number(2+2*(f.version/2)), mostItems) {
		one := m.item(f.number(2 + 2*(f.version/2)))
		method := uint32(0)
		if f.version > 0 {
			method = f.number(2) & 15
		}
		f.number(2)
		start := f.offset(base)
		for range f.number(2) {
			f.offset(index)
			at := start + f.offset(offset)
			bytes := f.offset(length)
			switch {
			case f.short:
				return
			case method == 0:
				one.at = append(one.at, container.Between(at, at+bytes))
			case method == 1 && at <= m.idat.Length():
				one.at = append(one.at, container.Between(m.idat.Start+at, min(m.idat.End, m.idat.Start+at+bytes)))
			}
		}
	}
}

// readAssociations reads which properties belong to which items.
func (m *meta) readAssociations(b container.Block) {
	f := m.fields(b)
	for range min(f.number(4), mostItems) {
		one := m.item(f.number(2 + 2*min(1, f.version)))
		for range f.number(1) {
			const essential = 0x80
			if f.flags&1 == 1 {
				one.properties = append(one.properties, int(f.number(2)&(essential<<8-1)))
			} else {
				one.properties = append(one.properties, int(f.number(1)&(essential-1)))
			}
			if f.short {
				return
			}
		}
	}
}

// content is an item's bytes; nil where it is longer than mostBlock.
func (m *meta) content(one *item) []byte {
	var all []byte
	for _, at := range one.at {
		if at.Length() < 0 || int64(len(all))+at.Length() > mostBlock {
			return nil
		}
		all = append(all, m.src.Bytes(at, mostBlock)...)
	}
	return all
}

// tell sets what the items and the primary picture's properties say.
func (m *meta) tell(a *About) {
	for _, one := range m.items {
		switch one.kind {
		case "Exif":
			if data := m.content(one); len(data) > 4 {
				if skip := int64(binary.BigEndian.Uint32(data)); 4+skip < int64(len(data)) {
					data = data[4+skip:]
				}
				if bytes.HasPrefix(data, []byte("II")) || bytes.HasPrefix(data, []byte("MM")) {
					a.EXIF = data
				}
			}
		case "application/rdf+xml":
			a.XMP = m.content(one)
		}
	}
	if a.AVIF = a.AVIF || m.item(m.primary).kind == "av01"; len(m.properties) == 0 {
		return
	}
	for _, n := range m.item(m.primary).properties {
		if n < 1 || n > len(m.properties) || m.properties[n-1].Kind != "colr" {
			continue
		}
		data := m.src.Bytes(m.properties[n-1].Content, mostBlock)
		if len(data) < 4 {
			continue
		}
		switch kind, rest := string(data[:4]), data[4:]; {
		case kind == "prof", kind == "rICC":
			a.Profile = rest
		case kind == "nclx" && len(rest) >= 7:
			number := func(at int) int { return int(binary.BigEndian.Uint16(rest[at:])) }
			a.Colours = Colours{number(0), number(2), number(4), rest[6]&0x80 == 0}
		}
	}
}

// hdr reports whether the picture's brightness can't be shown with 8 bits a channel.
func (a About) hdr() bool {
	return a.Colours.Transfer == transferPQ || a.Colours.Transfer == transferHLG
}

// matrix is how its YCbCr becomes RGB.
func (a About) matrix() matrix {
	m := matrix{limited: a.Colours.Limited}
	switch a.Colours.Matrix {
	case matrix709:
		m.red, m.blue = 0.2126, 0.0722
	case matrix2020, matrix2020 + 1:
		m.red, m.blue = 0.2627, 0.0593
	default: // as JPEG has it
		m.red, m.blue = 0.299, 0.114
	}
	return m
}

// matrix is the share of red and blue in luma, and whether luma goes from 16 to 235.
type matrix struct {
	red, blue float64
	limited   bool
}

// apply returns the picture as JPEG would have its colours: itself, if it has.
func (m matrix) apply(img *image.YCbCr) image.Image {
	if m.red == 0.299 && !m.limited {
		return img
	}
	rgb := image.NewRGBA(img.Rect)
	luma, chroma, dark := 1.0, 1.0, 0.0
	if m.limited {
		luma, chroma, dark = 255.0/219, 255.0/224, 16
	}
	toRed, toBlue, green := 2*(1-m.red), 2*(1-m.blue), 1-m.red-m.blue
	level := func(v float64) uint8 { return uint8(max(0, min(255, v+0.5))) }
	for y := range img.Rect.Dy() {
		row := rgb.Pix[y*rgb.Stride:]
		for x := range img.Rect.Dx() {
			c := img.COffset(x, y)
			l := (float64(img.Y[img.YOffset(x, y)]) - dark) * luma
			b, r := (float64(img.Cb[c])-128)*chroma, (float64(img.Cr[c])-128)*chroma
			row[4*x], row[4*x+2], row[4*x+3] = level(l+toRed*r), level(l+toBlue*b), 255
			row[4*x+1] = level(l - (m.red*toRed*r+m.blue*toBlue*b)/green)
		}
	}
	return rgb
}
