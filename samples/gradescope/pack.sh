#!/bin/sh
# Makes autograder.zip for Gradescope: `samples/gradescope/pack.sh COURSE.json SEED`, in the project's folder.
set -e
course=${1:?usage: pack.sh COURSE.json SEED}
seed=${2:?usage: pack.sh COURSE.json SEED}
command -v zip > /dev/null || { echo "pack.sh: needs the program zip" >&2; exit 2; }
cargo build --release -p kingline-players -p kingline-master
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin"
cp target/release/master target/release/reference "$folder/bin"
cp samples/gradescope/setup.sh samples/gradescope/run_autograder "$folder"
cp "$course" "$folder/course.json"
echo "$seed" > "$folder/seed"
rm -f autograder.zip
(cd "$folder" && zip -q -r autograder.zip .)
mv "$folder/autograder.zip" autograder.zip
echo "autograder.zip written: upload it as the assignment's autograder, on the same base system as this one or a newer one"
