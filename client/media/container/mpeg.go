package container

import "encoding/binary"

// MPEGHeader is the header of four bytes of a frame of MPEG audio (ISO/IEC 11172-3 and 13818-3), whose layer III is MP3.
type MPEGHeader uint32

// MPEGSame masks the bits of a header that are equal in all frames of a recording: sync, version, layer and sampling rate.
const MPEGSame MPEGHeader = 0xfffe0c00

// The layers by their number in a header.
const layerI, layerII, layerIII = 3, 2, 1

// mpegRates are the bit rates in kbit/s by index: of MPEG-1's layers I to III, and of MPEG-2's and 2.5's.
var mpegRates = map[[2]MPEGHeader][16]int64{
	{3, layerI}:   {0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448, 0},
	{3, layerII}:  {0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 0},
	{3, layerIII}: {0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0},
	{2, layerI}:   {0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256, 0},
	{2, layerII}:  {0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0},
	{2, layerIII}: {0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0},
}

// ReadMPEGHeader reads the header at the beginning of b; 0, which is invalid, if b has fewer than four bytes.
func ReadMPEGHeader(b []byte) MPEGHeader {
	if len(b) < 4 {
		return 0
	}
	return MPEGHeader(binary.BigEndian.Uint32(b))
}

// version is 3 for MPEG-1, 2 for MPEG-2, 0 for MPEG-2.5.
func (h MPEGHeader) version() MPEGHeader { return h >> 19 & 3 }

func (h MPEGHeader) layer() MPEGHeader { return h >> 17 & 3 }

// valid reports whether it may be the header of a frame.
func (h MPEGHeader) valid() bool {
	return h>>21 == 0x7ff && h.version() != 1 && h.layer() != 0 && h>>10&3 != 3 && h>>12&15 != 15
}

// LayerIII reports whether it may be the header of a frame of MP3.
func (h MPEGHeader) LayerIII() bool { return h.valid() && h.layer() == layerIII }

// FirstVersion reports MPEG-1.
func (h MPEGHeader) FirstVersion() bool { return h.version() == 3 }

// Rate is the number of samples per second.
func (h MPEGHeader) Rate() int {
	rate := [4]int{44_100, 48_000, 32_000, 0}[h>>10&3]
	switch h.version() {
	case 2:
		rate /= 2
	case 0:
		rate /= 4
	}
	return rate
}

// Channels is 1 or 2.
func (h MPEGHeader) Channels() int {
	if h>>6&3 == 3 {
		return 1
	}
	return 2
}

// Samples is the number of samples of each channel in a frame of layer III.
func (h MPEGHeader) Samples() int64 {
	if h.FirstVersion() {
		return 1152
	}
	return 576
}

// FrameLength is the length of the frame in bytes; 0 for an invalid header, and for one without a bit rate.
func (h MPEGHeader) FrameLength() int64 {
	if !h.valid() {
		return 0
	}
	bits := mpegRates[[2]MPEGHeader{min(max(h.version(), 2), 3), h.layer()}][h>>12&15] * 1000
	rate, padding := int64(h.Rate()), int64(h>>9&1)
	switch {
	case bits == 0:
		return 0
	case h.layer() == layerI:
		return (12*bits/rate + padding) * 4
	case h.layer() == layerIII && !h.FirstVersion():
		return 72*bits/rate + padding
	}
	return 144*bits/rate + padding
}
