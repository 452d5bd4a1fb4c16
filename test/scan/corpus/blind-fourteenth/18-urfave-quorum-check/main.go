package main

import (
	"fmt"
	"os"
	"text/tabwriter"

	"github.com/fatih/color"
	"github.com/urfave/cli/v2"
)

func main() {
	app := &cli.App{
		Name:  "quorumcheck",
		Usage: "who are the signers of a safe",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "talent-url", Value: "https://api.talentprotocol.com", EnvVars: []string{"TALENT_URL"}},
			&cli.StringFlag{Name: "talent-key", EnvVars: []string{"TALENT_KEY"}},
		},
		Commands: []*cli.Command{
			{Name: "safe", ArgsUsage: "ADDRESS", Action: safeCommand},
			{Name: "find", ArgsUsage: "NAME", Action: findCommand, Flags: []cli.Flag{&cli.IntFlag{Name: "pages", Value: 1}}},
		},
	}
	if err := app.Run(os.Args); err != nil {
		fmt.Fprintln(os.Stderr, color.RedString("error: %v", err))
		os.Exit(1)
	}
}

func safeCommand(c *cli.Context) error {
	safe, err := loadSafe(c.Args().First())
	if err != nil {
		return err
	}
	api := newAPI(c.String("talent-url"), c.String("talent-key"))
	tw := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
	defer tw.Flush()
	fmt.Fprintln(tw, "OWNER\tNAME\tSCORE\tHUMAN\tBADGES")

	humans := 0
	for _, owner := range safe.Owners {
		p, err := api.passport(owner)
		if err != nil {
			fmt.Fprintf(tw, "%s\t?\t0\tno\t0\n", owner)
			continue
		}
		if p.Human != nil && *p.Human {
			humans++
		}
		badges, err := api.badges(p.ID)
		if err != nil {
			return err
		}
		fmt.Fprintf(tw, "%s\t%s\t%.0f\t%s\t%d\n", owner, p.name(), p.Score, yesNo(p.Human), len(badges))
	}
	fmt.Printf("%d of %d owners are human, threshold %d\n", humans, len(safe.Owners), safe.Threshold)
	if humans < safe.Threshold {
		return cli.Exit(color.YellowString("humans alone cannot reach the threshold"), 2)
	}
	return nil
}

func findCommand(c *cli.Context) error {
	api := newAPI(c.String("talent-url"), c.String("talent-key"))
	for page := 1; page <= c.Int("pages"); page++ {
		res, err := api.find(c.Args().First(), page)
		if err != nil {
			return err
		}
		for _, p := range res.Passports {
			fmt.Printf("%6.0f  %-24s %s\n", p.Score, p.name(), p.Wallet)
		}
		if res.Pagination.CurrentPage >= res.Pagination.LastPage {
			fmt.Printf("%d in all\n", res.Pagination.Total)
			break
		}
	}
	return nil
}

func yesNo(b *bool) string {
	if b != nil && *b {
		return color.GreenString("yes")
	}
	return "no"
}
