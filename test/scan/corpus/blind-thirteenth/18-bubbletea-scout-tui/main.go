package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/charmbracelet/bubbles/list"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
)

var (
	title  = lipgloss.NewStyle().Bold(true).Foreground(lipgloss.Color("212"))
	pane   = lipgloss.NewStyle().Padding(1, 2).Width(60)
	failed = lipgloss.NewStyle().Foreground(lipgloss.Color("9"))
)

type model struct {
	list    list.Model
	keyword string
	page    int
	last    int
	detail  *detailMsg
	repos   int64
	err     error
}

func (m model) Init() tea.Cmd { return loadPage(m.keyword, 1) }

func (m model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.list.SetSize(msg.Width-64, msg.Height)
	case pageMsg:
		m.page, m.last, m.err = msg.page, msg.last, nil
		m.list.Title = fmt.Sprintf("People %d/%d", m.page, m.last)
		return m, m.list.SetItems(items(msg.people))
	case detailMsg:
		m.detail, m.repos, m.err = &msg, 0, nil
		if login := githubLogin(msg.person); login != "" {
			return m, countRepos(login)
		}
		return m, nil
	case reposMsg:
		m.repos = int64(msg)
		return m, nil
	case errMsg:
		m.err = msg.error
		return m, nil
	case tea.KeyMsg:
		switch msg.String() {
		case "q", "ctrl+c":
			return m, tea.Quit
		case "n":
			if m.page < m.last {
				return m, loadPage(m.keyword, m.page+1)
			}
		case "enter":
			if it, ok := m.list.SelectedItem().(item); ok {
				return m, loadDetail(it.id())
			}
		}
	}
	var cmd tea.Cmd
	m.list, cmd = m.list.Update(msg)
	return m, cmd
}

func (m model) View() string {
	right := ""
	switch {
	case m.err != nil:
		right = failed.Render(m.err.Error())
	case m.detail != nil:
		right = sheet(m.detail.person, m.detail.creds, m.repos)
	}
	return lipgloss.JoinHorizontal(lipgloss.Top, m.list.View(), pane.Render(right))
}

func main() {
	keyword := flag.String("k", "", "only names with this word")
	flag.Parse()
	m := model{keyword: *keyword, list: list.New(nil, list.NewDefaultDelegate(), 0, 0)}
	if _, err := tea.NewProgram(m, tea.WithAltScreen()).Run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
