package tree

import (
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"assay/client/assert"
	"assay/client/benchtest"
	"assay/client/jsontree"
	"assay/gui/look"
)

const benchSize = 50 << 20

// benchText is an aggregation JSON of 50 MB: frames with boxes and what each model says of them.
func benchText() []byte {
	var out strings.Builder
	out.Grow(benchSize + 1024)
	out.WriteString(`{"image":{"width":3840,"height":2160},"frames":[`)
	for i := 0; out.Len() < benchSize; i++ {
		if i > 0 {
			out.WriteByte(',')
		}
		fmt.Fprintf(&out, `{"time":%d.%03d,"score":0.%04d,"decision":"AUTHENTIC","bboxes":[{"bbox":{"top_left":{"x":%d,"y":%d},"bottom_right":{"x":%d,"y":%d}},`+
			`"conclusions":{"svc-oak-vid":{"decision":"FAKE"},"svc-cedar-vid":{"decision":"AUTHENTIC"}}}]}`,
			i/25, i*40%1000, i*37%10000, i%3840, i%2160, (i+200)%3840, (i+300)%2160)
	}
	out.WriteString(`],"languages":["en"]}`)
	return []byte(out.String())
}

// BenchmarkB50MBTree opens a JSON of 50 MB as a tree and shows the first rows, opens its longest list and goes to the middle, and
// does the same the obvious way: json.Unmarshal into any, and the toolkit's tree over a map of what each value holds.
func BenchmarkB50MBTree(b *testing.B) {
	text := benchText()
	d := setup(b, look.ModeLight, fyne.NewSize(860, 440))
	draw := func() { d.window.Canvas().Capture() }
	d.answer["warm"] = sampleAnswer
	d.show("warm") // icons and fonts are drawn for the first time
	draw()

	var first, middle, plain, peerFirst, peerMiddle []float64
	var memory, plainMemory, peerMemory float64
	for range 3 {
		before := live()
		sent := slices.Clone(text)
		first = append(first, benchtest.Seconds(func() {
			read, err := jsontree.Read(b.Context(), sent)
			assert.NoError(b, err)
			read.Mask = mask
			d.put(read, sent)
			draw()
		}))
		memory = live() - before
		middle = append(middle, benchtest.Seconds(func() {
			d.rows.choose(2)
			d.keys(fyne.KeyReturn)
			d.rows.choose(d.rows.length() / 2)
			draw()
		}))
		d.Clear()
	}
	for range 1 {
		before := live()
		var whole any
		plain = append(plain, benchtest.Seconds(func() {
			assert.NoError(b, json.Unmarshal(text, &whole))
		}))
		plainMemory = live() - before
		var tree *widget.Tree
		peerFirst = append(peerFirst, plain[len(plain)-1]+benchtest.Seconds(func() {
			holds := map[string][]string{}
			labels := map[string]string{}
			enter(holds, labels, "", whole)
			tree = widget.NewTreeWithStrings(holds)
			tree.UpdateNode = func(id string, _ bool, o fyne.CanvasObject) { o.(*widget.Label).SetText(labels[id]) }
			d.window.SetContent(tree)
			draw()
		}))
		peerMemory = live() - before
		peerMiddle = append(peerMiddle, benchtest.Seconds(func() {
			tree.OpenBranch("/frames")
			tree.ScrollTo("/frames/" + strconv.Itoa(60_000))
			draw()
		}))
		runtime.KeepAlive(whole)
		d.window.SetContent(d.Object())
	}
	const mb = 1 << 20
	fastest := slices.Min[[]float64]
	benchtest.Print(b, "\ntree: first rows of %d MB JSON vs json.Unmarshal into any: %.2fx time, %.2fx memory; %.0f ms and %.0f MB, the text included, against %.0f ms and %.0f MB",
		len(text)/mb, fastest(first)/fastest(plain), memory/plainMemory, fastest(first)*1e3, memory/mb, fastest(plain)*1e3, plainMemory/mb)
	benchtest.Print(b, "tree: first rows of %d MB JSON vs the toolkit's tree over that: %.2fx time, %.2fx memory; against %.0f ms and %.0f MB",
		len(text)/mb, fastest(first)/fastest(peerFirst), memory/peerMemory, fastest(peerFirst)*1e3, peerMemory/mb)
	benchtest.Print(b, "tree: open the longest list and show its middle vs the toolkit's tree: %.2fx; %.1f ms against %.1f ms",
		fastest(middle)/fastest(peerMiddle), fastest(middle)*1e3, fastest(peerMiddle)*1e3)

	read, err := jsontree.Read(b.Context(), text)
	assert.NoError(b, err)
	read.Mask = mask
	search := benchtest.Seconds(func() {
		for s, more := read.Search("nowhere to be found"), true; more; {
			if _, more, err = s.Next(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	})
	benchtest.Print(b, "tree: search of all %d MB, keys and values: %.0f ms", len(text)/mb, search*1e3)
	b.ReportMetric(fastest(first)/fastest(plain), "x-Unmarshal")
	for b.Loop() {
		d.put(read, text)
		draw()
	}
}

// enter adds what a value holds, as the toolkit's tree takes it.
func enter(holds map[string][]string, labels map[string]string, id string, value any) {
	add := func(key string, child any) {
		name := id + "/" + key
		holds[id] = append(holds[id], name)
		labels[name] = key
		switch child.(type) {
		case map[string]any, []any:
			enter(holds, labels, name, child)
		default:
			labels[name] = fmt.Sprint(key, ": ", child)
		}
	}
	switch value := value.(type) {
	case map[string]any:
		keys := make([]string, 0, len(value))
		for key := range value {
			keys = append(keys, key)
		}
		slices.Sort(keys)
		for _, key := range keys {
			add(key, value[key])
		}
	case []any:
		for i, child := range value {
			add(strconv.Itoa(i), child)
		}
	}
}

// live is the heap in use, in bytes.
func live() float64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}
