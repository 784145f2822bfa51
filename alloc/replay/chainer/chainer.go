package chainer

import (
	"fmt"
	"math/rand"

	"github.com/tflarena/tflarena/alloc/replay"
)

// Granule is the multiple in bytes that Chainer's pool rounds sizes up to.
const Granule = 512

// A Network is a network of the paper.
type Network struct {
	// Name is the name of the same network in package models.
	Name, Title string
	// Translator is true for the network that reads sentences. All others read pictures.
	Translator bool

	build func() *graph
}

// Networks returns the networks in the paper's order.
func Networks() []Network {
	return []Network{
		{Name: "alexnet", Title: "AlexNet", build: alexNet},
		{Name: "googlenet", Title: "GoogLeNet", build: googLeNet},
		{Name: "resnet50", Title: "ResNet-50", build: resNet50},
		{Name: "inception-resnet-v2", Title: "Inception-ResNet v2", build: inceptionResNet},
		{Name: "seq2seq", Title: "seq2seq", Translator: true},
	}
}

// Options configure a trace.
type Options struct {
	// Batch is the number of pictures or sentences in a mini-batch.
	Batch int64
	// Training records training steps, not inference.
	Training bool
	// Batches is the number of mini-batches.
	Batches int
	// LeastWords and MostWords bound the length of sentences, for a Translator only. Each mini-batch
	// has random lengths in either language, always the same.
	LeastWords, MostWords int
}

// Limits of [Options].
const (
	// MaxBatch is the largest mini-batch, MaxBatches the largest number of mini-batches, and MaxWords the
	// longest sentence.
	MaxBatch, MaxBatches, MaxWords = 1 << 16, 1000, 1000
	// MaxAllWords bounds MostWords times Batches, for the size of the trace.
	MaxAllWords = 100_000
)

// Trace records mini-batches. Each ends with an event step.
func (n Network) Trace(o Options) (*replay.Trace, error) {
	if err := n.check(o); err != nil {
		return nil, err
	}
	r := newRecorder()
	lengths := rand.New(rand.NewSource(1))
	length := func() int { return o.LeastWords + lengths.Intn(o.MostWords-o.LeastWords+1) }
	for range o.Batches {
		if !n.Translator {
			n.build().run(r, o.Batch, o.Training)
			continue
		}
		source, target := length(), length()
		if o.Training {
			trainTranslator(r, o.Batch, source, target)
		} else {
			translate(r, o.Batch, source, target)
		}
	}
	return r.trace(), nil
}

func (n Network) check(o Options) error {
	switch {
	case o.Batch < 1 || o.Batch > MaxBatch:
		return fmt.Errorf("a mini-batch of %d: use 1 to %d", o.Batch, MaxBatch)
	case o.Batches < 1 || o.Batches > MaxBatches:
		return fmt.Errorf("%d mini-batches: use 1 to %d", o.Batches, MaxBatches)
	case !n.Translator && (o.LeastWords != 0 || o.MostWords != 0):
		return fmt.Errorf("%s reads pictures, not words", n.Name)
	case !n.Translator:
		return nil
	case o.LeastWords < 1 || o.LeastWords > o.MostWords || o.MostWords > MaxWords:
		return fmt.Errorf("sentences of %d to %d words: use 1 to %d", o.LeastWords, o.MostWords, MaxWords)
	case o.MostWords*o.Batches > MaxAllWords:
		return fmt.Errorf("%d mini-batches of up to %d words: use at most %d words in all", o.Batches, o.MostWords, MaxAllWords)
	}
	return nil
}
