module github.com/orchardcoop/harvesthands

go 1.23

require github.com/go-playground/validator/v10 v10.22.0
