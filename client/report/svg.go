package report

import (
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"

	"codeberg.org/go-pdf/fpdf"
)

// drawing is what a mark's file may hold: the few shapes of SVG that the marks are made of.
type drawing struct {
	Groups  []drawing `xml:"g"`
	Paths   []shape   `xml:"path"`
	Circles []shape   `xml:"circle"`
	Rects   []shape   `xml:"rect"`

	Fill   string  `xml:"fill,attr"`
	Stroke string  `xml:"stroke,attr"`
	Width  float64 `xml:"stroke-width,attr"`
	Cap    string  `xml:"stroke-linecap,attr"`
	Join   string  `xml:"stroke-linejoin,attr"`
}

type shape struct {
	D    string  `xml:"d,attr"`
	Fill string  `xml:"fill,attr"`
	Dash string  `xml:"stroke-dasharray,attr"`
	CX   float64 `xml:"cx,attr"`
	CY   float64 `xml:"cy,attr"`
	R    float64 `xml:"r,attr"`
	X    float64 `xml:"x,attr"`
	Y    float64 `xml:"y,attr"`
	W    float64 `xml:"width,attr"`
	H    float64 `xml:"height,attr"`
	RX   float64 `xml:"rx,attr"`
}

// drawMark draws a mark of 24 units at x, y, side mm wide, in the colours that are set for lines and areas.
func drawMark(doc *fpdf.Fpdf, svg string, x, y, side float64) error {
	var d drawing
	if err := xml.Unmarshal([]byte(svg), &d); err != nil {
		return fmt.Errorf("read a mark: %w", err)
	}
	pen := pen{doc: doc, x: x, y: y, scale: side / 24}
	defer doc.SetDashPattern(nil, 0)
	if err := pen.draw(d); err != nil {
		return err
	}
	for _, g := range d.Groups {
		if err := pen.draw(g); err != nil {
			return err
		}
	}
	return nil
}

// pen puts the coordinates of a drawing on the page.
type pen struct {
	doc         *fpdf.Fpdf
	x, y, scale float64
}

func (p pen) draw(d drawing) error {
	if d.Stroke != "" {
		p.doc.SetLineWidth(d.Width * p.scale)
		p.doc.SetLineCapStyle(d.Cap)
		p.doc.SetLineJoinStyle(d.Join)
	}
	how := func(s shape) string {
		if d.Stroke != "" && s.Fill == "" {
			return "D"
		}
		return "F"
	}
	for _, s := range d.Circles {
		p.dash(s.Dash)
		p.doc.Circle(p.x+s.CX*p.scale, p.y+s.CY*p.scale, s.R*p.scale, how(s))
	}
	for _, s := range d.Rects {
		p.dash(s.Dash)
		p.doc.RoundedRect(p.x+s.X*p.scale, p.y+s.Y*p.scale, s.W*p.scale, s.H*p.scale, s.RX*p.scale, "1234", how(s))
	}
	for _, s := range d.Paths {
		p.dash(s.Dash)
		if err := p.path(s.D); err != nil {
			return err
		}
		p.doc.DrawPath(how(s))
	}
	return nil
}

func (p pen) dash(lengths string) {
	var dash []float64
	for _, field := range strings.Fields(lengths) {
		length, _ := strconv.ParseFloat(field, 64)
		dash = append(dash, length*p.scale)
	}
	p.doc.SetDashPattern(dash, 0)
}

// path draws lines, curves and half circles, each by absolute coordinates.
func (p pen) path(d string) error {
	const commands = "MLHVQAZ"
	var x, y float64 // where the pen is
	for _, c := range commands {
		d = strings.ReplaceAll(d, string(c), " "+string(c)+" ")
	}
	fields := strings.Fields(d)
	for i := 0; i < len(fields); {
		command := fields[i]
		var n []float64
		for i++; i < len(fields) && !strings.Contains(commands, fields[i]); i++ {
			value, err := strconv.ParseFloat(fields[i], 64)
			if err != nil {
				return fmt.Errorf("read a mark: %w", err)
			}
			n = append(n, value)
		}
		at := func(x, y float64) (float64, float64) { return p.x + x*p.scale, p.y + y*p.scale }
		switch {
		case command == "M" && len(n) == 2:
			x, y = n[0], n[1]
			p.doc.MoveTo(at(x, y))
		case command == "L" && len(n) == 2:
			x, y = n[0], n[1]
			p.doc.LineTo(at(x, y))
		case command == "H" && len(n) == 1:
			x = n[0]
			p.doc.LineTo(at(x, y))
		case command == "V" && len(n) == 1:
			y = n[0]
			p.doc.LineTo(at(x, y))
		case command == "Q" && len(n) == 4:
			cx, cy := at(n[0], n[1])
			x, y = n[2], n[3]
			toX, toY := at(x, y)
			p.doc.CurveTo(cx, cy, toX, toY)
		case command == "A" && len(n) == 7 && n[0] == n[1] && n[3] == 0 && n[4] == 0: // a half circle, against the clock
			const quarter = 0.5523 // how far from its ends a quarter's control points lie, in radii
			mx, my, dx, dy := (x+n[5])/2, (y+n[6])/2, (n[5]-x)/2, (n[6]-y)/2
			ux, uy := -dy, dx // from the middle of the way to that of the arc: y grows downwards
			tx, ty := mx+ux, my+uy
			curve := func(ax, ay, bx, by, ex, ey float64) {
				ax, ay = at(ax, ay)
				bx, by = at(bx, by)
				ex, ey = at(ex, ey)
				p.doc.CurveBezierCubicTo(ax, ay, bx, by, ex, ey)
			}
			curve(x+quarter*ux, y+quarter*uy, tx-quarter*dx, ty-quarter*dy, tx, ty)
			x, y = n[5], n[6]
			curve(tx+quarter*dx, ty+quarter*dy, x+quarter*ux, y+quarter*uy, x, y)
		case command == "Z":
			p.doc.ClosePath()
		default:
			return fmt.Errorf("read a mark: %s with %v is not among what can be drawn", command, n)
		}
	}
	return nil
}
