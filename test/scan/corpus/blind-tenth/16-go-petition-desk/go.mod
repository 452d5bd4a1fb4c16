module github.com/openstreets/petition-desk

go 1.23

require modernc.org/sqlite v1.34.4
