package models

var posenet = description{
	Network: Network{
		Name:  "posenet",
		Title: "PoseNet",
		Group: Tables,
		Source: "Papandreou and others, PersonLab: Person Pose Estimation and Instance Segmentation with a Bottom-Up, " +
			"Part-Based, Geometric Embedding Model, 2018, on MobileNet v1 of width 0.75 whose layers from the seventh " +
			"on have 384 channels, as published under the name PoseNet; 353x257, output stride 16, 17 key points",
		Input: []int32{1, 353, 257, 3},
	},
	layers: func(g *graph, x value) []value {
		x = g.conv("Conv2d_0", x, 24, same(3, 3).by(2).relu6())
		x = g.separable(x, []separable{
			{48, 1},
			{96, 2},
			{96, 1},
			{192, 2},
			{192, 1},
			{384, 2},
			{384, 1},
			{384, 1},
			{384, 1},
			{384, 1},
			{384, 1},
			{384, 1},
			{384, 1},
		})
		heatmaps := g.conv("heatmaps", x, 17, same(1, 1))
		shortOffsets := g.conv("short_offsets", x, 34, same(1, 1))
		backward := g.conv("displacement_bwd", x, 32, same(1, 1))
		forward := g.conv("displacement_fwd", x, 32, same(1, 1))
		midOffsets := g.concat("mid_offsets", 3, forward, backward)
		return []value{heatmaps, midOffsets, shortOffsets}
	},
}
