# Read by the shell that the client starts, at every stop of every session in every project, so it starts no
# process until it must: without a {{unit}} that has a state file there is nothing to decide. `$1` is the event.
state='{{stateFile}}'

# This machine keeps what was started on it in one of two places; the program decides which counts. A run that is on is
# looked after even if its files are gone.
is_on() {
  if [ -d "$HOME/.local/state/smart-ralph/at$1/.{{layout}}-on" ]; then return 0; fi
  case $XDG_STATE_HOME in /*) [ -d "$XDG_STATE_HOME/smart-ralph/at$1/.{{layout}}-on" ] ;; *) return 1 ;; esac
}

find_root() {
  root=$1
  case $root in
    *\\* | [A-Za-z]:*) return 0 ;; # A Windows path: left to the program.
    /*) ;;
    *) return 1 ;; # A relative one could not be followed upwards.
  esac
  while :; do
    if [ -e "$root/{{pointer}}" ] || [ -e "$root/{{settingsFile}}" ] || is_on "$root"; then return 0; fi
    if [ -e "$root/.git/HEAD" ] || [ -f "$root/.git" ] || [ -z "$root" ]; then return 1; fi
    root=${root%/*}
  done
}

# The user's own settings may have specs elsewhere: then only the program can tell. Of a project nothing is read: what
# lies there may be of any size.
has_run() {
  for folder in "${XDG_CONFIG_HOME:-$HOME/.config}" "${APPDATA:-}"; do
    file=$folder/smart-ralph/{{plugin}}.md
    if [ -f "$file" ] && [ -r "$file" ]; then
      while read -r line; do case $line in [Ss][Pp][Ee][Cc][Ss]_[Dd][Ii][Rr][Ss]*) return 0 ;; esac; done <"$file"
    fi
  done
  find_root "{{startFolder}}" || find_root "$PWD" || return 1
  case $root in *\\* | [A-Za-z]:*) return 0 ;; esac
  if [ -e "$root/{{settingsFile}}" ] || is_on "$root"; then return 0; fi
  for folder in {{specsDirs}}; do
    for file in "$root/$folder"/*/"$state"; do
      if [ -e "$file" ]; then return 0; fi
    done
  done
  return 1
}

first=
case $1 in
  expansion) ;; # The client asks only about our own commands.
  prompt)
    # In some clients this is how one learns what was typed after a slash, also where there is no {{unit}} yet.
    if [ -z "{{tellsCommands}}" ]; then
      first=$({{readPrompt}} && echo .) || exit 0
      first=${first%.}
    fi
    case $first in
      {{typed}}) ;;
      {{others}}
    esac
    ;;
  *) has_run || exit 0 ;;
esac

command -v node >/dev/null 2>&1 || exit 0
# It runs a task's Verify, which is to have the user's own environment.
if [ "$1" = subagent-stop ]; then exec node "{{root}}/dist/cli.cjs" --layout={{layout}} "$1"; fi
# Debuggers and the like, which a user's options may start, have no business in a hook, nor have certificates.
unset NODE_OPTIONS NODE_EXTRA_CA_CERTS
# The flags spare a lookup, and hashing all of node's own names again. A node without the latter says so by 9, before
# it has read anything.
set -- --preserve-symlinks-main "{{root}}/dist/hook.cjs" {{layout}} "$1"{{host}}
if [ -n "$first" ]; then
  { printf %s "$first" && cat; } | node "$@"
  exit
fi
node --no-rehash-snapshot "$@"
[ $? -ne 9 ] || exec node "$@"
