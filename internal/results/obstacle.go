package results

import "github.com/tflarena/tflarena/lifetime/rules"

// An Obstacle is why the runtime cannot run a model.
type Obstacle struct {
	// Subgraph and Operator are indexes; Operator is -1 where no single one is to blame.
	Subgraph int    `json:"subgraph"`
	Operator int    `json:"index"`
	Name     string `json:"name"`
	// Phase is "no kernel", "Prepare", "planning" or "Eval".
	Phase  string `json:"phase"`
	Reason string `json:"reason"`
	// Custom says that an application can bring what is missing, the kernel of a custom
	// operator.
	Custom bool `json:"custom"`
}

// NewObstacles returns obstacles as reports have them.
func NewObstacles(list []rules.Obstacle) []Obstacle {
	all := []Obstacle{}
	for _, o := range list {
		all = append(all, Obstacle{
			Subgraph: o.Subgraph, Operator: o.Operator, Name: o.Name,
			Phase: string(o.Phase), Reason: o.Reason, Custom: o.Custom,
		})
	}
	return all
}
