module example.com/badge-server

go 1.22
