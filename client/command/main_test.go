package command

import (
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	servicePoll, sandboxPoll, sandboxLatency = 50*time.Millisecond, 50*time.Millisecond, 10*time.Millisecond
	m.Run()
}
