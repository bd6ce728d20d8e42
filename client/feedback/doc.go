// Package feedback keeps a person's judgements on results until the service has them, once. It imports client and client/store
// (its types alone).
package feedback
