"""Where bytes come from and go to: names, compression, files that appear only when all of them is written."""
