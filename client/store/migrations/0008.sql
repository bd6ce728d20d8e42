-- The custody log as a Merkle tree of RFC 6962: with each entry its leaf's hash, and those of the subtrees that it completes. The log of before is
-- taken into it in the background, in the order of its entries and as they are; entries appended once it is built come with their hashes.
CREATE TABLE custody_tree (
    leaf   INTEGER PRIMARY KEY, -- from 0, without gaps
    seq    INTEGER NOT NULL,    -- of the entry
    hashes BLOB    NOT NULL     -- 32 bytes each, the leaf's first
);

-- One row: what the log is called wherever it is spoken of, whether its tree is built, and the first entry that did not fit the chain when it was; 0: all did.
CREATE TABLE custody_log (
    origin TEXT    NOT NULL,
    built  INTEGER NOT NULL,
    broken INTEGER NOT NULL
);
INSERT INTO custody_log SELECT 'assay/' || lower(hex(randomblob(8))), NOT EXISTS (SELECT 1 FROM custody), 0;
