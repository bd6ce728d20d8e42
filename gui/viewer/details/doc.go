// Package details shows what a file says of itself and what is known of how it was sent: the viewer's Details tab. It is composed of
// gui/kit and fed by gui/present; its exported methods run on the UI thread and read nothing themselves.
package details
