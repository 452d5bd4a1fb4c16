module github.com/visadesk/docworker

go 1.22
