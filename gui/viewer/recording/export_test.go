package recording

import (
	"assay/gui/chart"
	"assay/gui/kit"
	"assay/gui/player"
)

// What tests look at.

func (p *Pane) Wave() *chart.Waveform  { return p.wave }
func (p *Pane) Lanes() *chart.Lanes    { return p.lanes }
func (p *Pane) Notice() *kit.Notice    { return p.notice }
func (p *Pane) PartsText() string      { return p.parts.Text() }
func (p *Pane) SourceText() string     { return p.source.Text() }
func (p *Pane) Player() *player.Player { return p.player }
func (p *Pane) Play() *kit.Button      { return p.header.play }
func (p *Pane) Worst() *kit.Button     { return p.header.worst }
func (p *Pane) Loop() *kit.Chip        { return p.header.loop }
func (p *Pane) Mute() *kit.Chip        { return p.header.mute }
func (p *Pane) Volume() *kit.Slider    { return p.header.volume }
func (p *Pane) TimeText() string       { return p.header.moment.Text() + " " + p.header.of.Text() }

// Columns fills columns as the waveform would; false where it has none.
func (p *Pane) Columns(columns []chart.Column) bool { return p.wave.Fill(columns) }
func (p *Pane) WorstShown() bool                    { return p.header.toWorst.Visible() }
