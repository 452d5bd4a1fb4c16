module github.com/moselroute/passes

go 1.22
