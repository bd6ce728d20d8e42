#!/usr/bin/env python3
"""Checks a proof from Assay's custody log with nothing but Python's own library.

check_proof.py PROOF ENTRY …  the entry (the exact bytes that were hashed) is in the log of PROOF's checkpoint
check_proof.py PROOF OLD …    PROOF's log only grew since the checkpoint OLD

There may be several pairs; a line is printed for each. Exit status: 0 all was proved, 1 something was not.

Checkpoints are signed notes (c2sp.org/tlog-checkpoint), proofs of an entry c2sp.org/tlog-proof, of growth as in
c2sp.org/tlog-witness. The tree is that of RFC 6962. The signature is not checked here: compare the checkpoint's root with
one that you were given, or check the Ed25519 signature of its first four lines.
"""
import sys
from base64 import b64decode
from hashlib import sha256


def node(left, right):
    return sha256(b"\1" + left + right).digest()


def checkpoint(text):
    origin, size, root = text.split("\n")[:3]
    return origin, int(size), b64decode(root, validate=True)


def included(leaf, index, size, path):
    """The root, from an entry's leaf up (RFC 9162, 2.1.3.2)."""
    last, root = size - 1, leaf
    for other in path:
        assert last > 0, "the proof is too long"
        if index & 1 or index == last:
            root = node(other, root)
            while not index & 1 and index:
                index, last = index >> 1, last >> 1
        else:
            root = node(root, other)
        index, last = index >> 1, last >> 1
    assert last == 0, "the proof is too short"
    return root


def grown(old, old_root, size, path):
    """Both roots, from the old tree up (RFC 9162, 2.1.4.2)."""
    if old == size:
        assert not path, "the proof is too long"
        return old_root, old_root
    path = ([old_root] if old & (old - 1) == 0 else []) + path
    index, last = old - 1, size - 1
    while index & 1:
        index, last = index >> 1, last >> 1
    before = now = path[0]
    for other in path[1:]:
        assert last > 0, "the proof is too long"
        if index & 1 or index == last:
            before, now = node(other, before), node(other, now)
            while not index & 1 and index:
                index, last = index >> 1, last >> 1
        else:
            now = node(now, other)
        index, last = index >> 1, last >> 1
    assert last == 0, "the proof is too short"
    return before, now


def check(proof, other):
    head, signed = open(proof, encoding="utf-8").read().split("\n\n", 1)
    lines = head.split("\n")
    origin, size, root = checkpoint(signed)
    if lines[0] == "c2sp.org/tlog-proof@v1":
        leaf = sha256(b"\0" + open(other, "rb").read()).digest()
        index = int(lines[1].removeprefix("index "))
        assert 0 <= index < size, "the entry is not of this log"
        path = [b64decode(line, validate=True) for line in lines[2:]]
        assert included(leaf, index, size, path) == root, "the entry is not in the log"
        return f"entry {index + 1} is in the log {origin} of {size} entries"
    old_origin, old, old_root = checkpoint(open(other, encoding="utf-8").read())
    assert lines[0] == f"old {old}" and old_origin == origin and 0 < old <= size, "the checkpoint is of something else"
    path = [b64decode(line, validate=True) for line in lines[1:]]
    assert grown(old, old_root, size, path) == (old_root, root), "the log was written again"
    return f"the log {origin} of {size} entries begins with the one of {old}"


failed = False
for pair in zip(sys.argv[1::2], sys.argv[2::2], strict=True):
    try:
        print(check(*pair))
    except Exception as problem:
        failed = True
        print(f"NOT PROVED: {problem}")
sys.exit(failed)
