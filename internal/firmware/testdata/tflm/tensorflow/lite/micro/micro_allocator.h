#ifndef STUB_ALLOCATOR_H_
#define STUB_ALLOCATOR_H_
#include <stddef.h>
#include <stdint.h>
namespace tflite {
// An allocator lies in its arena.
class MicroAllocator {
 public:
  static MicroAllocator *Create(uint8_t *arena, size_t size) {
    if (size < sizeof(MicroAllocator)) return nullptr;
    MicroAllocator *a = reinterpret_cast<MicroAllocator *>(arena);
    a->arena = arena;
    a->size = size;
    return a;
  }
  uint8_t *arena;
  size_t size;
};
}  // namespace tflite
#endif
