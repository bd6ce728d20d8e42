package command

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay/client/desk"
	"assay/client/desk/postgres"
	"assay/client/i18n"
	"assay/client/plain"
	"assay/client/session"
)

const deskHelp = `A desk is a PostgreSQL database of the newsroom's own, over which colleagues share cases. IT makes it with init and gives
each person a login; each person joins it on their computer with join. From then on, cases that are shared with
assay case share are the same on all computers. Without a desk, nothing is shared.`

const noPasswordArgument = "A password is never given as an argument or in the address: other programs and the shell's history would see it. " +
	"Put it into ASSAY_DESK_PASSWORD, or pipe it in."

func newDesk(f *session.Options) *cobra.Command {
	cmd := &cobra.Command{
		Use: "desk init|join|leave|status|members|revoke|sync", Short: "Share cases with colleagues over the newsroom's own PostgreSQL", Long: deskHelp,
		RunE: func(*cobra.Command, []string) error {
			return &session.Misuse{Sentence: "Say what to do with the desk: assay desk init, join, leave, status, members, revoke or sync."}
		},
	}
	var status, members bool
	statusCmd := deskCommand(f, deskStatus, "status", "Say whether this computer has joined a desk, and whether all is shared", &status)
	membersCmd := deskCommand(f, deskMembers, "members", "List who is at the desk", &members)
	statusCmd.Flags().BoolVar(&status, "json", false, "print one JSON object")
	membersCmd.Flags().BoolVar(&members, "json", false, "print one JSON object per line")
	cmd.AddCommand(newDeskInit(f), newDeskRevoke(f), newDeskJoin(f), statusCmd, membersCmd,
		deskCommand(f, deskLeave, "leave", "Leave the desk: what is on this computer stays, and nothing more is shared", nil),
		deskCommand(f, deskSync, "sync", "Send and receive what is new, once. Exit status: 0 all done, 1 not reachable or something is still to be sent", nil))
	return cmd
}

// deskCommand is a subcommand without arguments.
func deskCommand(f *session.Options, do deskDoing, use, short string, asJSON *bool) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, Args: noArguments("desk " + use), RunE: func(cmd *cobra.Command, _ []string) error {
		s, err := f.Service()
		if err != nil {
			return err
		}
		job := deskJob{Do: do}
		if err := job.take(); err != nil {
			return err
		}
		return runDesk(cmd, s, job, asJSON != nil && *asJSON)
	}}
}

func newDeskJoin(f *session.Options) *cobra.Command {
	return &cobra.Command{
		Use: "join ADDRESS", Short: "Join a desk, such as postgres://ines@desk.example/assay",
		Long: "Logs in at the desk, and keeps its address, and its password in this computer's keychain. The password comes from ASSAY_DESK_PASSWORD, or is asked\n" +
			"for, or read from standard input. Where there is no keychain, set ASSAY_DESK_PASSWORD for each run, and ASSAY_SIGNING_KEY, always to the same key.\n" +
			"Where the address names a store for files (&files=https://files.example.org/bucket), its key comes from ASSAY_DESK_FILES_KEY as ACCESS:SECRET, or is asked\n" +
			"for likewise: in standard input it is the line after the password.\n" +
			"The connection is always encrypted, and the server must prove who it is: name its certificate authority with ?sslrootcert=FILE if the system\n" +
			"does not know it, and your own certificate with &sslcert=FILE&sslkey=FILE if the desk wants one.",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return &session.Misuse{Sentence: "join takes the desk's address, such as postgres://ines@desk.example/assay. " + noPasswordArgument}
			}
			at, err := fromHere(args[0])
			if err != nil {
				return &session.Misuse{Sentence: i18n.Sentence(err)}
			}
			s, err := f.Service()
			if err != nil {
				return err
			}
			job := deskJob{Do: deskJoin, Address: at.String()}
			if err := job.take(); err != nil {
				return err
			}
			if err := job.ask(cmd, at); err != nil {
				return err
			}
			s.Secrets.Add(job.Password)
			return runDesk(cmd, s, job, false)
		},
	}
}

// ask asks for the secrets that are missing: the password, and where files are kept in a store the key of that. A terminal is asked for one after the other;
// else each is a line.
func (j *deskJob) ask(cmd *cobra.Command, at postgres.Address) error {
	rest := ""
	if j.Password == "" {
		text, err := askKey(cmd.Context(), cmd.InOrStdin(), cmd.ErrOrStderr(), i18n.F("Password of %s at the desk:", at.Login())+" ")
		if err != nil {
			return err
		}
		j.Password, rest, _ = strings.Cut(text, "\n")
		j.Password = strings.TrimRight(j.Password, "\r")
	}
	if !j.storesFiles() || j.FilesKey != "" {
		return nil
	}
	if rest == "" {
		text, err := askKey(cmd.Context(), cmd.InOrStdin(), cmd.ErrOrStderr(), i18n.F("Key for %s, as ACCESS:SECRET:", plain.From(at.Files()))+" ")
		if err != nil {
			return err
		}
		rest = text
	}
	j.FilesKey = strings.TrimSpace(rest)
	return nil
}

// fromHere reads an address that is kept: files that it names are found from this folder, wherever Assay is started later.
func fromHere(text string) (postgres.Address, error) {
	if _, err := postgres.ParseAddress(text); err != nil {
		return postgres.Address{}, err
	}
	p := postgres.PartsOf(text)
	for _, file := range []*string{&p.Authority, &p.Certificate, &p.Key} {
		if *file == "" {
			continue
		}
		whole, err := filepath.Abs(*file)
		if err != nil {
			return postgres.Address{}, err
		}
		*file = whole
	}
	return p.Address()
}

// admin is who sets up a desk, and what follows on standard input.
type admin struct {
	at       postgres.Address
	password string
	rest     *bufio.Reader
}

// askAdmin reads the password of a database's admin: from the environment, or else the first line of standard input.
func askAdmin(cmd *cobra.Command, b *session.Base, address string) (a admin, err error) {
	if address == "" {
		return a, &session.Misuse{Sentence: "Give the login of the database's admin with --admin, such as --admin postgres://postgres@desk.example/assay."}
	}
	if a.at, err = postgres.ParseAddress(address); err != nil {
		return a, &session.Misuse{Sentence: i18n.Sentence(err)}
	}
	given, err := session.EnvironmentDeskSecrets()
	if a.password = given.Password; err != nil {
		return a, err
	}
	a.rest = bufio.NewReader(io.LimitReader(cmd.InOrStdin(), mostInput))
	if a.password == "" {
		if a.password, err = a.line(); err != nil {
			return a, err
		}
	}
	b.Secrets.Add(a.password)
	return a, nil
}

// line is the next line of standard input; "" at its end.
func (a admin) line() (string, error) {
	line, err := a.rest.ReadString('\n')
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return strings.TrimRight(line, "\r\n"), err
}

func newDeskInit(f *session.Options) *cobra.Command {
	var address, elsewhere string
	var named []string
	cmd := &cobra.Command{
		Use: "init --admin ADDRESS [--member NAME:ROLE]… [--elsewhere yes|no]", Short: "Set up a desk in a PostgreSQL database, and give people their logins",
		Long: "For IT: makes the tables, or brings them to this version of Assay, and makes a login for each member who has none. A member's role is reader, editor,\n" +
			"reviewer (who may sign off others' judgements) or admin. The admin's password comes from ASSAY_DESK_PASSWORD, or is the first line of standard input;\n" +
			"the members' passwords follow there, one a line, in the order in which they are named. Who has a login already keeps the password with an empty line.\n" +
			"--elsewhere yes has the desk tell members that somebody has checked the same file in a case which isn't theirs: not who, nor in which case.\n" +
			"It can be run again at any time, and must be after the database was restored from a backup.",
		Args: noArguments("desk init"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			b, err := f.Begin()
			if err != nil {
				return err
			}
			a, err := askAdmin(cmd, b, address)
			if err != nil {
				return err
			}
			if !slices.Contains([]string{"", "yes", "no"}, elsewhere) {
				return &session.Misuse{Sentence: "--elsewhere must be yes or no."}
			}
			var members []postgres.NewMember
			for _, text := range named {
				name, role, _ := strings.Cut(text, ":")
				m := postgres.NewMember{Name: name, Role: postgres.Role(role)}
				if name == "" || !slices.Contains(postgres.Roles, m.Role) {
					return &session.Misuse{Sentence: "--member must be a name and a role, such as ines:editor. The roles are reader, editor, reviewer and admin."}
				}
				if m.Password, err = a.line(); err != nil {
					return err
				}
				b.Secrets.Add(m.Password)
				members = append(members, m)
			}
			if err := postgres.Init(cmd.Context(), a.at, a.password, members); err != nil {
				return err
			}
			if elsewhere != "" {
				if err := postgres.TellElsewhere(cmd.Context(), a.at, a.password, elsewhere == "yes"); err != nil {
					return err
				}
			}
			said := i18n.T("The desk is ready.")
			if len(members) > 0 {
				said += " " + i18n.N(len(members), "%s member can join it.", "%s members can join it.")
			}
			return printLine(cmd.OutOrStdout(), said)
		},
	}
	cmd.Flags().StringVar(&address, "admin", "", "the database and its admin's login, without the password")
	cmd.Flags().StringVar(&elsewhere, "elsewhere", "", "whether members are told that somebody has checked a file in a case which isn't theirs: yes or no")
	cmd.Flags().StringArrayVar(&named, "member", nil, "somebody's login and role, such as ines:editor; may be given several times")
	return cmd
}

func newDeskRevoke(f *session.Options) *cobra.Command {
	var address string
	cmd := &cobra.Command{
		Use: "revoke --admin ADDRESS NAME", Short: "End a member's part in a desk, such as after a laptop was lost",
		Long: "For IT: the member can't read or write at the desk any more. What they wrote stays there, and their computer keeps what is on it. desk init with --member\n" +
			"lets them in again. The admin's password comes from ASSAY_DESK_PASSWORD, or is read from standard input.",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return &session.Misuse{Sentence: "revoke takes the login of one member, and --admin."}
			}
			b, err := f.Begin()
			if err != nil {
				return err
			}
			a, err := askAdmin(cmd, b, address)
			if err != nil {
				return err
			}
			if err := postgres.Revoke(cmd.Context(), a.at, a.password, args[0]); err != nil {
				return err
			}
			return printLine(cmd.OutOrStdout(), i18n.F("%s is no longer a member of the desk.", plain.From(args[0])))
		},
	}
	cmd.Flags().StringVar(&address, "admin", "", "the database and its admin's login, without the password")
	return cmd
}

// newCaseShare makes `assay case share`.
func newCaseShare(f *session.Options) *cobra.Command {
	var yes bool
	var with []string
	var keep, original string
	share := string(desk.ShareAnswer)
	cmd := &cobra.Command{
		Use: "share CASE", Short: "Share a case with colleagues at the desk",
		Long: "Says what would be shared, and asks; --yes goes on without asking. From then on, what is done in the case is shared as well. Of files that may never leave\n" +
			"this computer nothing is shared, not even that they are here; files that Assay asks about are shared one by one, in the window. The files themselves stay.\n" +
			"--original shares the file itself of one result, with all that it says of itself but not its name, and nothing else; the case must be shared already.\n" +
			"--files encrypted shares heatmaps and small pictures of the results, too, if the desk has a place for them; --files plain without encrypting them, and --files none no more.\n" +
			"--with lets a member in: as reader, editor, reviewer or owner, such as --with rui:reviewer; without a level, as editor.",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			job := deskJob{Do: deskPlan, Share: desk.Share(share)}
			if len(args) != 1 {
				return &session.Misuse{Sentence: "Use it as: assay case share CASE"}
			}
			job.Case, job.Original = args[0], original
			if original != "" && (keep != "" || len(with) > 0 || cmd.Flags().Changed("share")) {
				return &session.Misuse{Sentence: "--original shares one file and nothing else: give it without --share, --files and --with."}
			}
			if !slices.Contains([]desk.Share{desk.ShareStatus, desk.ShareAnswer, desk.ShareAll}, job.Share) {
				return &session.Misuse{Sentence: "--share must be status, answer or all."}
			}
			switch job.Files = desk.Keeping(keep); {
			case !slices.Contains([]desk.Keeping{desk.KeepNone, desk.KeepEncrypted, desk.KeepPlain, noFiles}, job.Files):
				return &session.Misuse{Sentence: "--files must be encrypted, plain or none."}
			case job.Files != desk.KeepNone && job.Files != noFiles && job.Share == desk.ShareStatus:
				return &session.Misuse{Sentence: "Pictures are shared only with the answers that they belong to: --files needs --share answer or --share all."}
			}
			for _, text := range with {
				name, level, given := strings.Cut(text, ":")
				if !given {
					level = string(postgres.LevelEditor)
				}
				if name == "" || !slices.Contains(postgres.Levels, postgres.Level(level)) {
					return &session.Misuse{Sentence: "--with must be a member's login and a level, such as rui:reviewer. The levels are reader, editor, reviewer, owner and none."}
				}
				job.With = append(job.With, letIn{name, postgres.Level(level)})
			}
			s, err := f.Service()
			if err != nil {
				return err
			}
			if err := job.take(); err != nil {
				return err
			}
			return shareCase(cmd, s, job, yes)
		},
	}
	cmd.Flags().StringVar(&share, "share", share, "what is shared of results: status (hash and verdict), answer (all but names), all")
	cmd.Flags().StringVar(&keep, "files", "", "heatmaps and small pictures of the results, too: encrypted, plain or none")
	cmd.Flags().StringVar(&original, "original", "", "the ID of a result whose file itself is shared")
	cmd.Flags().StringArrayVar(&with, "with", nil, "a member to let in, such as rui:reviewer; may be given several times")
	cmd.Flags().BoolVar(&yes, "yes", false, "go on without asking")
	return cmd
}

// shareCase says what would be shared, asks, and shares.
func shareCase(cmd *cobra.Command, s *session.Service, job deskJob, yes bool) error {
	ctx, said := cmd.Context(), cmd.ErrOrStderr()
	var plan deskAnswer
	if err := deskWork(ctx, s, job, said, func(a deskAnswer) error { plan = a; return nil }); err != nil {
		return err
	}
	lines, done := plan.sharing(), i18n.F("“%s” is shared.", plain.From(plan.Title).Folded())
	if job.Original != "" {
		lines, done = plan.going(), i18n.T("The file is shared.")
	}
	for _, line := range lines {
		say(said, line)
	}
	if !yes {
		if err := askToGoOn(ctx, cmd.InOrStdin(), said, i18n.T("Nothing was shared.")); err != nil {
			return err
		}
	}
	job.Do = deskShare
	var shared deskAnswer
	if err := deskWork(ctx, s, job, said, func(a deskAnswer) error { shared = a; return nil }); err != nil {
		return err
	}
	if err := printLine(cmd.OutOrStdout(), done); err != nil {
		return err
	}
	if shared.Problem != "" {
		say(said, shared.Problem)
		return errSomeFailed
	}
	return nil
}

// runDesk does a job and prints its answers.
func runDesk(cmd *cobra.Command, s *session.Service, job deskJob, asJSON bool) error {
	ctx := cmd.Context()
	out := interruptible(ctx, cmd.OutOrStdout())
	var all []deskAnswer
	if err := deskWork(ctx, s, job, cmd.ErrOrStderr(), func(a deskAnswer) error { all = append(all, a); return nil }); err != nil {
		return err
	}
	for _, a := range all {
		if asJSON {
			data, err := json.Marshal(a.shown(job.Do))
			if err != nil {
				return err
			}
			if err := printJSONLine(out, data); err != nil {
				return err
			}
		} else if err := printLines(out, a.lines(job.Do)); err != nil {
			return err
		}
	}
	if len(all) > 0 && all[len(all)-1].failed(job.Do) {
		return errSomeFailed
	}
	return nil
}
