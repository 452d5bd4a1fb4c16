module github.com/loyly-ry/saunaclub

go 1.22
