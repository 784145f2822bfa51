"""Plans the arena memory of TensorFlow Lite models."""
