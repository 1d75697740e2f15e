// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

// Package crashtest finds out whether a program that works on AWS survives its
// own death. It runs the program once to its end, to learn which calls it makes.
// Then, for each of these calls, it runs it again and kills it there: once right
// before the call takes effect, and once right after, when AWS has done it and
// nobody was told. A new life of the program, which remembers nothing, must then
// bring everything to the same end: nothing left over, nothing missing, and
// nothing touched that belongs to others.
//
//	func TestControllerSurvivesCrashes(t *testing.T) {
//		report, err := crashtest.Check(t.Context(), func(clients crashtest.Clients) crashtest.Step {
//			c := mycontroller.New(clients.EKS)
//			return c.Reconcile // func(context.Context) (time.Duration, error)
//		})
//		if err != nil {
//			t.Error(err)
//		}
//		t.Log(report)
//	}
//
// The program can be of any kind, as long as each of its calls carries the
// context that it was given: that is what tells one life from another. A program
// that waits by itself belongs in a testing/synctest bubble; one that says when it
// wants to be called again, as Kubernetes controllers do, needs none.
package crashtest
