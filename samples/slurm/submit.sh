#!/bin/sh
# submit.sh AGENTS SHARDS [OPTIONS]: plans the missing games of a tournament, and submits the jobs that play and merge
# them. OPTIONS are those of `master tournament plan`. Prints the number of the merging job, if any game is missing.
set -eu
here=$(dirname "$0")
agents=$1
shards=$2
shift 2
name=$(basename "$agents")
"${MASTER:-master}" tournament plan "$agents" --store "$name.db" --out "$name.plan" "$@" >&2
! grep -q '"games":\[\]' "$name.plan" || exit 0
# Equal games give equal names, so that results of two plans never share a file.
plan=$name-$(cksum < "$name.plan" | cut -d ' ' -f 1).plan
mv "$name.plan" "$plan"
mkdir -p logs
array=$(sbatch --parsable --array="1-$shards" "$here/play.sbatch" "$plan" "$agents" "$shards")
sbatch --parsable --dependency="afterany:$array" "$here/merge.sbatch" "$plan" "$name.db" "$shards"
