// Every page is accessible to all, in both schemes, and fits screens of any width.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { AxeBuilder } from '@axe-core/playwright'

import { DOCUMENTATION, PAGES, open } from './pages.mjs'
import { DESKTOP, PHONE, lookers, settled, site } from './site.mjs'

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

// Widths between the two that are looked at with all rules.
const WIDTHS = [1024, 390]

const LAYOUT_RULES = ['target-size', 'scrollable-region-focusable']

// This is the only rule that checks colours.
const COLOUR_RULES = ['color-contrast']

const WITH_MENUS = ['search-hits', 'protein-domains', 'family', 'studies', 'samples']

const look = lookers({ reducedMotion: 'reduce' })

describe('axe finds nothing, and nothing is wider than the screen', { concurrency: 2 }, () => {
  for (const asked of [...PAGES, ...DOCUMENTATION]) {
    it(asked.name, () => look(page => check(page, asked)))
  }
})

async function check(page, asked) {
  await page.setViewportSize(DESKTOP)
  await page.emulateMedia({ colorScheme: 'light' })
  await open(page, asked)
  await picture(page, asked.name)
  // Wide screens show these, but axe skips the contents of a closed one.
  await page.evaluate(() => document.querySelectorAll('details.panel').forEach(panel => (panel.open = true)))
  // This puts axe on the page, where it stays.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] }).withTags(TAGS).analyze()
  report(violations, 'wide, light')
  await page.emulateMedia({ colorScheme: 'dark' })
  report(await axe(page, COLOUR_RULES), 'wide, dark')

  await page.setViewportSize(PHONE)
  await settled(page)
  await picture(page, `${asked.name}-narrow`)
  report(await axe(page, TAGS), 'narrow, dark')
  await fits(page)
  await page.emulateMedia({ colorScheme: 'light' })
  report(await axe(page, COLOUR_RULES), 'narrow, light')
  for (const width of WIDTHS) {
    await page.setViewportSize({ ...DESKTOP, width })
    await settled(page)
    await fits(page)
    // The widths between are looked at before a release.
    if (!site.thorough) continue
    report(await axe(page, [...COLOUR_RULES, ...LAYOUT_RULES]), `${width} px wide, light`)
    await page.emulateMedia({ colorScheme: 'dark' })
    report(await axe(page, COLOUR_RULES), `${width} px wide, dark`)
    await page.emulateMedia({ colorScheme: 'light' })
  }
}

describe('axe finds nothing in menus and explanations that are open, and they are on the screen', { concurrency: 2 }, () => {
  for (const asked of PAGES.filter(({ name }) => WITH_MENUS.includes(name))) {
    it(asked.name, () => look(page => checkOpened(page, asked)))
  }
})

async function checkOpened(page, asked) {
  await page.setViewportSize(DESKTOP)
  await page.emulateMedia({ colorScheme: 'light' })
  await open(page, asked)
  await page.evaluate(() => document.querySelectorAll('details').forEach(details => (details.open = true)))
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] }).withTags(TAGS).analyze()
  report(violations, 'all details are open')
  for (const width of [DESKTOP.width, ...WIDTHS, PHONE.width]) {
    await page.setViewportSize({ ...DESKTOP, width })
    for (const opened of await page.locator('main [popover]').all()) {
      const [name, left, right] = await opened.evaluate(show)
      assert.ok(left >= 0 && right <= width, `${name}: from ${left} to ${right} of ${width} px`)
      await fits(page)
    }
    // The last one is open.
    report(await axe(page, [...COLOUR_RULES, ...LAYOUT_RULES]), `${width} px wide`)
    for (const menu of await page.locator('main .menu').all()) {
      await menu.evaluate(show)
      report(await axe(page, TAGS), `${width} px wide, with a menu`)
    }
  }
  await page.locator('#navigation').evaluate(show)
  report(await axe(page, TAGS), 'narrow, with the navigation')
}

/**
 * Opens a menu or an explanation by its button, which closes all others. Returns its name and the
 * positions of its sides.
 */
function show(opened) {
  if (!opened.matches(':popover-open')) document.querySelector(`[popovertarget="${opened.id}"]`).click()
  const { left, right } = opened.getBoundingClientRect()
  return [opened.textContent.trim().slice(0, 20), left, right]
}

async function fits(page) {
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  assert.ok(overflow <= 0, `${overflow} px wider than the screen`)
}

function axe(page, runOnly) {
  return page.evaluate(options => window.axe.run(document, options).then(({ violations }) => violations), { runOnly, resultTypes: ['violations'] })
}

function report(violations, how) {
  const found = violations.flatMap(({ id, nodes }) => nodes.map(node => `${id}: ${node.html.slice(0, 200)}: ${node.failureSummary}`))
  assert.deepEqual(found, [], how)
}

// A picture for people, where they want some.
async function picture(page, name) {
  if (site.pictures) await page.screenshot({ path: `${site.pictures}/${name}.png`, fullPage: true })
}
