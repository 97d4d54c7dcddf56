# none.sh - sourced by tests that look for offenders: checks are counted, the last command of a pipe runs here
shopt -s lastpipe
checks=0 failed=0

# none WHAT: standard input lists offenders, one a line; an empty list is good
none() {
  local offenders
  offenders=$(cat)
  checks=$((checks + 1))
  [ -z "$offenders" ] && return
  failed=$((failed + 1))
  printf '%s:\n%s\n' "$1" "$offenders" | head -n 40
}

# at the end of a test
looked() { echo "$checks checks, $failed failed"; [ $failed = 0 ]; }
