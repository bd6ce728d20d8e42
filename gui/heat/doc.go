// Package heat makes the pixels of the viewer: guarded decoding, orientation, fitting, parts for zooming, previews, the
// blend of a heatmap over its photo and composites to save. It may import the standard library, imaging, x/image and
// imagemeta; no toolkit and nothing else of Assay.
//
// Every function here is made for a worker goroutine: none touches a screen, none keeps a goroutine when it returns.
// Pictures on screen are *image.RGBA (premultiplied, origin at 0,0), the form that a window takes without a copy.
package heat
