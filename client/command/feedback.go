package command

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"assay/client"
)

func newFeedback(f *flags) *cobra.Command {
	var label, category, comment string
	cmd := &cobra.Command{
		Use:   "feedback ID --label LABEL --category CATEGORY",
		Short: "Tell the service what your desk thinks of a result",
		Long: "Sends your desk's own judgement of a result. The service stores it with your name, e-mail address and organisation.\n" +
			"Labels: real, synthetic, manipulated, unknown. Categories: false-positive, false-negative, confirmation, other.",
		Args: oneID,
		RunE: func(cmd *cobra.Command, args []string) error {
			given := client.Feedback{
				RequestID: args[0],
				Label:     client.Label(strings.ToUpper(label)),
				Category:  client.Category(strings.ToUpper(strings.ReplaceAll(category, "-", "_"))),
				Comment:   comment,
			}
			if !given.Label.Valid() {
				return &Misuse{Sentence: "--label is real, synthetic, manipulated or unknown."}
			}
			if !given.Category.Valid() {
				return &Misuse{Sentence: "--category is false-positive, false-negative, confirmation or other."}
			}
			s, err := openLookup(cmd.Context(), *f, cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			defer s.close()
			record, err := s.client.SendFeedback(cmd.Context(), given)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "sent: %s, %s %s\n", strings.ToLower(string(given.Label)), strings.ToLower(category), record.ID)
			return err
		},
	}
	cmd.Flags().StringVar(&label, "label", "", "real, synthetic, manipulated or unknown")
	cmd.Flags().StringVar(&category, "category", "", "false-positive, false-negative, confirmation or other")
	cmd.Flags().StringVar(&comment, "comment", "", "a comment, kept by the service")
	return cmd
}
