#!/bin/sh
# submit.sh AGENTS SHARDS [OPTIONS]: plans the games of a tournament that are missing, and has them played and merged.
# OPTIONS are those of `master tournament plan`. Prints the number of the job that merges, if there is any to do.
set -eu
here=$(dirname "$0")
agents=$1
shards=$2
shift 2
name=$(basename "$agents")
"${MASTER:-master}" tournament plan "$agents" --store "$name.db" --out "$name.plan" "$@" >&2
grep -q '^{"game"' "$name.plan" || exit 0
# The same games under the same name, others under another one: results of two plans never get into one file.
plan=$name-$(cksum < "$name.plan" | cut -d ' ' -f 1).plan
mv "$name.plan" "$plan"
mkdir -p logs
array=$(sbatch --parsable --array="1-$shards" "$here/play.sbatch" "$plan" "$agents" "$shards")
sbatch --parsable --dependency="afterany:$array" "$here/merge.sbatch" "$plan" "$name.db" "$shards"
