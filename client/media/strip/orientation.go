package strip

import "assay/client/media/facts"

// orientation is an EXIF block of one field, which says how a picture is turned: without it a picture taken upright would lie on its
// side. It is nil where the picture needs no turning.
func orientation(f facts.Facts) []byte {
	if f.Orientation < 2 || f.Orientation > 8 {
		return nil
	}
	return []byte("MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00" + string([]byte{byte(f.Orientation)}) + "\x00\x00\x00\x00\x00\x00")
}
