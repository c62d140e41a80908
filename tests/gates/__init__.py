"""Hard gates: what no release may break, each under a name of its own."""
