-- Cases: what a story's submissions are gathered in. A submission may be in several; one that is removed leaves them.
CREATE TABLE cases (
    key     INTEGER PRIMARY KEY,
    id      TEXT    NOT NULL UNIQUE,
    title   TEXT    NOT NULL,
    created INTEGER NOT NULL,
    changed INTEGER NOT NULL
);
CREATE TABLE case_items (
    seq        INTEGER PRIMARY KEY, -- in the order in which they were added
    of_case    INTEGER NOT NULL REFERENCES cases (key) ON DELETE CASCADE,
    submission INTEGER NOT NULL REFERENCES submissions (key) ON DELETE CASCADE,
    added      INTEGER NOT NULL,
    UNIQUE (of_case, submission)
);
CREATE INDEX case_items_submission ON case_items (submission);

-- What was noted, and what the checks have found that no detector makes.
CREATE TABLE case_notes (
    seq     INTEGER PRIMARY KEY,
    id      TEXT    NOT NULL UNIQUE,
    of_case INTEGER NOT NULL REFERENCES cases (key) ON DELETE CASCADE,
    kind    TEXT    NOT NULL, -- of the check; '' for a note
    text    TEXT    NOT NULL,
    author  TEXT    NOT NULL,
    at      INTEGER NOT NULL
);
CREATE INDEX case_notes_case ON case_notes (of_case, seq);
