module github.com/oncobench/essentials

go 1.22

require github.com/go-resty/resty/v2 v2.15.3
