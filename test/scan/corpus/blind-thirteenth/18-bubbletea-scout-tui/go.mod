module github.com/rvdk/scout

go 1.23

require (
	github.com/charmbracelet/bubbles v0.20.0
	github.com/charmbracelet/bubbletea v1.2.4
	github.com/charmbracelet/lipgloss v1.0.0
	github.com/tidwall/gjson v1.18.0
)
