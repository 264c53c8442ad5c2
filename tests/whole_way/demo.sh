#!/bin/sh
# The whole way on the shipped task: capture, locate, derive, audit, bundle, page, score. Works on a copy of the
# repository's data in the folder $1, so that the tree stays as it is.
set -eu
folder=$1
task=$2
top=$(pwd)

step() { printf '\n— %s\n' "$1" >&2; }

rm -rf "$folder"
mkdir -p "$folder"
git ls-files -z cellwright releases tasks sources params.yaml dvc.yaml .dvc .dvcignore | tar -c --null -T - -f - | tar -x -C "$folder" -f -
cd "$folder"
git init -q .

step "capture: the sources, from figure sheets that stand in for the filings"
cellwright capture "$task" --mirror "sources/stand-ins/$task"

step "locate: each fact's number, found again in its capture"
cellwright locate "$task"

step "audit → bundle → page: dvc repro"
dvc repro -q
cellwright audit --format html --out build/audit.html "$task"
dvc repro 2>&1 | tail -n 1 >&2

step "score: a reference submission, and one with the missteps that people make"
for name in reference careless; do
  echo
  echo "$name"
  cellwright harness score --bundle build/bundle --submission "$top/tests/whole_way/submissions/$name.jsonl" \
    --out "build/$name.results.jsonl"
done

step "the matrix"
cellwright harness report --bundle build/bundle --results build/careless.results.jsonl
printf '\nbundle   %s\naudit    %s\nevidence %s\nresults  %s\n' "$folder/build/bundle" "$folder/build/audit.html" \
  "$folder/build/evidence.html" "$folder/build/careless.results.jsonl"
