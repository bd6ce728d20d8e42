package postgres_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"assay/client/assert"
	"assay/client/desk/postgres"
	"assay/client/desk/postgres/desktest"
)

// people are the columns of the table in docs/desk.md, in their order: a login at the database that is no member, a member who was revoked, was in the
// case and may have been its editor, two members who are not in the case, those who are, and the database's owner.
var people = []string{"outsider", "revoked", "second", "admin", "reader", "editor", "reviewer", "owner", "database"}

// actions are its rows. $case, $device, $event (an event of the owner's), $judgement (the owner's), $own (the reviewer's judgement), $other
var actions = map[string]string{ //nolint:gosec // there is no credential in it
	"see the members":                                      "SELECT * FROM desk.members",
	"see that others are members":                          "SELECT * FROM desk.members WHERE name <> session_user",
	"see the case":                                         "SELECT * FROM desk.cases WHERE id = $case",
	"see who is in the case":                               "SELECT * FROM desk.case_members WHERE case_id = $case",
	"see what was done in it":                              "SELECT * FROM desk.events",
	"see which contents were checked in it":                "SELECT * FROM desk.checks",
	"see that past the table, in its parts":                parts(),
	"see which of its files are stored, and where":         "SELECT * FROM desk.blobs",
	"see how long custody logs are":                        "SELECT * FROM desk.checkpoints",
	"make a case":                                          "INSERT INTO desk.cases (id) VALUES (gen_random_uuid())",
	"make a case in another's name":                        "INSERT INTO desk.cases (id, created_by) VALUES (gen_random_uuid(), '$other')",
	"let a member into the case":                           "INSERT INTO desk.case_members (case_id, member, level) VALUES ($case, '$other', 'reader')",
	"let themselves into the case":                         "INSERT INTO desk.case_members (case_id, member, level) VALUES ($case, session_user, 'owner')",
	"leave the case":                                       "INSERT INTO desk.case_members (case_id, member, level) VALUES ($case, session_user, 'none')",
	"write in it":                                          event("note", "NULL"),
	"write from another's desktop":                         strings.Replace(event("note", "NULL"), "$device", "$strange", 1),
	"write in another's name":                              strings.NewReplacer("sig)", "sig, author)", "'hex'))", "'hex'), '$other')").Replace(event("note", "NULL")),
	"write at a time of their choice":                      strings.NewReplacer("sig)", "sig, at)", "'hex'))", "'hex'), '2090-01-01')").Replace(event("note", "NULL")),
	"write more than a megabyte":                           strings.Replace(event("note", "NULL"), "'{}'", `'{"text":"' || repeat('x', 1048576) || '"}'`, 1),
	"write what is no JSON":                                strings.Replace(event("note", "NULL"), "'{}'", `'{"text":'`, 1),
	"judge":                                                event("judgement", "NULL"),
	"sign off the owner's judgement":                       event("sign_off", "$judgement"),
	"sign off the reviewer's judgement":                    event("sign_off", "$own"),
	"sign off what is no judgement":                        event("sign_off", "$event"),
	"redact the owner's event":                             redact("$event"),
	"redact the reviewer's judgement":                      redact("$own"),
	"say that a content was checked, without a result":     "INSERT INTO desk.checks (sha256, case_id, request_id, status, release) VALUES (sha256('2'), $case, 'r', 'FAKE', '')",
	"share a result, which says so":                        event("result", "NULL"),
	"see who has the case open, unseen":                    "SELECT * FROM desk.viewers",
	"have it open, and see who else has":                   "SELECT desk.look_at($device, $case)",
	"have it open on another's desktop":                    "SELECT desk.look_at($strange, $case)",
	"ask whether somebody elsewhere has checked a content": "SELECT WHERE desk.checked_elsewhere(sha256('1'))",
	"choose for how long the desk keeps it":                event("retention", "NULL"),
	"remove what is no longer kept":                        "SELECT desk.expire()",
	"change an event":                                      "UPDATE desk.events SET body = '{}'",
	"delete an event":                                      "DELETE FROM desk.events",
	"empty a table":                                        "TRUNCATE desk.events",
	"give themselves a role":                               "UPDATE desk.members SET role = 'admin', revoked = NULL WHERE name = session_user",
	"become another":                                       "SET SESSION AUTHORIZATION \"$other\"",
	"switch the policies off":                              "ALTER TABLE desk.events DISABLE ROW LEVEL SECURITY",
	"read a file of the server":                            "SELECT pg_read_file('/etc/passwd')",
	"see the database's passwords":                         "SELECT * FROM pg_authid",
}

// parts is the statement that reads the table of what was checked by its partitions.
func parts() string {
	all := make([]string, 16)
	for i := range all {
		all[i] = fmt.Sprintf("SELECT * FROM desk.checks_%d", i)
	}
	return strings.Join(all, " UNION ALL ")
}

// event is the statement that adds an event about another.
func event(kind, about string) string {
	return fmt.Sprintf(`INSERT INTO desk.events (id, case_id, device, lamport, kind, about, subject, body, digest, sig)
		VALUES (gen_random_uuid(), $case, $device, 1, '%s', %s, sha256('1'), '{}', sha256(''), decode(repeat('00', 64), 'hex'))`, kind, about)
}

func redact(about string) string {
	return strings.Replace(event("redact", about), "sha256('1')", "NULL", 1)
}

// table reads who can do what from the page for IT: by action, a cell for each of people.
func table(t *testing.T) map[string][]string {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "desk.md"))
	assert.NoError(t, err)
	_, after, _ := strings.Cut(string(page), "## Who can do what\n")
	section, _, _ := strings.Cut(after, "\n## ")
	rows := map[string][]string{}
	for line := range strings.Lines(section) {
		if cells := strings.Split(strings.Trim(line, "| \n"), " | "); len(cells) == len(people)+1 && cells[0] != "What" {
			rows[cells[0]] = cells[1:]
		}
	}
	return rows
}

// TestWhoCanDoWhat tries each action of the table in docs/desk.md as each person, in a transaction that is rolled back.
func TestWhoCanDoWhat(t *testing.T) {
	f := setup(t)
	ctx := t.Context()
	login := map[string]string{
		"owner": f.name("editor"), "editor": f.name("colleague"), "database": f.Owner, "reviewer": f.name("reviewer"), "reader": f.name("reader"), "second": f.name("second"), "admin": f.name("admin"),
		"revoked": f.name("revoked"), "outsider": f.name("outsider"),
	}
	assert.NoError(t, postgres.Init(ctx, f.address(f.Owner), desktest.Password, []postgres.NewMember{
		{Name: login["second"], Role: postgres.Editor, Password: desktest.Password}, {Name: login["editor"], Role: postgres.Editor, Password: desktest.Password}, {Name: login["revoked"], Role: postgres.Editor, Password: desktest.Password},
	}))
	_, err := f.Login(f.Owner).Exec(ctx, "CREATE ROLE "+login["outsider"]+" LOGIN PASSWORD '"+desktest.Password+"'")
	assert.NoError(t, err)

	conns, devices := map[string]*pgx.Conn{}, map[string]string{}
	exec := func(who, sql string, values ...any) {
		t.Helper()
		_, err := conns[who].Exec(ctx, sql, values...)
		assert.NoError(t, err)
	}
	for _, who := range people {
		conns[who], devices[who] = f.Login(login[who]), uuid.NewString()
		if who != "outsider" && who != "database" {
			exec(who, "INSERT INTO desk.devices (id, key) VALUES ($1, $2)", devices[who], make([]byte, 32))
		}
	}
	devices["database"] = devices["owner"] // in whose name it writes
	names := map[string]string{"$case": uuid.NewString(), "$event": uuid.NewString(), "$judgement": uuid.NewString(), "$own": uuid.NewString(), "$result": uuid.NewString()}
	exec("owner", "INSERT INTO desk.cases (id) VALUES ($1)", names["$case"])
	for who, level := range map[string]postgres.Level{"reviewer": postgres.LevelReviewer, "editor": postgres.LevelEditor, "reader": postgres.LevelReviewer, "revoked": postgres.LevelReviewer} {
		exec("owner", "INSERT INTO desk.case_members (case_id, member, level) VALUES ($1, $2, $3)", names["$case"], login[who], level)
	}
	sum := sha256.Sum256([]byte("1"))
	for _, e := range []struct{ who, name, kind string }{{"owner", "$event", "note"}, {"owner", "$judgement", "judgement"}, {"owner", "$result", "result"}, {"reviewer", "$own", "judgement"}} {
		exec(e.who, `INSERT INTO desk.events (id, case_id, device, lamport, kind, subject, body, digest, sig) VALUES ($1, $2, $3, 1, $4, $5, '{}', $5, $6)`,
			names[e.name], names["$case"], devices[e.who], e.kind, sum[:], make([]byte, 64))
	}
	exec("owner", "INSERT INTO desk.blobs (sha256, case_id, size, place) VALUES ($1, $2, 1, 'here')", sum[:], names["$case"])
	exec("owner", "INSERT INTO desk.checkpoints (device, size, root, note) VALUES ($1, 1, $2, '')", devices["owner"], sum[:])
	for _, who := range []string{"owner", "reviewer"} {
		exec(who, "SELECT desk.look_at($1, $2)", devices[who], names["$case"])
	}
	assert.NoError(t, postgres.TellElsewhere(ctx, f.address(f.Owner), desktest.Password, true))
	assert.NoError(t, postgres.Revoke(ctx, f.address(f.Owner), desktest.Password, login["revoked"]))

	rows := table(t)
	for action := range rows {
		if actions[action] == "" {
			t.Errorf("the table says who can %q, which is not tried", action)
		}
	}
	for action, sql := range actions {
		if rows[action] == nil {
			t.Errorf("the table does not say who can %q", action)
			continue
		}
		for name, id := range names {
			sql = strings.ReplaceAll(sql, name, "'"+id+"'")
		}
		for i, who := range people {
			t.Run(action+"/"+who, func(t *testing.T) {
				other := "owner"
				if who == "owner" {
					other = "reviewer"
				}
				statement := strings.NewReplacer("$device", "'"+devices[who]+"'", "$strange", "'"+devices[other]+"'", "$other", login[other]).Replace(sql)
				tx, err := conns[who].Begin(ctx)
				assert.NoError(t, err)
				done, err := tx.Exec(ctx, statement)
				got := "yes"
				switch {
				case err != nil:
					got = "no"
				case done.RowsAffected() == 0 && (done.Select() || done.Insert() || done.Update() || done.Delete()):
					got = "–"
				}
				assert.NoError(t, tx.Rollback(ctx))
				if got != rows[action][i] {
					t.Errorf("%s, and the table says %s (%v)", got, rows[action][i], err)
				}
			})
		}
	}
}
