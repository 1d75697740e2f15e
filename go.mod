module github.com/eksfargate/eksfargate

go 1.26
