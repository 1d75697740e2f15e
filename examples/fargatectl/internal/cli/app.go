// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"fmt"
	"io"
	"log/slog"

	"github.com/eksfargate/eksfargate/examples/fargatectl/internal/output"
)

// Streams are what a command reads and writes: results go to Out, everything else to
// Err.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// app is one run of the program.
type app struct {
	Streams
	global
}

// Run runs the program with its arguments and returns the exit status. When the
// context ends, the command stops at the next safe point.
func Run(ctx context.Context, args []string, s Streams) int {
	a := &app{Streams: s}
	root := a.rootCommand() //nolint:contextcheck // each command gets the context from ExecuteContext
	root.SetArgs(args)
	root.SetIn(s.In)
	root.SetOut(s.Out)
	root.SetErr(s.Err)
	err := root.ExecuteContext(ctx)
	return a.report(ctx, err)
}

// style is the style of results, errStyle that of everything else.
func (a *app) style() output.Style    { return output.StyleFor(a.Out) }
func (a *app) errStyle() output.Style { return output.StyleFor(a.Err) }

// say writes a result. A reader that went away ends the program by itself.
func (a *app) say(format string, args ...any) { _, _ = fmt.Fprintf(a.Out, format, args...) }

// tell writes what is no result.
func (a *app) tell(text string) { _, _ = io.WriteString(a.Err, text) }

// note writes what is no result, in a line of its own after a word.
func (a *app) note(word, text string) { _, _ = fmt.Fprintf(a.Err, "%s %s\n", word, indented(text)) }

// encoded reports whether the result is for programs, and then writes it.
func (a *app) encoded(value any) (bool, error) {
	switch f := output.Format(a.format); f {
	case output.JSON, output.YAML:
		return true, output.Write(a.Out, f, value)
	default:
		return false, nil
	}
}

// logger tells what is decided and why with -v, and what is called with -vv.
func (a *app) logger() *slog.Logger {
	level := slog.LevelError
	switch {
	case a.verbose > 1:
		level = slog.LevelDebug
	case a.verbose == 1:
		level = slog.LevelInfo
	}
	return slog.New(slog.NewTextHandler(a.Err, &slog.HandlerOptions{Level: level}))
}
