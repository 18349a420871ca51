// The tests of the portal in a browser, which tests/program/portal.rs runs.
//
// Usage: main.mjs SITE, which is JSON

import './accessibility.mjs'
import './map.mjs'
import './keyboard.mjs'
import './person.mjs'
import './tasks.mjs'
import './profile.mjs'
import './degraded.mjs'
import './budgets.mjs'
