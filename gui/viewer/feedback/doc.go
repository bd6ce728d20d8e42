// Package feedback is the bar in which a person judges a result. It is composed of gui/kit and fed by gui/present; its exported
// methods run on the UI thread.
package feedback
