package postgres_test

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"assay/client/assert"
	"assay/client/desk/postgres"
	"assay/client/desk/postgres/desktest"
)

// Who can do what. Each action is tried by each person in a transaction of its own, which is rolled back. "yes" is done, or seen; "none" sees, or
// changes, no row; "no" is refused.
//
// The case is the editor's, who owns it, and has the reader and the reviewer in it; the second editor and the admin are not. The outsider has a login
// at the database and is no member; the revoked one was an editor in the case.
var people = []string{"owner", "reviewer", "reader", "second", "admin", "revoked", "outsider"}

var actions = []struct {
	action string
	sql    string // $case, $device, $event (an event of the owner's), $judgement (the owner's), $own (the reviewer's judgement), $other
	may    [7]string
}{
	{action: "see the members", sql: "SELECT * FROM desk.members", may: [7]string{"yes", "yes", "yes", "yes", "yes", "yes", "no"}},
	{action: "see that others are members", sql: "SELECT * FROM desk.members WHERE name <> session_user", may: [7]string{"yes", "yes", "yes", "yes", "yes", "none", "no"}},
	{action: "see the case", sql: "SELECT * FROM desk.cases WHERE id = $case", may: [7]string{"yes", "yes", "yes", "none", "none", "none", "no"}},
	{action: "see who is in the case", sql: "SELECT * FROM desk.case_members WHERE case_id = $case", may: [7]string{"yes", "yes", "yes", "none", "none", "none", "no"}},
	{action: "see its events", sql: "SELECT * FROM desk.events", may: [7]string{"yes", "yes", "yes", "none", "none", "none", "no"}},
	{action: "see which contents were checked in it", sql: "SELECT * FROM desk.checks", may: [7]string{"yes", "yes", "yes", "none", "none", "none", "no"}},
	{action: "see them past the table, in its parts", sql: "SELECT * FROM desk.checks_0", may: [7]string{"no", "no", "no", "no", "no", "no", "no"}},
	{action: "see what was stored of it", sql: "SELECT * FROM desk.blobs", may: [7]string{"yes", "yes", "yes", "none", "none", "none", "no"}},
	{action: "see the custody logs' checkpoints", sql: "SELECT * FROM desk.checkpoints", may: [7]string{"yes", "yes", "yes", "yes", "yes", "none", "no"}},
	{action: "make a case", sql: "INSERT INTO desk.cases (id) VALUES (gen_random_uuid())", may: [7]string{"yes", "yes", "no", "yes", "yes", "no", "no"}},
	{action: "make a case in another's name", sql: "INSERT INTO desk.cases (id, created_by) VALUES (gen_random_uuid(), '$other')", may: [7]string{"no", "no", "no", "no", "no", "no", "no"}},
	{action: "let a member into the case", sql: "INSERT INTO desk.case_members (case_id, member, level) VALUES ($case, '$other', 'reader')", may: [7]string{"yes", "no", "no", "no", "no", "no", "no"}},
	{action: "let themselves into the case", sql: "INSERT INTO desk.case_members (case_id, member, level) VALUES ($case, session_user, 'owner')", may: [7]string{"yes", "no", "no", "no", "no", "no", "no"}},
	{action: "leave the case", sql: "INSERT INTO desk.case_members (case_id, member, level) VALUES ($case, session_user, 'none')", may: [7]string{"yes", "yes", "yes", "no", "no", "no", "no"}},
	{action: "write in it", sql: event("note", "NULL"), may: [7]string{"yes", "yes", "no", "no", "no", "no", "no"}},
	{action: "write from another's desktop", sql: strings.Replace(event("note", "NULL"), "$device", "$strange", 1), may: [7]string{"no", "no", "no", "no", "no", "no", "no"}},
	{action: "write in another's name", sql: strings.NewReplacer("sig)", "sig, author)", "'hex'))", "'hex'), '$other')").Replace(event("note", "NULL")), may: [7]string{"no", "no", "no", "no", "no", "no", "no"}},
	{action: "write at a time of their choice", sql: strings.NewReplacer("sig)", "sig, at)", "'hex'))", "'hex'), '2090-01-01')").Replace(event("note", "NULL")), may: [7]string{"no", "no", "no", "no", "no", "no", "no"}},
	{action: "write more than a megabyte", sql: strings.Replace(event("note", "NULL"), "'{}'", `'{"text":"' || repeat('x', 1048576) || '"}'`, 1), may: [7]string{"no", "no", "no", "no", "no", "no", "no"}},
	{action: "write what is no JSON", sql: strings.Replace(event("note", "NULL"), "'{}'", `'{"text":'`, 1), may: [7]string{"no", "no", "no", "no", "no", "no", "no"}},
	{action: "judge", sql: event("judgement", "NULL"), may: [7]string{"yes", "yes", "no", "no", "no", "no", "no"}},
	{action: "sign off the owner's judgement", sql: event("sign_off", "$judgement"), may: [7]string{"no", "yes", "no", "no", "no", "no", "no"}},
	{action: "sign off the reviewer's judgement", sql: event("sign_off", "$own"), may: [7]string{"no", "no", "no", "no", "no", "no", "no"}},
	{action: "sign off what is no judgement", sql: event("sign_off", "$event"), may: [7]string{"no", "no", "no", "no", "no", "no", "no"}},
	{action: "redact the owner's event", sql: redact("$event"), may: [7]string{"yes", "no", "no", "no", "no", "no", "no"}},
	{action: "redact the reviewer's", sql: redact("$own"), may: [7]string{"yes", "yes", "no", "no", "no", "no", "no"}},
	{action: "say that a content was checked, without a result", sql: "INSERT INTO desk.checks (sha256, case_id, request_id, status, release) VALUES (sha256('2'), $case, 'r', 'FAKE', '')", may: [7]string{"no", "no", "no", "no", "no", "no", "no"}},
	{action: "share a result, which says so", sql: event("result", "NULL"), may: [7]string{"yes", "yes", "no", "no", "no", "no", "no"}},
	{action: "change an event", sql: "UPDATE desk.events SET body = '{}'", may: [7]string{"no", "no", "no", "no", "no", "no", "no"}},
	{action: "delete an event", sql: "DELETE FROM desk.events", may: [7]string{"no", "no", "no", "no", "no", "no", "no"}},
	{action: "empty a table", sql: "TRUNCATE desk.events", may: [7]string{"no", "no", "no", "no", "no", "no", "no"}},
	{action: "give themselves a role", sql: "UPDATE desk.members SET role = 'admin', revoked = NULL WHERE name = session_user", may: [7]string{"no", "no", "no", "no", "no", "no", "no"}},
	{action: "become another", sql: "SET SESSION AUTHORIZATION \"$other\"", may: [7]string{"no", "no", "no", "no", "no", "no", "no"}},
	{action: "switch the policies off", sql: "ALTER TABLE desk.events DISABLE ROW LEVEL SECURITY", may: [7]string{"no", "no", "no", "no", "no", "no", "no"}},
	{action: "read a file of the server", sql: "SELECT pg_read_file('/etc/passwd')", may: [7]string{"no", "no", "no", "no", "no", "no", "no"}},
	{action: "see the database's passwords", sql: "SELECT * FROM pg_authid", may: [7]string{"no", "no", "no", "no", "no", "no", "no"}},
}

// event is the statement that adds an event about another.
func event(kind, about string) string {
	return fmt.Sprintf(`INSERT INTO desk.events (id, case_id, device, lamport, kind, about, subject, body, digest, sig)
		VALUES (gen_random_uuid(), $case, $device, 1, '%s', %s, sha256('1'), '{}', sha256(''), decode(repeat('00', 64), 'hex'))`, kind, about)
}

func redact(about string) string {
	return strings.Replace(event("redact", about), "sha256('1')", "NULL", 1)
}

func TestWhoCanDoWhat(t *testing.T) {
	f := setup(t)
	ctx := t.Context()
	login := map[string]string{
		"owner": f.name("editor"), "reviewer": f.name("reviewer"), "reader": f.name("reader"), "second": f.name("second"), "admin": f.name("admin"),
		"revoked": f.name("revoked"), "outsider": f.name("outsider"),
	}
	assert.NoError(t, postgres.Init(ctx, f.address(f.Owner), desktest.Password, []postgres.NewMember{
		{Name: login["second"], Role: postgres.Editor, Password: desktest.Password}, {Name: login["revoked"], Role: postgres.Editor, Password: desktest.Password},
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
		if who != "outsider" {
			exec(who, "INSERT INTO desk.devices (id, key) VALUES ($1, $2)", devices[who], make([]byte, 32))
		}
	}
	names := map[string]string{"$case": uuid.NewString(), "$event": uuid.NewString(), "$judgement": uuid.NewString(), "$own": uuid.NewString(), "$result": uuid.NewString()}
	exec("owner", "INSERT INTO desk.cases (id) VALUES ($1)", names["$case"])
	for _, who := range []string{"reviewer", "reader", "revoked"} {
		exec("owner", "INSERT INTO desk.case_members (case_id, member, level) VALUES ($1, $2, 'reviewer')", names["$case"], login[who])
	}
	sum := sha256.Sum256([]byte("1"))
	for _, e := range []struct{ who, name, kind string }{{"owner", "$event", "note"}, {"owner", "$judgement", "judgement"}, {"owner", "$result", "result"}, {"reviewer", "$own", "judgement"}} {
		exec(e.who, `INSERT INTO desk.events (id, case_id, device, lamport, kind, subject, body, digest, sig) VALUES ($1, $2, $3, 1, $4, $5, '{}', $5, $6)`,
			names[e.name], names["$case"], devices[e.who], e.kind, sum[:], make([]byte, 64))
	}
	exec("owner", "INSERT INTO desk.blobs (sha256, case_id, size, place) VALUES ($1, $2, 1, 'here')", sum[:], names["$case"])
	exec("owner", "INSERT INTO desk.checkpoints (device, size, root, note) VALUES ($1, 1, $2, '')", devices["owner"], sum[:])
	assert.NoError(t, postgres.Revoke(ctx, f.address(f.Owner), desktest.Password, login["revoked"]))

	for _, d := range actions {
		for i, who := range people {
			strange := "owner"
			if who == "owner" {
				strange = "reviewer"
			}
			sql := d.sql
			for name, id := range names {
				sql = strings.ReplaceAll(sql, name, "'"+id+"'")
			}
			sql = strings.NewReplacer("$device", "'"+devices[who]+"'", "$strange", "'"+devices[strange]+"'", "$other", login[strange]).Replace(sql)
			tx, err := conns[who].Begin(ctx)
			assert.NoError(t, err)
			done, err := tx.Exec(ctx, sql)
			got := "yes"
			switch {
			case err != nil:
				got = "no"
			case done.RowsAffected() == 0 && !strings.HasPrefix(sql, "SET"):
				got = "none"
			}
			assert.NoError(t, tx.Rollback(ctx))
			if got != d.may[i] {
				t.Errorf("%s: %s? %s, want %s (%v)", who, d.action, got, d.may[i], err)
			}
		}
	}
}
