// Package tree shows JSON of any shape and size as a searchable tree. It may import Fyne, client (for what of a signed address may be
// shown), client/jsontree, and gui/look, gui/kit, gui/present and gui/work.
package tree
