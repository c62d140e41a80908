"""From a question to a block and its trace: a file per step."""
