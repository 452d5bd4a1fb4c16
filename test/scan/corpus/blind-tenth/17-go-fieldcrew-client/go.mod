module github.com/fieldcrew/talentapi

go 1.23

require (
	github.com/go-playground/validator/v10 v10.23.0
	github.com/olekukonko/tablewriter v0.0.5
)
