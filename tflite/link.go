package tflite

// link sets the producer and the consumers of every tensor of a subgraph.
func link(s *Subgraph) {
	for _, t := range s.Inputs {
		s.Tensors[t].Input = true
	}
	for _, t := range s.Outputs {
		s.Tensors[t].Output, s.Tensors[t].Returned = true, true
	}
	for i := range s.Operators {
		for _, t := range s.Operators[i].Outputs {
			if t >= 0 && s.Tensors[t].Producer < 0 {
				s.Tensors[t].Producer = i
			}
		}
	}
	shareConsumers(s)
	eachRead(s, func(operator, t int) {
		s.Tensors[t].Consumers = append(s.Tensors[t].Consumers, operator)
	})
}

// shareConsumers gives every tensor an empty consumer list with enough capacity, cut from one
// shared slice.
func shareConsumers(s *Subgraph) {
	counts := make([]int32, len(s.Tensors))
	total := 0
	eachRead(s, func(_, t int) { counts[t]++; total++ })
	all := make([]int, total)
	for t, n := range counts {
		if n > 0 {
			s.Tensors[t].Consumers, all = all[:0:n], all[n:]
		}
	}
}

// eachRead calls f once for every pair of an operator and a tensor that it reads, in ascending
// order of operators.
func eachRead(s *Subgraph, f func(operator, tensor int)) {
	last := make([]int32, len(s.Tensors))
	for i := range s.Operators {
		for _, t := range s.Operators[i].Inputs {
			if t >= 0 && last[t] != int32(i)+1 {
				last[t] = int32(i) + 1
				f(i, t)
			}
		}
	}
}
