module example.com/tools/embed

go 1.22
