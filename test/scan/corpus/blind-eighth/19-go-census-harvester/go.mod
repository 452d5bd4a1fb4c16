module github.com/civic-census/harvester

go 1.22

require golang.org/x/sync v0.8.0
