// Every page is accessible to all, in both schemes, and fits screens of any width.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { AxeBuilder } from '@axe-core/playwright'

import { PAGES, open } from './pages.mjs'
import { DESKTOP, PHONE, site, visit } from './site.mjs'

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

const other = scheme => (scheme === 'light' ? 'dark' : 'light')

describe('axe finds nothing, and nothing is wider than the screen', { concurrency: 2 }, () => {
  for (const page of PAGES) {
    it(page.name, async () => {
      await check(page, DESKTOP, 'light')
      await check(page, PHONE, 'dark')
    })
  }
})

async function check(asked, viewport, scheme) {
  await visit({ viewport, colorScheme: scheme, reducedMotion: 'reduce' }, async page => {
    await open(page, asked)
    if (site.pictures) await page.screenshot({ path: `${site.pictures}/${asked.name}-${viewport.width}.png`, fullPage: true })
    const found = await violations(page, {})
    // Of all rules, this one alone looks at colours.
    await page.emulateMedia({ colorScheme: other(scheme) })
    found.push(...(await violations(page, { rules: ['color-contrast'] })))
    assert.deepEqual(found, [], `${viewport.width} px, ${scheme}`)
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    assert.ok(overflow <= 0, `${overflow} px wider than ${viewport.width} px`)
  })
}

async function violations(page, { rules }) {
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  const { violations } = await (rules ? axe.withRules(rules) : axe.withTags(TAGS)).analyze()
  return violations.flatMap(({ id, nodes }) => nodes.map(node => `${id}: ${node.html.slice(0, 200)}: ${node.failureSummary}`))
}
