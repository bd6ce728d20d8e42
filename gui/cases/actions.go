package cases

import (
	"context"

	"assay/client/i18n"
)

// removeItem takes an item out of the case, and offers to undo that.
func (s *Screen) removeItem(item Item) {
	of := s.pane.of.ID
	if item.ID == "" || of == "" {
		return
	}
	s.do(i18n.T("It is still in the case."), func(ctx context.Context) error { return s.Records.Remove(ctx, of, []string{item.ID}, s.by) }, func() {
		s.pane.say(i18n.F("“%s” is no longer in this case. It stays among the results.", item.Name), i18n.T("Undo"), func() {
			s.Say("")
			s.do(i18n.T("It could not be put back."), func(ctx context.Context) error {
				_, err := s.Records.Add(ctx, of, []string{item.ID}, s.by)
				return err
			}, nil)
		})
	})
}
