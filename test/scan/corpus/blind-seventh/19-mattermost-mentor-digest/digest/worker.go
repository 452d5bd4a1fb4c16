package digest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"sort"
	"strings"

	"github.com/spf13/cast"

	"git.sr.ht/~lumen/mentor-digest/state"
)

type Worker struct {
	API, Key, Hook, Keyword string
	State                   *state.Store
}

type change struct {
	name  string
	delta float64
	fresh []string
}

func (w *Worker) Run(wallets []string) error {
	var changes []change
	known := map[string]bool{}

	for _, wallet := range wallets {
		known[wallet] = true
		p := w.passport(wallet)
		if p == nil {
			continue
		}
		if busy, _ := p["calculating_score"].(bool); busy {
			continue
		}
		score, ok := p["score"].(float64)
		if !ok {
			continue
		}
		name := displayName(p)
		creds := w.credentials(cast.ToInt(p["passport_id"]))

		before, seen := w.State.Entries[wallet]
		w.State.Entries[wallet] = state.Entry{Score: score, Name: name, Known: len(creds)}
		if !seen {
			continue
		}
		if before.Score != score || before.Known != len(creds) {
			changes = append(changes, change{name: name, delta: score - before.Score, fresh: titles(creds)})
		}
	}

	people, err := w.newcomers(known)
	if err != nil {
		return err
	}
	if len(changes)+len(people) > 0 {
		if err := w.post(text(changes, people)); err != nil {
			return err
		}
	}
	return w.State.Save()
}

func displayName(p map[string]any) string {
	profile, ok := p["passport_profile"].(map[string]any)
	if !ok {
		return "someone"
	}
	if s, _ := profile["display_name"].(string); s != "" {
		return s
	}
	for _, s := range cast.ToSlice(p["passport_socials"]) {
		social := cast.ToStringMap(s)
		if social["source"] == "farcaster" {
			return "@" + cast.ToString(social["profile_name"])
		}
	}
	return "someone"
}

// titles are the three credentials with the most points.
func titles(creds []any) []string {
	list := make([]map[string]any, 0, len(creds))
	for _, c := range creds {
		list = append(list, cast.ToStringMap(c))
	}
	sort.Slice(list, func(i, j int) bool {
		return cast.ToFloat64(list[i]["score"]) > cast.ToFloat64(list[j]["score"])
	})
	var out []string
	for _, c := range list {
		if c["earned_at"] == nil || c["category"] == "Identity" {
			continue
		}
		out = append(out, fmt.Sprintf("%v (%v)", c["name"], c["value"]))
		if len(out) == 3 {
			break
		}
	}
	return out
}

func text(changes []change, people []map[string]any) string {
	var b strings.Builder
	sort.Slice(changes, func(i, j int) bool { return changes[i].delta > changes[j].delta })
	b.WriteString("#### Mentors this week\n")
	for _, c := range changes {
		fmt.Fprintf(&b, "* **%s** %+.0f: %s\n", c.name, c.delta, strings.Join(c.fresh, ", "))
	}
	if len(people) > 0 {
		b.WriteString("\n#### Could be asked\n")
	}
	for _, p := range people {
		profile := cast.ToStringMap(p["passport_profile"])
		fmt.Fprintf(&b, "* %s, %v, skills %v, tags %s\n",
			displayName(p), profile["location"], p["skills_score"],
			strings.Join(cast.ToStringSlice(profile["tags"]), " "))
	}
	return b.String()
}

func (w *Worker) post(message string) error {
	body, _ := json.Marshal(map[string]string{"text": message, "username": "mentor digest"})
	resp, err := http.Post(w.Hook, "application/json", bytes.NewReader(body))
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("mattermost: %s", resp.Status)
	}
	return nil
}
