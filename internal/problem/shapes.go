package problem

import (
	"github.com/tflarena/tflarena/alloc/texture"
	"github.com/tflarena/tflarena/lifetime"
)

// maxDimension keeps the product of three dimensions within 60 bits.
const maxDimension = 1 << 20

// shape reads the dimensions of a texture.
func (c *cellReader) shape() texture.Shape {
	shape := texture.Shape{c.number(fieldWidth, 1, maxDimension), c.number(fieldHeight, 1, maxDimension)}
	if c.has(fieldDepth) {
		shape = append(shape, c.number(fieldDepth, 1, maxDimension))
	}
	return shape
}

// size reads the size of a record, or derives it from the shape without a size column.
func (c *cellReader) size() int64 {
	if !c.has(fieldSize) && c.err == nil {
		if shape := c.shape(); c.err == nil {
			return shape.Elements()
		}
		return 0
	}
	return c.number(fieldSize, 0, lifetime.MaxTotal)
}

// addShape adds the shape of a record and compares it with the known size.
func (p *Problem) addShape(c *cellReader, r lifetime.Record) {
	shape := c.shape()
	if c.err != nil {
		return
	}
	elements := shape.Elements()
	if c.has(fieldSize) {
		c.check(r.Size > 0 && r.Size%elements == 0, fieldSize, "%d bytes are not a multiple of the %d elements of the shape %v", r.Size, elements, []int64(shape))
	}
	if c.err == nil && len(p.Shapes) == 0 {
		p.ElementBytes = r.Size / elements
	}
	c.check(r.Size == elements*p.ElementBytes, fieldSize, "%d bytes are %d for each element, and the first row has %d", r.Size, r.Size/elements, p.ElementBytes)
	p.Shapes = append(p.Shapes, shape)
}
