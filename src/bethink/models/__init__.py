"""Models behind the ports that read sessions. Each is an extra, and none is loaded before it is set."""
