package chainer

// alexNet is that of Chainer's example (alex.py): pictures of 227 by 227.
func alexNet() *graph {
	c := &graph{}
	x := c.newTensor(3, 227, 227)
	x = c.pool(c.norm(c.relu(c.conv(x, 96, 11, 4, 0)), 4), 3, 2, 0)
	x = c.pool(c.norm(c.relu(c.conv(x, 256, 5, 1, 2)), 4), 3, 2, 0)
	x = c.relu(c.conv(x, 384, 3, 1, 1))
	x = c.relu(c.conv(x, 384, 3, 1, 1))
	x = c.pool(c.relu(c.conv(x, 256, 3, 1, 1)), 3, 2, 0)
	x = c.dropout(c.relu(c.linear(x, 4096)))
	x = c.dropout(c.relu(c.linear(x, 4096)))
	c.linear(x, 1000)
	return c
}

// googLeNet is that of Chainer's example (googlenet.py), without the two heads that only help to
// train it.
func googLeNet() *graph {
	c := &graph{}
	x := c.newTensor(3, 224, 224)
	x = c.norm(c.pool(c.relu(c.conv(x, 64, 7, 2, 3)), 3, 2, 0), 4)
	x = c.relu(c.conv(x, 64, 1, 1, 0))
	x = c.pool(c.norm(c.relu(c.conv(x, 192, 3, 1, 1)), 4), 3, 2, 0)
	inception := func(x, a, b3, b, c5, d, p int) int {
		return c.relu(c.concat(
			c.conv(x, a, 1, 1, 0),
			c.conv(c.relu(c.conv(x, b3, 1, 1, 0)), b, 3, 1, 1),
			c.conv(c.relu(c.conv(x, c5, 1, 1, 0)), d, 5, 1, 2),
			c.conv(c.pool(x, 3, 1, 1), p, 1, 1, 0)))
	}
	x = inception(x, 64, 96, 128, 16, 32, 32)
	x = c.pool(inception(x, 128, 128, 192, 32, 96, 64), 3, 2, 0)
	x = inception(x, 192, 96, 208, 16, 48, 64)
	x = inception(x, 160, 112, 224, 24, 64, 64)
	x = inception(x, 128, 128, 256, 24, 64, 64)
	x = inception(x, 112, 144, 288, 32, 64, 64)
	x = c.pool(inception(x, 256, 160, 320, 32, 128, 128), 3, 2, 0)
	x = inception(x, 256, 160, 320, 32, 128, 128)
	x = inception(x, 384, 192, 384, 48, 128, 128)
	x = c.dropout(c.pool(x, 7, 1, 0))
	c.linear(x, 1000)
	return c
}

// block is a convolution with a normalisation of batches and perhaps a relu.
func (c *graph) block(x, channels, kh, kw, stride, padH, padW int, relu bool) int {
	x = c.norm(c.conv2(x, channels, kh, kw, stride, padH, padW), 0)
	if relu {
		x = c.relu(x)
	}
	return x
}

// resNet50 is that of Chainer's example (resnet50.py).
func resNet50() *graph {
	c := &graph{}
	x := c.newTensor(3, 224, 224)
	x = c.pool(c.block(x, 64, 7, 7, 2, 3, 3, true), 3, 2, 0)
	for stage, blocks := range []int{3, 4, 6, 3} {
		mid, out := 64<<stage, 256<<stage
		for k := range blocks {
			stride, same := 1, x
			if k == 0 && stage > 0 {
				stride = 2
			}
			h := c.block(x, mid, 1, 1, stride, 0, 0, true)
			h = c.block(h, mid, 3, 3, 1, 1, 1, true)
			h = c.block(h, out, 1, 1, 1, 0, 0, false)
			if k == 0 {
				same = c.block(x, out, 1, 1, stride, 0, 0, false)
			}
			x = c.relu(c.sum(h, same))
		}
	}
	c.linear(c.pool(x, 7, 1, 0), 1000)
	return c
}

// inceptionResNet is Inception-ResNet v2 (Szegedy et al. 2017), figures 3 to 8 of version 1 there:
// 299 by 299, 5 blocks A, 10 B and 5 C.
func inceptionResNet() *graph {
	c := &graph{}
	same := func(x, channels, kh, kw int) int { return c.block(x, channels, kh, kw, 1, kh/2, kw/2, true) }
	down := func(x, channels int) int { return c.block(x, channels, 3, 3, 2, 0, 0, true) }
	x := c.newTensor(3, 299, 299)
	x = down(x, 32)
	x = same(c.block(x, 32, 3, 3, 1, 0, 0, true), 64, 3, 3)
	x = c.concat(c.pool(x, 3, 2, 0), down(x, 96))
	a := c.block(same(x, 64, 1, 1), 96, 3, 3, 1, 0, 0, true)
	b := c.block(same(same(same(x, 64, 1, 1), 64, 7, 1), 64, 1, 7), 96, 3, 3, 1, 0, 0, true)
	x = c.concat(a, b)
	x = c.concat(down(x, 192), c.pool(x, 3, 2, 0))
	residual := func(x int, branches ...int) int {
		t := c.tensors[x]
		h := c.conv(c.concat(branches...), t.channels, 1, 1, 0)
		return c.relu(c.sum(x, h))
	}
	for range 5 {
		x = residual(x, same(x, 32, 1, 1), same(same(x, 32, 1, 1), 32, 3, 3), same(same(same(x, 32, 1, 1), 48, 3, 3), 64, 3, 3))
	}
	x = c.concat(c.pool(x, 3, 2, 0), down(x, 384), down(same(same(x, 256, 1, 1), 256, 3, 3), 384))
	for range 10 {
		x = residual(x, same(x, 192, 1, 1), same(same(same(x, 128, 1, 1), 160, 1, 7), 192, 7, 1))
	}
	x = c.concat(c.pool(x, 3, 2, 0), down(same(x, 256, 1, 1), 384), down(same(x, 256, 1, 1), 288), down(same(same(x, 256, 1, 1), 288, 3, 3), 320))
	for range 5 {
		x = residual(x, same(x, 192, 1, 1), same(same(same(x, 192, 1, 1), 224, 1, 3), 256, 3, 1))
	}
	c.linear(c.dropout(c.pool(x, c.tensors[x].height, 1, 0)), 1000)
	return c
}
