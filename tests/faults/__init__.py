"""Faults from outside: killed processes, power cuts, full disks, forks."""
