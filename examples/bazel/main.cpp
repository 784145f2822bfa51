#include <cstdio>

#include "detector_model.h"
#include "detector_tflm.h"

int main() {
  std::printf("model %d B, arena %d B\n", DETECTOR_MODEL_BYTES, DETECTOR_ARENA_BYTES);
  return detector_setup() && detector_invoke() == 0 ? 0 : 1;
}
