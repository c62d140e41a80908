"""Transcripts in: one file per format."""
