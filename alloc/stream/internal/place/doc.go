// Package place gives addresses to a plan whose resident layers and loads are chosen.
package place
