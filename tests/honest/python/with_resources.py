"""Asks for the cores, the memory and the limits of the machine, as libraries do when they start."""
import os
import resource

import moves

assert os.cpu_count() >= 1 and len(os.sched_getaffinity(0)) >= 1
assert os.sysconf("SC_PHYS_PAGES") > 0
assert resource.getrlimit(resource.RLIMIT_DATA)[0] == resource.RLIM_INFINITY
for name in ["meminfo", "cpuinfo", "stat", "self/status", "sys/kernel/osrelease", "sys/vm/overcommit_memory"]:
    with open("/proc/" + name) as file:
        assert file.read(), name
moves.write(moves.turn(*moves.read()))
