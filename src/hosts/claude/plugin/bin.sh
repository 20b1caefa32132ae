#!/bin/sh
# The {{plugin}} program: on the PATH of the commands that the client runs.
if ! command -v node >/dev/null 2>&1; then
  echo '{{plugin}}: node is not on PATH; install Node.js 20 or newer' >&2
  exit 4
fi
self=$0
while [ -L "$self" ]; do
  link=$(readlink "$self")
  case $link in /*) self=$link ;; *) self=${self%/*}/$link ;; esac
done
exec node "${self%/*}/../dist/cli.cjs" --layout={{layout}} "$@"
