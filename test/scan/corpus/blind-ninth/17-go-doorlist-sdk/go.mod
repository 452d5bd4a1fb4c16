module github.com/nightbus/doorlist

go 1.23

require golang.org/x/time v0.8.0
