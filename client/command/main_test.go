package command

import (
	"testing"
	"time"

	"assay/client/session"
)

func TestMain(m *testing.M) {
	session.ServicePoll, session.SandboxPoll, session.SandboxLatency = 50*time.Millisecond, 50*time.Millisecond, 10*time.Millisecond
	m.Run()
}
