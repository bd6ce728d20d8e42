// Package picture shows a picture with the heatmaps of its models, closely enough to judge single pixels; it may import Fyne, client,
// and of gui heat, look, part, present and work. Everything in it is used on the UI thread; pixels are made by workers.
package picture
