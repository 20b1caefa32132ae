#!/usr/bin/env bash
# The same decision in bash and jq, written straightforwardly: what the hook is compared with. Not used otherwise.
set -u
input=$(cat)
cwd=$(jq -r '.cwd // empty' <<<"$input")
[ -n "$cwd" ] || exit 0
name=$(tr -d '[:space:]' <"$cwd/specs/.current-spec" 2>/dev/null) || exit 0
spec="$cwd/specs/$name"
state="$spec/.ralph-state.json"
[ -f "$state" ] || exit 0
jq empty "$state" 2>/dev/null || exit 0
session=$(jq -r '.session_id // empty' <<<"$input")
owner=$(jq -r '.sessionId // empty' "$state")
[ -z "$owner" ] || [ "$owner" = "$session" ] || exit 0
running=$(jq '[.background_tasks[]? | select(.type == "subagent")] | length' <<<"$input")
[ "$running" -eq 0 ] || exit 0
[ "$(jq -r '.phase // empty' "$state")" = execution ] || exit 0
total=$(grep -cE '^[[:space:]]*- \[[ xX]\] [0-9]' "$spec/tasks.md")
open=$(grep -cE '^[[:space:]]*- \[ \] [0-9]' "$spec/tasks.md")
if [ "$open" -eq 0 ]; then
  rm -f "$state"
  exit 0
fi
iteration=$(jq -r '.globalIteration // 1' "$state")
limit=$(jq -r '.maxGlobalIterations // 100' "$state")
[ "$iteration" -lt "$limit" ] || exit 0
index=$((total - open))
task=$(grep -E '^[[:space:]]*- \[ \] [0-9]' "$spec/tasks.md" | head -n 1)
jq --argjson i "$((iteration + 1))" --argjson n "$index" '.globalIteration = $i | .taskIndex = $n' "$state" >"$state.tmp"
mv "$state.tmp" "$state"
jq -n --arg reason "Continue spec: $name (Task $((index + 1))/$total, Iter $((iteration + 1)))

$task

Delegate it to spec-executor, then run done or fail." \
  --arg say "iteration $((iteration + 1)) | Task $((index + 1))/$total" \
  '{decision: "block", reason: $reason, systemMessage: $say}'
