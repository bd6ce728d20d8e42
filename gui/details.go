package gui

import (
	"context"

	"assay/client/media/facts"
	"assay/gui/present"
)

// Details gives what is known of a submission, and what its file says of itself.
func (s *submissions) Details(ctx context.Context, id string) (present.Details, error) {
	sub, err := s.get(ctx, id)
	if err != nil {
		return present.Details{}, err
	}
	file, err := s.OpenOriginal(ctx, id)
	if err != nil {
		return present.DetailsOf(sub, facts.Facts{}, err, false), ctx.Err()
	}
	defer file.Close() //nolint:errcheck // only read from
	said, err := facts.ReadFile(ctx, file, sub.Name)
	return present.DetailsOf(sub, said, err, file.Name() != sub.Path), ctx.Err()
}
