#ifndef STUB_INTERPRETER_H_
#define STUB_INTERPRETER_H_
#include <stdio.h>

#include "tensorflow/lite/micro/micro_allocator.h"
#include "tensorflow/lite/micro/micro_mutable_op_resolver.h"
#include "tensorflow/lite/micro/micro_resource_variable.h"
#include "tensorflow/lite/schema/schema_generated.h"
namespace tflite {
// An interpreter prints what it is given. The data of input k lie at byte k of the arena, and those of
// output k at byte 100 + k.
class MicroInterpreter {
 public:
  MicroInterpreter(const Model *model, const MicroOpResolver &resolver, uint8_t *arena, size_t size)
      : model_(model), resolver_(resolver), arena_(arena), size_(size) {}
  MicroInterpreter(const Model *model, const MicroOpResolver &resolver, MicroAllocator *allocator, MicroResourceVariables *variables)
      : model_(model), resolver_(resolver), arena_(allocator->arena), size_(allocator->size), variables_(variables->n) {}
  TfLiteStatus AllocateTensors() {
    printf("model %.4s, %u of %u operators, arena %zu at %zu, %d variables\n", model_->bytes + 4, resolver_.length, resolver_.room, size_,
           static_cast<size_t>(reinterpret_cast<uintptr_t>(arena_) % 16), variables_);
    return resolver_.length == resolver_.room ? kTfLiteOk : kTfLiteError;
  }
  TfLiteStatus Invoke() {
    for (int k = 0; k < 100; k++) arena_[100 + k] = static_cast<uint8_t>(arena_[k] + 1);
    return kTfLiteOk;
  }
  TfLiteTensor *input(size_t k) { return at(k); }
  TfLiteTensor *output(size_t k) { return at(100 + k); }

 private:
  TfLiteTensor *at(size_t byte) {
    tensor_.data.data = arena_ + byte;
    return &tensor_;
  }
  const Model *model_;
  const MicroOpResolver &resolver_;
  uint8_t *arena_;
  size_t size_;
  int variables_ = 0;
  TfLiteTensor tensor_;
};
}  // namespace tflite
#endif
