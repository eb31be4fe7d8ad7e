// Renders the templates of a Helm chart with Go's templates and Sprig, as Helm does, for tests on machines without Helm.
// Reads {"directory", "values", "chart", "release"} as JSON from standard input, and writes all documents to standard output.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"gopkg.in/yaml.v3"
)

type input struct {
	Directory string                 `json:"directory"`
	Values    map[string]interface{} `json:"values"`
	Chart     map[string]interface{} `json:"chart"`
	Release   map[string]interface{} `json:"release"`
}

func main() {
	log.SetFlags(0)
	var in input
	if err := json.NewDecoder(os.Stdin).Decode(&in); err != nil {
		log.Fatal(err)
	}
	root := template.New("chart").Option("missingkey=zero")
	functions := sprig.TxtFuncMap()
	functions["include"] = func(name string, data interface{}) (string, error) {
		var text strings.Builder
		err := root.ExecuteTemplate(&text, name, data)
		return text.String(), err
	}
	functions["toYaml"] = func(value interface{}) (string, error) {
		text, err := yaml.Marshal(value)
		return strings.TrimSuffix(string(text), "\n"), err
	}
	root.Funcs(functions)
	files, err := filepath.Glob(filepath.Join(in.Directory, "templates", "*"))
	if err != nil {
		log.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			log.Fatal(err)
		}
		template.Must(root.New(filepath.Base(file)).Parse(string(text)))
	}
	data := map[string]interface{}{"Values": in.Values, "Chart": in.Chart, "Release": in.Release}
	for _, file := range files {
		name := filepath.Base(file)
		if !strings.HasSuffix(name, ".yaml") {
			continue
		}
		fmt.Printf("---\n# %s\n", name)
		if err := root.ExecuteTemplate(os.Stdout, name, data); err != nil {
			log.Fatal(err)
		}
	}
}
