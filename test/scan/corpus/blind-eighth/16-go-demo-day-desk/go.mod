module github.com/demoday/desk

go 1.22
