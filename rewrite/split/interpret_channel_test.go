package split_test

// fullyConnected has a value for each channel of the output.
func (in *interpreter) fullyConnected(inputs []int, out int) {
	x, w := in.get(inputs[0]), in.get(inputs[1])
	units, depth := int(w.shape[0]), int(w.shape[1])
	in.must(len(x.data)%depth == 0, "%v by weights %v", x.shape, w.shape)
	r := newArray([]int32{int32(len(x.data) / depth), w.shape[0]})
	zero := in.zero(in.like(inputs[0]))
	for i := range r.data {
		sum := float64(0)
		for k := range depth {
			sum = in.tap(out, sum, x.data[i/units*depth+k], w.data[i%units*depth+k], zero)
		}
		if inputs[2] >= 0 {
			bias := in.get(inputs[2])
			in.must(len(bias.data) == units, "bias %v for %d units", bias.shape, units)
			sum = in.add(out, sum, bias.data[i%units])
		}
		if !in.float(out) {
			sum *= 0.037
		}
		r.data[i] = in.round(out, sum)
	}
	in.set(out, r)
}

// mean is one over some dimensions.
func (in *interpreter) mean(inputs []int, out int, keep bool) {
	x, over := in.get(inputs[0]), map[int]bool{}
	for _, axis := range in.get(inputs[1]).data {
		over[(int(axis)+len(x.shape))%len(x.shape)] = true
	}
	var shape []int32
	for i, d := range x.shape {
		switch {
		case !over[i]:
			shape = append(shape, d)
		case keep:
			shape = append(shape, 1)
		}
	}
	r := newArray(shape)
	for k, v := range x.data {
		place, step, rest := 0, 1, k
		for i := len(x.shape) - 1; i >= 0; i-- {
			at := rest % int(x.shape[i])
			rest /= int(x.shape[i])
			if !over[i] {
				place += at * step
				step *= int(x.shape[i])
			}
		}
		r.data[place] += v - in.zero(in.like(inputs[0]))
	}
	for i := range r.data {
		r.data[i] = in.round(out, r.data[i]/float64(len(x.data)/len(r.data)))
	}
	in.set(out, r)
}
