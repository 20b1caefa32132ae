# Read by the shell that the client starts, at every stop of every session in every project, so it starts no
# process until it must: without an active {{unit}} that has a state file there is nothing to decide. `$1` is the event.
pointer='{{pointer}}'
settings='{{settingsFile}}'
state='{{stateFile}}'

find_root() {
  root=$1
  case $root in
    *\\* | [A-Za-z]:*) return 0 ;; # A Windows path: left to the program.
    /*) ;;
    *) return 1 ;; # A relative one could not be followed upwards.
  esac
  while :; do
    if [ -e "$root/$pointer" ] || [ -e "$root/$settings" ]; then return 0; fi
    if [ -e "$root/.git" ] || [ -z "$root" ]; then return 1; fi
    root=${root%/*}
  done
}

find_root "${CLAUDE_PROJECT_DIR:-$PWD}" || find_root "$PWD" || exit 0

# A plain name in the pointer and no settings: whether it has a state is a matter of one look.
if [ -f "$root/$pointer" ] && [ ! -e "$root/$settings" ]; then
  read -r name <"$root/$pointer" || :
  case $name in
    '' | *[!A-Za-z0-9._-]*) ;;
    *)
      found=
      for folder in {{specsDirs}}; do
        if [ -e "$root/$folder/$name/$state" ]; then found=1; fi
      done
      [ -n "$found" ] || exit 0
      ;;
  esac
fi

command -v node >/dev/null 2>&1 || exit 0
# It runs a task's Verify, which is to have the user's own environment.
if [ "$1" = subagent-stop ]; then exec node "$CLAUDE_PLUGIN_ROOT/dist/cli.cjs" --layout={{layout}} "$1"; fi
# Debuggers and the like, which a user's options may start, have no business in a hook, nor have certificates.
unset NODE_OPTIONS NODE_EXTRA_CA_CERTS
# The flags spare a lookup, and hashing all of node's own names anew. A node without the latter says so by 9, before it
# has read anything.
set -- --preserve-symlinks-main "$CLAUDE_PLUGIN_ROOT/dist/hook.cjs" {{layout}} "$1"
node --no-rehash-snapshot "$@"
[ $? -ne 9 ] || exec node "$@"
