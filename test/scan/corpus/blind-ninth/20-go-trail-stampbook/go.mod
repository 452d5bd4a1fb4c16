module github.com/ridgewalk/stampbook

go 1.22
