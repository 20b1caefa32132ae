#!/bin/sh
# The {{plugin}} program: on the PATH of the commands that the client runs.
if ! command -v node >/dev/null 2>&1; then
  echo '{{plugin}}: node is not on PATH; install Node.js 20 or newer' >&2
  exit 4
fi
exec node "${0%/*}/../dist/cli.cjs" --layout={{layout}} "$@"
