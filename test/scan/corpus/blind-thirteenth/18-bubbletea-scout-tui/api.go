package main

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/tidwall/gjson"
)

const defaultHost = "api.talentprotocol.com"

var hc = http.Client{Timeout: 8 * time.Second}

type (
	pageMsg struct {
		people []gjson.Result
		page   int
		last   int
	}
	detailMsg struct {
		person gjson.Result
		creds  []gjson.Result
	}
	reposMsg int64
	errMsg   struct{ error }
)

func endpoint(path string, q url.Values) string {
	host := os.Getenv("SCOUT_HOST")
	if host == "" {
		host = defaultHost
	}
	u := url.URL{Scheme: "https", Host: host, Path: "/api/v1/" + path, RawQuery: q.Encode()}
	return u.String()
}

func getJSON(u string) (gjson.Result, error) {
	req, _ := http.NewRequest("GET", u, nil)
	req.Header.Set("X-API-KEY", os.Getenv("SCOUT_KEY"))
	res, err := hc.Do(req)
	if err != nil {
		return gjson.Result{}, err
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		return gjson.Result{}, err
	}
	if res.StatusCode/100 != 2 {
		return gjson.Result{}, fmt.Errorf("%s (%s)", res.Status, gjson.GetBytes(b, "error"))
	}
	return gjson.ParseBytes(b), nil
}

func loadPage(keyword string, page int) tea.Cmd {
	return func() tea.Msg {
		q := url.Values{"page": {fmt.Sprint(page)}}
		if keyword != "" {
			q.Set("keyword", keyword)
		}
		r, err := getJSON(endpoint("passports", q))
		if err != nil {
			return errMsg{err}
		}
		return pageMsg{
			people: r.Get("passports").Array(),
			page:   int(r.Get("pagination.current_page").Int()),
			last:   int(r.Get("pagination.last_page").Int()),
		}
	}
}

func loadDetail(id string) tea.Cmd {
	return func() tea.Msg {
		r, err := getJSON(endpoint("passports/"+id, nil))
		if err != nil {
			return errMsg{err}
		}
		msg := detailMsg{person: r.Get("passport")}
		c, err := getJSON(endpoint("passport_credentials", url.Values{"passport_id": {id}}))
		if err == nil {
			msg.creds = c.Get("passport_credentials").Array()
		}
		return msg
	}
}

func countRepos(login string) tea.Cmd {
	return func() tea.Msg {
		r, err := getJSON("https://api.github.com/users/" + url.PathEscape(login))
		if err != nil {
			return reposMsg(0)
		}
		return reposMsg(r.Get("public_repos").Int())
	}
}
