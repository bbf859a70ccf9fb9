#!/bin/sh
# Gradescope runs this once, when it builds the container: installs the languages in which agents come.
set -e
apt-get update
apt-get install -y --no-install-recommends python3 python3-numpy default-jdk-headless gcc g++ make nodejs

chmod +x /autograder/source/bin/*
