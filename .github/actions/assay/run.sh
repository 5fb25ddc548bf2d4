#!/usr/bin/env bash
# Runs one command of Assay. INPUT_ARGS has one argument per line, so that no value is ever parsed by a shell.
set -euo pipefail
args=()
while IFS= read -r line; do
  line=${line%$'\r'}
  if [ -n "$line" ]; then args+=("$line"); fi
done <<<"$INPUT_ARGS"
if [ ${#args[@]} -eq 0 ]; then exit 0; fi
status=0
case ${args[0]} in
  address)
    printed=$(assay "${args[@]}") || status=$?
    printf '%s\n' "$printed"
    # The first line only: a second one could set another output.
    address=${printed%%$'\n'*}
    # With --json
    if [[ $address =~ ^\{.*\"address\":\"([^\"\\]+)\" ]]; then address=${BASH_REMATCH[1]}; fi
    printf 'address=%s\n' "$address" >>"$GITHUB_OUTPUT"
    ;;
  analyze | domain | report | send | upload | wait)
    summary=$(mktemp --suffix=.md)
    assay "${args[@]}" --save "$summary" || status=$?
    cat "$summary" >>"$GITHUB_STEP_SUMMARY"
    rm -f "$summary"
    ;;
  *) assay "${args[@]}" || status=$? ;;
esac
echo "exit-code=$status" >>"$GITHUB_OUTPUT"
exit "$status"
