module github.com/acme/talentprotocol-go

go 1.22
