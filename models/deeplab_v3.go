package models

var deeplabV3 = description{
	Network: Network{
		Name:  "deeplab-v3",
		Title: "DeepLab v3",
		Group: Tables,
		Source: "Chen and others, Rethinking Atrous Convolution for Semantic Image Segmentation, 2017, " +
			"on MobileNet v2 (Sandler and others, 2018) of width 0.5; 257x257, output stride 8, 21 classes",
		Input: []int32{1, 257, 257, 3},
	},
	layers: func(g *graph, x value) []value {
		x = g.conv("Conv", x, 16, same(3, 3).by(2).relu6())
		// Strides beyond the output stride of 8 are replaced by dilation.
		x = g.bottlenecks(x, []bottleneck{
			{expansion: 1, channels: 8, stride: 1, dilation: 1},
			{expansion: 6, channels: 12, stride: 2, dilation: 1},
			{expansion: 6, channels: 12, stride: 1, dilation: 1},
			{expansion: 6, channels: 16, stride: 2, dilation: 1},
			{expansion: 6, channels: 16, stride: 1, dilation: 1},
			{expansion: 6, channels: 16, stride: 1, dilation: 1},
			{expansion: 6, channels: 32, stride: 1, dilation: 1},
			{expansion: 6, channels: 32, stride: 1, dilation: 2},
			{expansion: 6, channels: 32, stride: 1, dilation: 2},
			{expansion: 6, channels: 32, stride: 1, dilation: 2},
			{expansion: 6, channels: 48, stride: 1, dilation: 2},
			{expansion: 6, channels: 48, stride: 1, dilation: 2},
			{expansion: 6, channels: 48, stride: 1, dilation: 2},
			{expansion: 6, channels: 80, stride: 1, dilation: 2},
			{expansion: 6, channels: 80, stride: 1, dilation: 4},
			{expansion: 6, channels: 80, stride: 1, dilation: 4},
			{expansion: 6, channels: 160, stride: 1, dilation: 4},
		})
		pooled := g.averagePool("AvgPool2D", x, valid(33, 33).by(33))
		pooled = g.conv("image_pooling", pooled, 256, same(1, 1).relu())
		pooled = g.resize("image_pooling/resize", pooled, 33, 33)
		aspp := g.conv("aspp0", x, 256, same(1, 1).relu())
		x = g.concat("concat", 3, pooled, aspp)
		x = g.conv("concat_projection", x, 256, same(1, 1).relu())
		x = g.conv("semantic", x, 21, same(1, 1))
		// The published file resizes to the same size here.
		x = g.resize("semantic/resize", x, 33, 33)
		return []value{g.resize("output", x, 257, 257)}
	},
}
