"""Security bars: public suites of attacks on memories, through adapters, and the bars this project sets itself."""
