package main

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/bubbles/list"
	"github.com/tidwall/gjson"
)

type item struct{ gjson.Result }

func (i item) id() string { return i.Get("passport_id").String() }

func (i item) Title() string {
	name := i.Get("passport_profile.display_name").String()
	if i.Get("human_checkmark").Bool() {
		name += " ✓"
	}
	return name
}

func (i item) Description() string {
	return fmt.Sprintf("%d points, %s", i.Get("score").Int(), i.Get("passport_profile.location"))
}

func (i item) FilterValue() string { return i.Title() }

func items(rs []gjson.Result) []list.Item {
	out := make([]list.Item, 0, len(rs))
	for _, r := range rs {
		if !r.Get("calculating_score").Bool() {
			out = append(out, item{r})
		}
	}
	return out
}

func githubLogin(p gjson.Result) string {
	return p.Get(`passport_socials.#(source=="github").profile_name`).String()
}

func sheet(p gjson.Result, creds []gjson.Result, repos int64) string {
	var b strings.Builder
	profile := p.Get("passport_profile")
	fmt.Fprintf(&b, "%s\n%s\n\n", title.Render(profile.Get("display_name").Str), profile.Get("bio").Str)

	for _, k := range []string{"score", "activity_score", "identity_score", "skills_score"} {
		fmt.Fprintf(&b, "%-16s %4d\n", strings.ReplaceAll(k, "_", " "), p.Get(k).Int())
	}
	if t := p.Get("last_calculated_at"); t.Exists() {
		fmt.Fprintf(&b, "%-16s %s\n", "as of", t.Time().Format("2 Jan 2006"))
	}
	if repos > 0 {
		fmt.Fprintf(&b, "%-16s %4d\n", "repositories", repos)
	}
	b.WriteString("\n")
	p.Get("passport_socials").ForEach(func(_, s gjson.Result) bool {
		fmt.Fprintf(&b, "%s: %s (%s)\n", s.Get("source"), s.Get("profile_url"), s.Get("follower_count"))
		return true
	})
	for _, c := range creds {
		got := gjson.GetMany(c.Raw, "name", "score", "max_score")
		fmt.Fprintf(&b, "  %-32s %d/%d\n", got[0].Str, got[1].Int(), got[2].Int())
	}
	return b.String()
}
