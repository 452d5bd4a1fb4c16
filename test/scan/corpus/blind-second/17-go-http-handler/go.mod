module github.com/acme/passport-page

go 1.22
