#!/usr/bin/env bash
# The same decision in bash and jq, row by row and written straightforwardly: what the hook is compared with. Not used
# otherwise. It has no lock, no journal and no parser of its own, and counts movement by ticked boxes alone.
set -u
input=$(cat)
field() { jq -r "$1" <<<"$input"; }
kept() { jq -r "$1" "$state"; }
block() {
  jq -n --arg reason "$1" --arg say "$2" '{decision: "block", reason: $reason, systemMessage: $say}'
  exit 0
}
say() {
  jq -n --arg say "$1" '{systemMessage: $say}'
  exit 0
}

cwd=$(field '.cwd // empty')
[ -n "$cwd" ] || exit 0
settings="$cwd/.claude/ralph-specum.local.md"
if [ -f "$settings" ] && grep -qiE "^enabled: *[\"']?false" "$settings"; then exit 0; fi
[ -f "$cwd/specs/.current-spec" ] || exit 0
name=$(tr -d '[:space:]' <"$cwd/specs/.current-spec")
spec="$cwd/specs/$name"
state="$spec/.ralph-state.json"
[ -f "$state" ] || exit 0
for _ in 1 2 3 4; do
  jq empty "$state" 2>/dev/null && break
  sleep 0.025
done
if ! jq empty "$state" 2>/dev/null; then
  [ ! -e "$spec/.told-corrupt" ] || exit 0
  touch "$spec/.told-corrupt"
  block "The state file is corrupt: implement rebuilds it, cancel removes it." "state is corrupt"
fi

session=$(field '.session_id // empty')
owner=$(kept '.sessionId // empty')
[ -z "$owner" ] || [ "$owner" = "$session" ] || exit 0
[ "$(field '[.background_tasks[]? | select(.type == "subagent")] | length')" -eq 0 ] || exit 0

iteration=$(kept '.globalIteration // 1')
limit=$(kept '.maxGlobalIterations // 100')
phase=$(kept '.phase // empty')
if [ "$phase" != execution ]; then
  [ "$(kept '.quickMode // false')" = true ] || exit 0
  jq --argjson i "$((iteration + 1))" '.globalIteration = $i' "$state" >"$state.tmp" && mv "$state.tmp" "$state"
  block "Phase $phase is not the last: go on with the next one." "iteration $((iteration + 1))"
fi

total=$(grep -cE '^[[:space:]]*- \[[ xX]\] [0-9]' "$spec/tasks.md")
open=$(grep -cE '^[[:space:]]*- \[ \] [0-9]' "$spec/tasks.md")
if [ "$open" -eq 0 ]; then
  rm -f "$state"
  find "$spec" -name '.progress-task-*.md' -mmin +60 -delete
  say "all $total tasks are done"
fi
[ "$(kept '.awaitingApproval // false')" != true ] || say "waiting for approval"
[ "$iteration" -lt "$limit" ] || say "the limit of $limit iterations is reached"
continued=$(kept '.continued // 0')
if [ "$(field '.stop_hook_active // false')" = true ] && [ "$continued" -eq 0 ]; then exit 0; fi
index=$((total - open))
stalled=0
[ "$(kept '.seen // -1')" -ne "$index" ] || stalled=$(($(kept '.stalled // 0') + 1))
[ "$stalled" -lt 3 ] || say "nothing moved in $stalled continuations"

jq --argjson i "$((iteration + 1))" --argjson n "$index" --argjson s "$stalled" --argjson c "$((continued + 1))" \
  '.globalIteration = $i | .taskIndex = $n | .seen = $n | .stalled = $s | .continued = $c' "$state" >"$state.tmp"
mv "$state.tmp" "$state"
missing=
if field '.last_assistant_message // empty' | grep -qE '^[#* ]*ALL_TASKS_COMPLETE[* ]*$'; then
  missing="These are still open: $(grep -E '^[[:space:]]*- \[ \] [0-9]' "$spec/tasks.md" | head -n 20)"
fi
task=$(grep -E '^[[:space:]]*- \[ \] [0-9]' "$spec/tasks.md" | head -n 1)
block "Continue spec: $name (Task $((index + 1))/$total, Iter $((iteration + 1)))

$missing$task

Delegate it to spec-executor, then run done or fail." "iteration $((iteration + 1)) | Task $((index + 1))/$total"
