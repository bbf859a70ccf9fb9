# What bash does behind the scenes: a here-document, a here-string and a process as a file.
mapfile -t lines < <(awk -f moves.awk input.txt)
cat > output.txt <<END
$(printf '%s\n' "${lines[@]}")
END
read -r first <<< "${lines[0]}"
[[ $first == [EJ]\ * ]]
