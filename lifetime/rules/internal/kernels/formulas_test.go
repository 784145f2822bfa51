package kernels

import "github.com/tflarena/tflarena/schema"

// A request is the documentation in docs/kernels.md of one scratch request: the first way that
// holds gives the number of bytes, and "" means that it is not made. Both texts are Go
// expressions, evaluated for every operator of the recordings.
type request []way

type way struct{ when, bytes string }

// A page is the documentation of one operator.
type page struct {
	code     schema.BuiltinOperator
	builds   []string // libraries
	requests []request
}

const (
	pointwise = "h == 1 && w == 1 && px == 0 && py == 0"
	plainly   = pointwise + " && dx == 1 && dy == 1 && F == C"
	steps     = pointwise + " && sx == 1 && sy == 1"
	fast      = "m == 1 && N == 1 && dx == 1 && dy == 1"
)

var (
	scalarBuilds = []string{"cmsis-nn-scalar", "cmsis-nn-scalar-size"}
	dspBuilds    = []string{"cmsis-nn-dsp", "cmsis-nn-dsp-size"}
	heliumBuilds = []string{"cmsis-nn-mve", "cmsis-nn-mve-size"}
	armBuilds    = append(append(append([]string{}, scalarBuilds...), dspBuilds...), heliumBuilds...)
	everyESP     = []string{"esp-nn-s3", "esp-nn-p4", "esp-nn-generic", "esp-nn-ansi"}
	inC          = everyESP[2:]
	other        = append([]string{"reference"}, everyESP...)
)

// int4Weights are unpacked into scratch by the reference kernels, and by kernels that fall back
// to them.
var int4Weights = request{{"weights == int4", "weights_n"}}

// words are short names of terms that several formulas share.
var words = []struct{ name, means string }{
	{"c8", "up(C, 8)"},
	{"c16", "up(C, 16)"},
	{"f", "h*w*C*m"},
	{"a", "((Ow-1)*sx + w - W) % 2"},
	{"right", "pick(px+a != 0, max(1, (px+a+sx-1)/sx), 0)"},
	{"left", "pick(px != 0, max(1, (px+sx-1)/sx), 0)"},
	{"middle", "max(Ow-right-left, 0)"},
	{"rx", "Ow*sx + w - 1 - W"},
	{"ry", "Oh*sy + h - 1 - H"},
	{"around", "pick(px+py > 0, (W+2*px)*(H+2*py)*C, 0)"},
	{"behind", "pick(rx > 0 || ry > 0, (W+max(rx, 0))*(H+max(ry, 0))*C, 0)"},
	{"moreX", "pick(px+py > 0, 2*px, rx)"},
	{"moreY", "pick(px+py > 0, 2*py, ry)"},
	{"copy", "(W+moreX)*(H+moreY)*C"},
	{"e", "up((16+w-1)/w, 16)"},
	{"row", "(W+2*px)*e"},
	{"left_over", "32768 - 4*O - h*w*e*O - h*row"},
	{"rows", "pick(left_over >= 0, min(left_over/(sy*row)+1, Oh), 1)"},
}

var pages = []page{
	{schema.BuiltinOperatorCONV_2D, []string{"reference"}, []request{int4Weights}},
	{schema.BuiltinOperatorCONV_2D, append(append([]string{}, scalarBuilds...), dspBuilds...), []request{{
		{"in == int8 && " + plainly, ""},
		{"in == int8", "4*up(h*w*C, 4)"},
		{"in == int16", "4*h*w*C"},
	}}},
	{schema.BuiltinOperatorCONV_2D, heliumBuilds, []request{{
		{"in == int8 && " + plainly, ""},
		{"in == int8 && H == 1 && h == 1 && dx == 1 && sx*C%4 == 0 && F == C && right+middle+left == Ow", "max((w+px)*C, (w-1)*C + pick(a != 0, right*C, px*C))"},
		{"in == int8 && H == 1 && h == 1 && dx == 1 && sx*C%4 == 0 && F == C", "4*up(w*C, 16)"},
		{"in == int8", "4*up(h*w*C, 16)"},
		{"in == int16", "8*up(h*w*C, 8)"},
	}}},
	{schema.BuiltinOperatorCONV_2D, inC, []request{int4Weights}},
	{schema.BuiltinOperatorCONV_2D, everyESP[:1], []request{int4Weights, {
		{"in == int8 && " + steps, "pick(C%8 != 0, H*W*c8, 0) + c8*O + pick(H*W < 8, 0, 16*c8) + 64"},
		{"in == int8 && w*C < 16 && h*w*C >= 16", "4*O + 16 + O*up(h*w*C, 16) + 16 + up(h*w*C, 16) + 64"},
		{"in == int8", "around + h*w*c16*O + up(w*C, 16)*h*O + behind + 64 + 4*O"},
	}}},
	{schema.BuiltinOperatorCONV_2D, []string{"esp-nn-s3@1.2.1"}, []request{int4Weights, {
		{"in == int8 && " + steps, "pick(C%8 != 0, H*W*c8, 0) + c8*O + pick(H*W < 8, 0, 16*c8) + 32"},
		{"in == int8 && w*C < 16 && h*w*C >= 16", "4*O + 16 + O*up(h*w*C, 16) + 16 + up(h*w*C, 16) + 32"},
		{"in == int8", "around + h*w*c16*O + up(w*C, 16)*h*O + behind + 32 + 4*O"},
	}}},
	{schema.BuiltinOperatorCONV_2D, []string{"esp-nn-s3@1.1.0", "esp-nn-p4@1.1.0", "esp-nn-p4@1.2.1"}, []request{int4Weights, {
		{"in == int8 && " + steps, "pick(C%8 != 0, H*W*c8, 0) + c8*O + pick(H*W < 8, 0, 16*c8) + 32"},
		{"in == int8", "around + h*w*c16*O + 32 + 4*O"},
	}}},
	{schema.BuiltinOperatorCONV_2D, everyESP[1:2], []request{int4Weights, {
		{"in == int8 && " + steps + " && C < 16", "4*O + 16*O + 64"},
		{"in == int8 && " + steps, "pick(C%8 != 0, H*W*c8, 0) + c8*O + pick(H*W < 8, 0, 16*c8) + 32"},
		{"in == int8 && px == 0 && py == 0 && w*C >= 16", "h*w*c16*O + 32 + 4*O"},
		{"in == int8 && h*w*C >= 16", "4*O + h*w*C + 32"},
		{"in == int8 && px == 0 && py == 0", "4*O + 32 + (h*w*O + H*W)*e"},
		{"in == int8 && around + 4*O <= 32768", "around + h*w*c16*O + 32 + 4*O"},
		{"in == int8", "((rows-1)*sy + h + 2*py)*row + h*w*e*O + 32 + 4*O"},
	}}},
	{schema.BuiltinOperatorDEPTHWISE_CONV_2D, []string{"reference"}, []request{int4Weights}},
	{schema.BuiltinOperatorDEPTHWISE_CONV_2D, scalarBuilds, []request{{{"in == int8 && weights == int4 && " + fast, "2*h*w*C"}}}},
	{schema.BuiltinOperatorDEPTHWISE_CONV_2D, dspBuilds, []request{{
		{"in == int8 && weights == int4 && " + fast, "2*h*w*C"},
		{"in == int8 && " + fast + " && !(h == 3 && w == 3 && px <= 1 && py <= 1)", "2*h*w*C"},
	}}},
	{schema.BuiltinOperatorDEPTHWISE_CONV_2D, heliumBuilds, []request{{
		{"in == int8 && weights == int8 && C == 1 && O > 1", "convolution(1) + O*h*w"},
		{"in == int8 && " + fast, "4*124*h*w"},
	}}},
	{schema.BuiltinOperatorDEPTHWISE_CONV_2D, everyESP[1:], []request{int4Weights}},
	{schema.BuiltinOperatorDEPTHWISE_CONV_2D, everyESP[:1], []request{int4Weights, {
		{"in == int8 && m == 1 && C%16 == 0 && h == 3 && w == 3 && moreX == 0 && moreY == 0", "f + 16"},
		{"in == int8 && m == 1 && C%16 == 0 && h == 3 && w == 3", "f + 16 + pick(copy <= 40960, copy, (W+moreX)*h*C)"},
		{"in == int8 && m == 1 && C%8 == 0 && C >= 12 && h == 3 && w == 3", "9*c16 + (W+2*px+max(rx, 0))*(H+2*py+max(ry, 0))*c16 + Oh*Ow*c16 + 64"},
		{"in == int8 && m == 1 && C%8 == 0 && (h == 3 && w == 3 || 2*(f+H*W*C) <= 49152)", "2*(f+H*W*C) + 32"},
		{"in == int8 && m == 1 && C%8 == 0", "2*f + 2*W*h*C + 32"},
		{"in == int8 && m == 1 && C > 3", "up(up(up(2*h*w*c8, 16) + 2*H*W*c8, 16) + Oh*Ow*c8, 16) + 12*c8 + 16"},
		{"in == int8 && m%4 == 0", "2*(f+H*W*C) + 32"},
		{"in == int8", "32"},
	}}},
	{schema.BuiltinOperatorDEPTHWISE_CONV_2D, []string{"esp-nn-s3@1.1.0"}, []request{int4Weights, {
		{"in == int8 && m == 1 && C%16 == 0 && h == 3 && w == 3 && moreX == 0 && moreY == 0", "f + 16"},
		{"in == int8 && m == 1 && C%16 == 0 && h == 3 && w == 3", "f + 16 + copy"},
		{"in == int8 && (m == 1 && C%8 == 0 && h == 3 && w == 3 || m%4 == 0)", "2*(f+H*W*C) + 16"},
		{"in == int8", "32"},
	}}},
	{schema.BuiltinOperatorTRANSPOSE_CONV, other, []request{
		{{"in == int8", "4*N*Oh*Ow*O"}, {"in == int16", "8*N*Oh*Ow*O"}},
		{{"in == int16 && bias == int16", "8*O"}},
	}},
	{schema.BuiltinOperatorTRANSPOSE_CONV, append(append([]string{}, scalarBuilds...), dspBuilds...), []request{
		{{"in == int8 && sx <= 2 && sy <= 2 && C > 16", "4*up(h*w*C, 4)"}, {"in == int8", "4*O*((W-1)*sx + max(w, sy))*max(h, sy)"}, {"in == int16", "8*N*Oh*Ow*O"}},
		{{"in == int8 && sx <= 2 && sy <= 2 && C > 16", "h*w*C*O"}, {"in == int8", "0"}, {"in == int16 && bias == int16", "8*O"}},
	}},
	{schema.BuiltinOperatorTRANSPOSE_CONV, heliumBuilds, []request{
		{{"in == int8 && sx <= 2 && sy <= 2 && C > 16", "4*up(h*w*C, 16)"}, {"in == int8", "4*O*((W-1)*sx + max(w, sy))*max(h, sy)"}, {"in == int16", "8*N*Oh*Ow*O"}},
		{{"in == int8 && sx <= 2 && sy <= 2 && C > 16", "h*w*C*O"}, {"in == int8", "0"}, {"in == int16 && bias == int16", "8*O"}},
	}},
	{schema.BuiltinOperatorFULLY_CONNECTED, other, []request{int4Weights}},
	{schema.BuiltinOperatorFULLY_CONNECTED, append(append([]string{}, scalarBuilds...), dspBuilds...), []request{{{"in == int8 && weights == int8 && rank > 2 && depth%4 == 0 && scales <= 1", "8*units"}}}},
	{schema.BuiltinOperatorFULLY_CONNECTED, heliumBuilds[:1], []request{{
		{"in == int8 && weights == int8 && rank > 2 && depth%4 == 0", "pick(scales <= 1, 8*units, nothing)"},
		{"in == int8 && weights == int8 && !constant", "4*units"},
	}}},
	{schema.BuiltinOperatorFULLY_CONNECTED, heliumBuilds[1:], []request{{
		{"in == int8 && weights == int8 && rank > 2 && depth%4 == 0", "pick(scales <= 1, 8*units, nothing)"},
		{"in == int8 && weights == int8", "4*units"},
	}}},
	{schema.BuiltinOperatorSVDF, append(append([]string{"cmsis-nn-mve"}, other...), append(append([]string{}, scalarBuilds...), dspBuilds...)...), []request{
		{{"true", "4*batch*filters"}}, {{"in == int8", "4*batch*units"}},
	}},
	{schema.BuiltinOperatorSVDF, heliumBuilds[1:], []request{{{"true", "4*batch*filters"}}, {{"in == int8", "4*batch*units"}}, {{"in == int8", "4*filters"}}}},
	{schema.BuiltinOperatorAVERAGE_POOL_2D, dspBuilds, []request{{{"in == int8 || in == int16", "4*C"}}}},
	{schema.BuiltinOperatorBATCH_MATMUL, heliumBuilds, []request{{{"in == int8", "4*units"}}}},
	{schema.BuiltinOperatorSOFTMAX, everyESP[:3], []request{{{"in == int8 && out == int8", "4*dim1"}}}},
	{schema.BuiltinOperatorUNIDIRECTIONAL_SEQUENCE_LSTM, other, []request{{{"true", "state"}}, {{"true", "state"}}, {{"true", "state"}}, {{"true", "state"}}}},
	{schema.BuiltinOperatorUNIDIRECTIONAL_SEQUENCE_LSTM, armBuilds, []request{{{"true", "state"}}, {{"true", "state"}}, {{"true", "state"}}, {{"in == float32", "state"}}}},
}
