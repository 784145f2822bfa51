#ifndef STUB_SCHEMA_H_
#define STUB_SCHEMA_H_
namespace tflite {
struct Model {
  unsigned char bytes[1];
};
inline const Model *GetModel(const void *bytes) { return static_cast<const Model *>(bytes); }
}  // namespace tflite
#endif
