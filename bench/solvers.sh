#!/bin/sh
# Every solver on every contact problem: settles the packings, solves, and appends a line of JSON for each
# case and solver to FOLDER/solvers.jsonl, which bench/solvers.py reads.
#
#     bench/solvers.sh SCREE FOLDER [JOBS [LARGEST [SECONDS]]]
#
# SCREE: the program. JOBS: processes at a time (1). LARGEST: grains at most (10000). SECONDS: for one solver on
# one of the large packings (300). Packings that are there and at rest, and lines that are there, are not made again.
# With 16 processes, 30000 grains and 75 s it takes about five minutes.
set -eu
scree=$1 folder=$2 jobs=${3:-1} largest=${4:-10000} seconds=${5:-300}
mkdir -p "$folder/packings"
out=$folder/solvers.jsonl
touch "$out"

sizes() { # SIZES: those that are wanted
    for size in "$@"; do
        if [ "$size" -le "$largest" ]; then echo "$size"; fi
    done
}

seeds() { # SIZE
    if [ "$1" -le 3000 ]; then echo 1 2 3; elif [ "$1" -le 10000 ]; then echo 1 2; else echo 1; fi
}

# 100000 grains are ten settled packings side by side.
name() { # KIND SIZE SEED
    if [ "$2" -eq 100000 ]; then echo "$1-10000-$3-x10"; else echo "$1-$2-$3"; fi
}

# Threads for large packings: the two largest have half of the processes.
threads() { # SIZE
    if [ "$1" -ge 100000 ] && [ "$jobs" -ge 16 ]; then echo $((jobs / 4))
    elif [ "$1" -ge 30000 ] && [ "$jobs" -ge 16 ]; then echo $((jobs / 8)); else echo 1; fi
}

packings() { # SIZES
    for size in $(sizes "$@"); do
        for seed in $(seeds "$size"); do
            for kind in space plane; do
                echo "$(name $kind "$size" "$seed") $(threads "$size") $([ "$size" -lt 3000 ] && echo 6000 || echo 2500)"
            done
        done
    done
}

# CASE SOLVER SECONDS, the long ones first.
solves() {
    short=$((seconds < 300 ? 10 : seconds / 30))
    for solver in random accelerated boxed; do
        part=$seconds
        [ "$solver" = random ] || part=$((seconds / 3))
        for size in $(sizes 100000 30000 10000); do
            for seed in $(seeds "$size"); do
                echo "$(name plane "$size" "$seed") $solver $part"
                echo "$(name space "$size" "$seed") $solver $part"
            done
        done
    done
    for size in $(sizes 10000); do
        echo "plane-$size-1 matrix_newton $((seconds / 5))"
        echo "space-$size-1 matrix_newton $((seconds / 5))"
    done
    for size in $(sizes 3000 1000 300 100); do
        for seed in 1 2 3; do
            for solver in random boxed accelerated; do
                echo "plane-$size-$seed $solver $((seconds / 5))"
                echo "space-$size-$seed $solver $((seconds / 5))"
            done
        done
        for solver in newton interior_point proximal path projected; do
            echo "plane-$size-1 matrix_$solver $short"
            echo "space-$size-1 matrix_$solver $short"
        done
    done
    for solver in random boxed accelerated matrix_newton matrix_interior_point matrix_proximal matrix_path matrix_projected; do
        for size in 1000 300 100 30; do
            echo "chain-$size $solver $((seconds / 5))"
        done
        echo "array-80 $solver $((seconds / 5))"
    done
}

missing() { # the lines of standard input for which there is no result yet
    while read -r name solver part; do
        grep -q "\"case\": \"$name\", \"solver\": \"$solver\"" "$out" || echo "$name $solver $part"
    done
}

at_once=$((jobs < 16 ? jobs : jobs / 2)) # large packings have several threads each
for wave in "30000 10000 3000 1000 300 100" 100000; do # the last is made of what is there then
    packings $wave | xargs -r -P "$at_once" -L 1 sh -c \
        '"$0" bench solvers --packings "$1/packings" --threads "$3" --steps "$4" "$2" none | tail -n 1 >&2' "$scree" "$folder"
done
solves | missing | xargs -P "$jobs" -L 1 sh -c \
    '"$0" bench solvers --packings "$1/packings" --seconds "$4" --steps 0 --history "$2" "$3" >> "$1/solvers.jsonl"' "$scree" "$folder"
