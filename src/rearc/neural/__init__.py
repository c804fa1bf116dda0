"""BiLSTM models: networks that run once for each sentence. Parsing needs NumPy alone, training needs PyTorch."""
