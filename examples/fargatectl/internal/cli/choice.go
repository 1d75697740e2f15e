// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// choice is a flag with a few values: each word of the command line stands for a word
// of the library.
type choice[T ~string] struct {
	target *T
	word   string
	words  []word[T]
}

type word[T ~string] struct {
	flag  string
	value T
}

var _ pflag.Value = (*choice[string])(nil)

// choiceFlag adds a flag with a few values, the first of which is the default.
func choiceFlag[T ~string](cmd *cobra.Command, target *T, name, usage string, words ...word[T]) {
	c := &choice[T]{target: target, word: words[0].flag, words: words}
	*target = words[0].value
	cmd.Flags().Var(c, name, usage+": "+strings.Join(c.names(), ", "))
	// It fails only for a flag that is not there.
	_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(c.names(), cobra.ShellCompDirectiveNoFileComp))
}

func (c *choice[T]) names() []string {
	names := make([]string, len(c.words))
	for i, w := range c.words {
		names[i] = w.flag
	}
	return names
}

// Set chooses a word.
func (c *choice[T]) Set(text string) error {
	for _, w := range c.words {
		if w.flag == text {
			c.word, *c.target = text, w.value
			return nil
		}
	}
	return fmt.Errorf("choose one of %s", strings.Join(c.names(), ", "))
}

// String is the word that is chosen.
func (c *choice[T]) String() string { return c.word }

// Type names the kind of value in the help.
func (c *choice[T]) Type() string { return "word" }
