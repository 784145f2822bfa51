#ifndef STUB_RESOLVER_H_
#define STUB_RESOLVER_H_
#include "tensorflow/lite/c/common.h"
namespace tflite {
class MicroOpResolver {
 public:
  unsigned length = 0, room = 0;

 protected:
  explicit MicroOpResolver(unsigned n) : room(n) {}
};
template <unsigned int n>
class MicroMutableOpResolver : public MicroOpResolver {
 public:
  MicroMutableOpResolver() : MicroOpResolver(n) {}
  TfLiteStatus AddAdd() { return add(); }
  TfLiteStatus AddAssignVariable() { return add(); }
  TfLiteStatus AddConcatenation() { return add(); }
  TfLiteStatus AddConv2D() { return add(); }
  TfLiteStatus AddDepthwiseConv2D() { return add(); }
  TfLiteStatus AddMaxPool2D() { return add(); }
  TfLiteStatus AddPad() { return add(); }
  TfLiteStatus AddReadVariable() { return add(); }
  TfLiteStatus AddRelu() { return add(); }
  TfLiteStatus AddReshape() { return add(); }
  TfLiteStatus AddVarHandle() { return add(); }
  TfLiteStatus AddWindow() { return add(); }
  TfLiteStatus AddCustom(const char *, const TFLMRegistration *) { return add(); }
  TfLiteStatus add() { return length < n ? (registrations[length++] = 1, kTfLiteOk) : kTfLiteError; }

 private:
  int registrations[n];
};
}  // namespace tflite
#endif
