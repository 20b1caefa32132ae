#!/usr/bin/env node
"use strict";
// The same committed bundle that the plugins run; it finds the project's layout by itself.
require("../plugins/ralph-specum/dist/cli.cjs");
