package watch

import "context"

// rename remembers files that have another name now, with the content that they are known by. It is part of the work.
func (f *folder) rename(ctx context.Context, list []inspection) error {
	moved := make(map[Known]Sum) // without name and content
	var inList []*inspection
	for n := range list {
		if i := &list[n]; i.outcome == renamed {
			inList = append(inList, i)
			moved[nameless(i.entry)] = Sum{}
		}
	}
	if len(inList) == 0 {
		return nil
	}
	err := f.w.p.Memory.Known(ctx, f.id, func(k Known) {
		same := Known{Size: k.Size, Time: k.Time, File: k.File}
		if sum, searched := moved[same]; searched && sum == (Sum{}) {
			moved[same] = k.SHA256
		}
	})
	if err != nil {
		return &memoryError{err}
	}
	known := make([]Known, len(inList))
	for n, i := range inList {
		known[n] = nameless(i.entry)
		known[n].Name, known[n].SHA256 = i.name, moved[nameless(i.entry)]
	}
	if err := f.remember(ctx, known); err != nil {
		return err
	}
	for _, i := range inList {
		i.outcome = finished
	}
	return nil
}

func nameless(e entry) Known {
	return Known{Size: e.size, Time: e.time, File: e.file}
}
