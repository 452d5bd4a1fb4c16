module github.com/lisbon-commons/coffee-roulette

go 1.22
