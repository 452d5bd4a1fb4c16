package main

import (
	"bufio"
	"flag"
	"log"
	"os"
	"strings"

	"github.com/robfig/cron/v3"

	"git.sr.ht/~lumen/mentor-digest/digest"
	"git.sr.ht/~lumen/mentor-digest/state"
)

func main() {
	var (
		once     = flag.Bool("once", false, "run one time and leave")
		schedule = flag.String("schedule", "0 8 * * 1", "cron expression")
		wallets  = flag.String("wallets", "mentors.txt", "one wallet a line")
		file     = flag.String("state", "state.json", "what we said last week")
	)
	flag.Parse()

	w := &digest.Worker{
		API:     os.Getenv("TALENT_API"),
		Key:     os.Getenv("TALENT_API_KEY"),
		Hook:    os.Getenv("MATTERMOST_HOOK"),
		Keyword: os.Getenv("COHORT"),
		State:   state.Open(*file),
	}
	run := func() {
		list, err := readLines(*wallets)
		if err != nil {
			log.Print(err)
			return
		}
		if err := w.Run(list); err != nil {
			log.Printf("digest failed: %v", err)
		}
	}
	if *once {
		run()
		return
	}
	c := cron.New()
	if _, err := c.AddFunc(*schedule, run); err != nil {
		log.Fatal(err)
	}
	c.Run()
}

func readLines(path string) ([]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var lines []string
	for sc := bufio.NewScanner(f); sc.Scan(); {
		if line := strings.TrimSpace(sc.Text()); line != "" && !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	return lines, nil
}
