// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bufio"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/eksfargate/eksfargate/examples/fargatectl/internal/output"
)

func yesFlag(cmd *cobra.Command, yes *bool) {
	cmd.Flags().BoolVarP(yes, "yes", "y", false, "do not ask")
}

// confirm asks, unless the answer is known. Ctrl-C is an answer, too.
func (a *app) confirm(ctx context.Context, yes bool, question string) error {
	if yes {
		return nil
	}
	a.tell(a.errStyle().Bold(question) + " [y/N] ")
	answer := make(chan string, 1)
	// The read can't be cut; it ends with the process at the latest.
	go func() {
		line, _ := bufio.NewReader(a.In).ReadString('\n')
		answer <- strings.ToLower(strings.TrimSpace(line))
	}()
	select {
	case <-ctx.Done():
		a.tell("\n")
		return ctx.Err()
	case word := <-answer:
		if !output.Terminal(a.In) {
			a.tell("\n") // nobody pressed Enter
		}
		if word == "y" || word == "yes" {
			return nil
		}
		return failure("answer y, or give --yes", "nothing was changed: the answer was %s", fmt.Sprintf("%q", word))
	}
}
