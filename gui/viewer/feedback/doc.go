// Package feedback is the bar in which a person judges a result.
package feedback
