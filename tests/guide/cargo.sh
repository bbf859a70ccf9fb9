#!/bin/sh
# Stands in for cargo: checks that the names in the command exist, builds nothing, and runs programs already built.
# KNOWN lists the packages, and their targets and features as KIND:NAME and PACKAGE:KIND:NAME.
fail() { echo "stand-in for cargo: $*" >&2; exit 101; }
known() { case " $KNOWN " in *" $1 "*) ;; *) fail "there is no $1" ;; esac; }
top=$(dirname "$0")/..
command=$1 package='' program=homework release='' other=''
shift
while [ $# -gt 0 ]; do
    case $1 in
        -p) known "package:$2"; package=$2:; shift ;;
        --bin) known "${package}bin:$2"; program=$2; shift ;;
        --test) known "${package}test:$2"; shift ;;
        --features) for feature in $(echo "$2" | tr , ' '); do known "${package}feature:$feature"; done; shift ;;
        --release) release=yes ;;
        --profile) grep -q "^\[profile\.$2\]" "$top/Cargo.toml" || fail "there is no profile $2"; other=yes; shift ;;
        --target) shift ;;
        --workspace | --all-features | --no-deps) ;;
        --) shift; break ;;
        *) fail "$command: unexpected argument $1" ;;
    esac
    shift
done
case $command in
    run) exec "$top/target/release/$program" "$@" ;;
    build) [ "$release$other" ] || fail "pages run what is in target/release: expected --release" ;;
    doc) ;;
    test)
        for word; do
            case $word in
                -* | [0-9]*) ;;
                *) # The name of a test or of a test file.
                    grep -Eqr "^ *(async )?fn [a-z0-9_]*${word##*::}" "$top/tests/" ||
                        [ -f "$top/tests/$(echo "$word" | sed 's|::|/|g').rs" ] || fail "there is no test $word" ;;
            esac
        done ;;
    *) fail "unknown command $command" ;;
esac
