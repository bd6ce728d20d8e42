package intake_test

import (
	"errors"

	"assay/client"
)

// instant is before or after something is written down or the service is called.
type instant string

// around is called before and after each call and each write, and notes what is said of a failure.
func (s *scene) around(name string, do func() error) error {
	err := s.passes(instant("before " + name))
	if err == nil {
		if err = do(); err == nil {
			err = s.passes(instant("after " + name))
		}
	}
	if err != nil {
		s.hear(err.Error())
		var e *client.Error
		if errors.As(err, &e) {
			s.hear(e.Sentence(), e.Code.String())
		}
	}
	return err
}
