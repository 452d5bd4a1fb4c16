module github.com/degen-tools/passportctl

go 1.22
