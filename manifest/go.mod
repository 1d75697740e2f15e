module github.com/eksfargate/eksfargate/manifest

go 1.26.0

require (
	github.com/eksfargate/eksfargate v0.0.0
	github.com/google/go-cmp v0.7.0
	go.yaml.in/yaml/v4 v4.0.0
	golang.org/x/crypto v0.59.0
	pgregory.net/rapid v1.3.0
)

require golang.org/x/sys v0.50.0 // indirect

replace github.com/eksfargate/eksfargate => ../
