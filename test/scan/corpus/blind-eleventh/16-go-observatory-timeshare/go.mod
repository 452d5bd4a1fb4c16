module github.com/northfield-astro/timeshare

go 1.22
