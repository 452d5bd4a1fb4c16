module github.com/hackweek/teams

go 1.23
