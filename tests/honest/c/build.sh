set -e
for name in plain memory loud slow files tmpfile user stack segment semaphore; do
    cc -O1 -pthread -o "$name" "$name.c"
done
c++ -O1 -pthread -o threads threads.cpp
