set -e
for name in plain memory loud slow files; do cc -O1 -o "$name" "$name.c"; done
c++ -O1 -pthread -o threads threads.cpp
