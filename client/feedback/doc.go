// Package feedback keeps a person's judgements on results until the service has them, once.
package feedback
