"""Tags for bare words: a tagger beside the parser, an averaged perceptron over hashed features."""
