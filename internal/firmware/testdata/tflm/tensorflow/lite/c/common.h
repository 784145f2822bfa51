#ifndef STUB_COMMON_H_
#define STUB_COMMON_H_
enum TfLiteStatus { kTfLiteOk, kTfLiteError };
union TfLitePtrUnion {
  void *data;
};
struct TfLiteTensor {
  TfLitePtrUnion data;
};
struct TFLMRegistration {};
#endif
