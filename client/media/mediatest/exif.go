package mediatest

// Field is a field of a directory of EXIF: its tag, the number of its type, the count of its values, and the values.
type Field struct {
	Tag, Kind, Count int
	Value            string
}

// ASCII is a field with a text.
func ASCII(tag int, text string) Field { return Field{tag, 2, len(text) + 1, text + "\x00"} }

// Short is a field with a number of 16 bits.
func Short(tag, n int) Field { return Field{tag, 3, 1, BE16(n)} }

// Long is a field with a number of 32 bits, such as the offset of another directory.
func Long(tag, n int) Field { return Field{tag, 4, 1, BE32(n)} }

// Rationals is a field with fractions: numerator, denominator, numerator and so on.
func Rationals(tag int, n ...int) Field {
	f := Field{Tag: tag, Kind: 5, Count: len(n) / 2}
	for _, one := range n {
		f.Value += BE32(one)
	}
	return f
}

// Directory returns a directory for an offset, followed by the values that are longer than four bytes.
func Directory(at int, fields ...Field) string {
	head, values := BE16(len(fields)), ""
	behind := at + 2 + 12*len(fields) + 4
	for _, f := range fields {
		value := f.Value
		if len(value) > 4 {
			value = BE32(behind + len(values))
			values += f.Value
		}
		head += BE16(f.Tag) + BE16(f.Kind) + BE32(f.Count) + Padded(value, 4)
	}
	return head + BE32(0) + values
}

// EXIF is a block with a directory, followed by one of the position unless that is nil.
func EXIF(position []Field, fields ...Field) string {
	const start, at = "MM\x00*\x00\x00\x00\x08", 8
	if position == nil {
		return start + Directory(at, fields...)
	}
	const gps = 0x8825
	behind := at + len(Directory(at, append(fields, Long(gps, 0))...))
	return start + Directory(at, append(fields, Long(gps, behind))...) + Directory(behind, position...)
}
