package intake

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"assay/client/i18n"
	"assay/client/submission"
)

// OtherContent says why a file is not checked again: an answer on other bytes could not be compared with the one that there is.
var OtherContent = i18n.M("The file has changed since it was checked, so it is not checked again.")

// otherContent is the error of a file that is to be checked again and holds other bytes by now.
type otherContent struct{ error }

// UserMessage is what the person reads.
func (otherContent) UserMessage() i18n.Message { return OtherContent }

var errOtherContent = otherContent{errors.New("the file holds other bytes than those that were checked")}

// Recheck submits the files and links of these submissions, which may come from the store, once more, as ScanAgain does, but one at a time and behind
// what the person hands over meanwhile; a file that holds other bytes by now is refused. A content that is on its way to be checked again already is
// not submitted another time. It returns the IDs of the submissions that will have the answers, in the order given, once they are on disk: the
// same ones when it is called again with the same mark, which may be any text. It blocks on the disk.
func (q *Queue) Recheck(ctx context.Context, mark string, subs []submission.Submission) (ids []string, err error) {
	slot := q.arrive.reserve() // so that two calls don't submit one content twice
	defer slot.Release()
	if err := slot.Acquire(ctx); err != nil {
		return nil, err
	}
	var batch []submission.Submission
	flush := func() error {
		_, err := q.admit(ctx, batch)
		batch = batch[:0]
		return err
	}
	for _, s := range subs {
		next, able := q.again(s)
		if !able || s.Content() == "" {
			continue
		}
		next.ID, next.Recheck = recheckID(mark, s.ID), s.Content()
		known, err := q.knows(ctx, next.ID)
		if err != nil {
			return ids, err
		}
		if !known {
			if way := q.onItsWay(next.Recheck); way != "" {
				next.ID = way
			} else {
				batch = append(batch, next)
			}
		}
		ids = append(ids, next.ID)
		if len(batch) == acceptAtOnce {
			if err := flush(); err != nil {
				return nil, err
			}
		}
	}
	if len(batch) > 0 {
		err = flush()
	}
	if err != nil {
		return nil, err
	}
	return ids, nil
}

// recheckID is the ID of the submission that checks another one again.
func recheckID(mark, id string) string {
	return uuid.NewSHA1(uuid.NameSpaceOID, []byte("assay recheck\x00"+mark+"\x00"+id)).String()
}

// onItsWay returns the ID of the submission that is on its way to check a content again, "" where there is none.
func (q *Queue) onItsWay(content string) (id string) {
	q.query(func(st *state) {
		for _, e := range st.entries {
			if e.Recheck == content && !e.State.Ended() && e.Earlier == "" {
				id = e.ID
			}
		}
	})
	return id
}

// Rechecking reports whether a content is on its way to be checked again.
func (q *Queue) Rechecking(content string) bool { return content != "" && q.onItsWay(content) != "" }
