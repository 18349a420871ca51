// The tests of the portal in a browser, which tests/tiers/browser/main.rs runs.
//
// Usage: main.mjs SITE, which is JSON

import './accessibility.mjs'
import './map.mjs'
import './plotted.mjs'
import './keyboard.mjs'
import './person.mjs'
import './selection.mjs'
import './tasks.mjs'
import './profile.mjs'
import './documentation.mjs'
import './degraded.mjs'
import './budgets.mjs'
