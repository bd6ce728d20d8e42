-- Every submission, whatever has become of it. The key follows the date of acceptance in microseconds, so that rows and
-- hits of the search come in the order of their dates without a sort. Times are nanoseconds since 1970, NULL for none.
CREATE TABLE submissions (
    key            INTEGER PRIMARY KEY,
    id             TEXT    NOT NULL UNIQUE,
    source         TEXT    NOT NULL,
    state          TEXT    NOT NULL,
    step           TEXT    NOT NULL,
    paused         INTEGER NOT NULL,
    filed          INTEGER NOT NULL,
    type           TEXT    NOT NULL,
    status         TEXT    NOT NULL DEFAULT '', -- of the current answer
    size           INTEGER NOT NULL,
    name           TEXT    NOT NULL,
    link           TEXT    NOT NULL,
    note           TEXT    NOT NULL,
    request_id     TEXT    NOT NULL,
    accepted       INTEGER,
    uploaded       INTEGER,
    answered       INTEGER,
    earlier        TEXT    NOT NULL,
    content        TEXT    NOT NULL,
    sort_name      TEXT    NOT NULL, -- the name in small letters
    answer         INTEGER,          -- the current one's seq in answers, NULL for none
    path           TEXT    NOT NULL,
    modified       INTEGER,
    sha256         TEXT    NOT NULL,
    send_name      TEXT    NOT NULL,
    warning        TEXT    NOT NULL,
    problem        TEXT    NOT NULL,
    anew           INTEGER NOT NULL,
    asking_at      INTEGER,
    asking_told    INTEGER NOT NULL,
    asking_refetch INTEGER NOT NULL,
    upload_url     TEXT    NOT NULL, -- secret
    upload_request TEXT    NOT NULL,
    upload_issued  INTEGER,
    linked   INTEGER GENERATED ALWAYS AS (link <> '') VIRTUAL,
    listed   INTEGER GENERATED ALWAYS AS (state = 'done' AND earlier = '') VIRTUAL, -- among the results
    inbox    INTEGER GENERATED ALWAYS AS (filed = 0 OR earlier = '' AND state NOT IN ('done', 'refused', 'failed', 'cancelled')) VIRTUAL,
    newness  INTEGER GENERATED ALWAYS AS (-key) VIRTUAL,
    -- What needs a human first, then what is newest: the rank lies above every key, which stays below 2 to the 56th.
    human    INTEGER GENERATED ALWAYS AS (
        (CASE status WHEN 'SUSPICIOUS' THEN 0 WHEN 'NOT_APPLICABLE' THEN 2 WHEN 'FAKE' THEN 3 WHEN 'AUTHENTIC' THEN 4 ELSE 1 END << 56) - key
    ) VIRTUAL
);

CREATE INDEX submissions_inbox ON submissions (key) WHERE inbox = 1;
CREATE INDEX submissions_content ON submissions (content, key) WHERE content <> '' AND earlier = '';
CREATE INDEX submissions_request ON submissions (request_id, key) WHERE request_id <> '' AND earlier = '';
CREATE INDEX submissions_earlier ON submissions (earlier) WHERE earlier <> '';

-- Each order of the results, with all that filters ask for, so that a row is read only when it is shown.
CREATE INDEX results_date ON submissions (key, status, type, source, linked, accepted) WHERE listed = 1;
CREATE INDEX results_human ON submissions (human, status, type, source, linked, accepted) WHERE listed = 1;
CREATE INDEX results_name ON submissions (sort_name, newness, status, type, source, linked, accepted) WHERE listed = 1;
CREATE INDEX results_status ON submissions (status, key, type, source, linked, accepted) WHERE listed = 1;
CREATE INDEX results_type ON submissions (type, key, status, source, linked, accepted) WHERE listed = 1;

-- The results' texts by all that three letters in a row can find. It holds no copy of them.
CREATE VIRTUAL TABLE search USING fts5 (name, link, note, content = '', contentless_delete = 1, tokenize = "trigram remove_diacritics 1");

CREATE TRIGGER search_added AFTER INSERT ON submissions WHEN new.listed = 1 BEGIN
    INSERT INTO search (rowid, name, link, note) VALUES (new.key, new.name, new.link, new.note);
END;
CREATE TRIGGER search_changed AFTER UPDATE OF name, link, note, state, earlier ON submissions
WHEN old.listed <> new.listed OR new.listed = 1 AND (old.name <> new.name OR old.link <> new.link OR old.note <> new.note) BEGIN
    DELETE FROM search WHERE rowid = old.key AND old.listed = 1;
    INSERT INTO search (rowid, name, link, note) SELECT new.key, new.name, new.link, new.note WHERE new.listed = 1;
END;
CREATE TRIGGER search_removed AFTER DELETE ON submissions WHEN old.listed = 1 BEGIN
    DELETE FROM search WHERE rowid = old.key;
END;

-- The service's answers, each byte for byte. A submission's answers are its history.
CREATE TABLE answers (
    seq        INTEGER PRIMARY KEY,
    submission INTEGER NOT NULL REFERENCES submissions (key) ON DELETE CASCADE,
    at         INTEGER,
    status     TEXT    NOT NULL,
    release    TEXT    NOT NULL,
    sha256     BLOB    NOT NULL, -- of raw
    final      INTEGER NOT NULL,
    raw        BLOB    NOT NULL
);
CREATE INDEX answers_submission ON answers (submission, seq);

-- The custody log: each row's hash is over the row and the hash of the one before.
CREATE TABLE custody (
    seq        INTEGER PRIMARY KEY,
    at         INTEGER NOT NULL,
    submission TEXT    NOT NULL, -- an ID; it may have been removed since
    deed       TEXT    NOT NULL,
    facts      TEXT    NOT NULL, -- JSON
    previous   BLOB    NOT NULL,
    hash       BLOB    NOT NULL
);
CREATE INDEX custody_submission ON custody (submission, seq);

CREATE TABLE feedback (
    id         TEXT PRIMARY KEY,
    request_id TEXT NOT NULL,
    label      TEXT NOT NULL,
    category   TEXT NOT NULL,
    comment    TEXT NOT NULL,
    given      INTEGER,
    sent       INTEGER, -- NULL until the service has it
    record     BLOB,
    problem    TEXT NOT NULL
);
CREATE INDEX feedback_request ON feedback (request_id, given);
CREATE INDEX feedback_unsent ON feedback (given) WHERE sent IS NULL;

-- What the vault holds of each result; several may have the same content.
CREATE TABLE artifacts (
    request_id TEXT    NOT NULL,
    kind       TEXT    NOT NULL,
    model      TEXT    NOT NULL,
    sha256     TEXT    NOT NULL,
    size       INTEGER NOT NULL,
    saved      INTEGER NOT NULL,
    PRIMARY KEY (request_id, kind, model)
);
CREATE INDEX artifacts_content ON artifacts (sha256);
CREATE INDEX artifacts_age ON artifacts (saved);

-- What must outlive a run, by name.
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- The farthest that a key had to be moved from its date, because the date's was taken.
CREATE TABLE shift (longest INTEGER NOT NULL);
INSERT INTO shift VALUES (0);
