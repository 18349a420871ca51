// Everything can be done by keyboard, and one sees where one is.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { PAGES, WITH_DOMAINS, open } from './pages.mjs'
import { lookers, onPage, runDeclared, site } from './site.mjs'

const WALKED = [
  'home', 'search-hits', 'protein-domains', 'biome', 'samples', 'sample', 'compare', 'find-near', 'domain-profile', 'not-found',
]

const look = lookers({})

describe('Tab reaches every control in order, and focus is visible', { concurrency: 2 }, () => {
  for (const asked of PAGES.filter(({ name }) => WALKED.includes(name))) {
    it(asked.name, () => look(page => walk(page, asked)))
  }
})

async function walk(page, asked) {
  await open(page, asked)
  const controls = await page.evaluate(watchFocus)
  assert.ok(controls.length > 10, `${controls.length} controls`)
  // From the last control, focus moves to the browser itself, and from there to the first one.
  for (let step = 0; step < controls.length + 2; step++) await page.keyboard.press('Tab')
  const walked = await page.evaluate(() => window.walked)
  const first = walked.findIndex(({ index }) => index === 0)
  const order = [...walked.slice(first), ...walked.slice(0, first)].map(({ index }) => controls[index] ?? 'not a control')
  assert.deepEqual([...new Set(order)], [...new Set(controls)])
  const invisible = walked.filter(({ isVisible }) => !isVisible).map(({ index }) => controls[index])
  assert.deepEqual(invisible, [], 'focus is not visible')
}

/**
 * Records the focused elements, and whether the focus is visible. Returns all controls in the order
 * of the page.
 */
function watchFocus() {
  const all = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')].filter(
    element => element.tabIndex >= 0 && !element.disabled && element.checkVisibility({ visibilityProperty: true }),
  )
  document.activeElement?.blur()
  window.walked = []
  addEventListener('focusin', ({ target }) => {
    const outline = getComputedStyle(target)
    const stroke = getComputedStyle(target.querySelector('rect') ?? target)
    const isOutlined = outline.outlineStyle !== 'none' && parseFloat(outline.outlineWidth) >= 2
    const isStroked = target instanceof SVGElement && stroke.stroke !== 'none' && parseFloat(stroke.strokeWidth) >= 2
    window.walked.push({ index: all.indexOf(target), isVisible: isOutlined || isStroked })
  })
  return all.map((element, index) => `${index} ${element.outerHTML.slice(0, 120)}`)
}

onPage('the skip link leads past the navigation', {}, async page => {
  await page.goto('/portal/status')
  await page.keyboard.press('Tab')
  const skip = page.getByRole('link', { name: 'Skip to main content' })
  assert.ok(await skip.evaluate(link => link === document.activeElement && link.getBoundingClientRect().top >= 0))
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => document.activeElement === document.getElementById('main'))
  await page.keyboard.press('Tab')
  assert.ok(await page.evaluate(() => document.getElementById('main').contains(document.activeElement)))
})

onPage('a cell of the icicle is a link', {}, async page => {
  await page.goto('/portal/')
  const cell = page.locator('[data-plot=biomes]').getByRole('link', { name: /^Aquatic: [\d,]+ proteins$/ })
  await cell.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Aquatic' }).waitFor()
})

// Tab stops before the first result.
const STOPS_MAX = 15

const LISTS = ['search', 'search-hits', 'families', 'studies', 'samples', 'samples-filtered', 'runs', 'publications', 'related']

describe(`at most ${STOPS_MAX} Tab stops are before the first result`, { concurrency: 2 }, () => {
  for (const asked of PAGES.filter(({ name }) => LISTS.includes(name))) {
    it(asked.name, () =>
      look(async page => {
        await open(page, asked)
        const isResult = () => page.evaluate(() => document.activeElement.matches('tbody a'))
        let number = -1
        do {
          await page.keyboard.press('Tab')
          number += 1
        } while (!(await isResult()) && number <= STOPS_MAX)
        assert.ok(number > 3 && number <= STOPS_MAX, `${number} stops`)
      }),
    )
  }
})

onPage('arrow keys go through a facet, which is one stop', {}, async page => {
  await page.goto('/portal/search')
  const links = page.locator('#filters .choices').first().getByRole('link')
  const isFocused = link => link.evaluate(link => link === document.activeElement)
  await links.first().focus()
  for (const [key, place] of [['ArrowDown', 1], ['ArrowRight', 2], ['ArrowLeft', 1], ['End', -1], ['ArrowDown', 0], ['ArrowUp', -1], ['Home', 0], ['ArrowDown', 1]]) {
    await page.keyboard.press(key)
    assert.ok(await isFocused(links.nth(place)), key)
  }
  await page.keyboard.press('Tab')
  assert.ok(await page.locator('#filters .more summary').first().evaluate(summary => summary === document.activeElement))
  await page.keyboard.press('Shift+Tab')
  assert.ok(await isFocused(links.nth(1)), 'it is where it was')
  await page.keyboard.press('Enter')
  await page.waitForURL(/biome=root%3AEnvironmental/)
})

onPage('one skips to the results, or to the filters', {}, async page => {
  for (const path of ['/portal/search?pfam=PF00005', '/portal/studies']) {
    for (const [name, place] of [['Skip to the results', '.results'], ['Skip to the filters', '#filters']]) {
      await page.goto(path)
      const skip = page.getByRole('link', { name })
      await skip.focus()
      assert.ok(await skip.evaluate(link => link.getBoundingClientRect().top >= 0))
      await page.keyboard.press('Enter')
      await page.keyboard.press('Tab')
      assert.ok(await page.locator(place).evaluate(element => element.contains(document.activeElement)), `${path}: ${name}`)
    }
  }
})

onPage('a menu is below its button, and closes on Escape, outside, and when another opens', {}, async page => {
  for (const path of ['/portal/search?pfam=PF00005', '/portal/samples?page_size=5']) {
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 844 })
      await page.goto(path)
      const menus = ['Download', 'Columns'].map(name => ({ button: page.getByRole('button', { name }).first(), isOpen: () => page.locator(`[popovertarget]:has-text("${name}")`).evaluate(button => button.popoverTargetElement.matches(':popover-open')) }))
      for (const [place, { button, isOpen }] of menus.entries()) {
        await button.focus()
        await page.keyboard.press('Enter')
        assert.ok(await isOpen())
        assert.ok(!(await menus[1 - place].isOpen()), 'one is open')
        const [of, menu] = [await button.boundingBox(), await page.locator('.menu:popover-open').boundingBox()]
        const gap = menu.y - of.y - of.height
        assert.ok(gap >= 0 && gap < 10, `${gap} px below`)
        assert.ok(menu.x < of.x + of.width && of.x < menu.x + menu.width, 'it touches the button')
      }
      const [download, columns] = menus
      await page.keyboard.press('Tab')
      assert.ok(await page.locator('.menu:popover-open').evaluate(menu => menu.contains(document.activeElement)))
      await page.keyboard.press('Escape')
      assert.ok(!(await columns.isOpen()))
      assert.ok(await columns.button.evaluate(button => button === document.activeElement), 'focus is where it was')
      await download.button.click()
      assert.ok(await download.isOpen())
      await page.locator('h1').click()
      assert.ok(!(await download.isOpen()))
    }
  }
})

onPage('a table that scrolls shows it, and takes focus', {}, async page => {
  await page.setViewportSize({ width: 1280, height: 844 })
  await page.goto('/portal/search?pfam=PF00005&fields=accession,length,sequence,md5,ga4gh,pfam,biomes')
  const block = page.locator('.results .wide')
  await page.locator('.wide.more-right:not(.more-left)').waitFor()
  await block.focus()
  await page.keyboard.press('ArrowRight')
  await page.locator('.wide.more-right.more-left').waitFor()
  await block.evaluate(block => block.scrollTo(block.scrollWidth, 0))
  await page.locator('.wide.more-left:not(.more-right)').waitFor()
  await page.goto('/portal/search?pfam=PF00005&fields=accession,length')
  await page.locator('.results .wide[tabindex="-1"]:not(.more-left, .more-right)').waitFor()
})

onPage('words are explained, and menus are opened', {}, async page => {
  await page.goto('/portal/search?pfam=PF00005')
  const [question, meaning] = [page.getByRole('button', { name: 'Definition: Full length' }), page.locator('#what-full-length')]
  await question.focus()
  await page.keyboard.press('Enter')
  await meaning.waitFor()
  await page.keyboard.press('Tab')
  assert.ok(await meaning.getByRole('link', { name: 'Glossary' }).evaluate(link => link === document.activeElement))
  await page.keyboard.press('Escape')
  await meaning.waitFor({ state: 'hidden' })
  assert.ok(await question.evaluate(button => button === document.activeElement), 'focus is where it was')

  await page.locator('#downloads').focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  assert.ok(await page.getByRole('link', { name: 'FASTA', exact: true }).evaluate(link => link === document.activeElement))
})

onPage('rows of domains are marked, and the track is zoomed', {}, async page => {
  await page.goto(`/portal/proteins/${WITH_DOMAINS}`)
  await page.locator('figure[data-plot=domains]').waitFor()
  const row = page.locator('#hits tbody tr').first()
  await row.getByRole('button').focus()
  await page.locator('#hits tbody tr.selected').waitFor()
  await page.locator('figure[data-plot=domains] .marked').waitFor()
  assert.match(await row.getAttribute('class'), /selected/)
  await page.keyboard.press('Escape')
  await page.waitForFunction(() => !document.querySelector('#hits tr.selected, figure[data-plot=domains] .marked'))

  const width = () => page.locator('figure[data-plot=domains] .wide > svg').evaluate(picture => picture.clientWidth)
  const before = await width()
  await page.getByRole('button', { name: 'Zoom in' }).focus()
  await page.keyboard.press('Enter')
  await page.waitForFunction(before => document.querySelector('figure[data-plot=domains] .wide > svg').clientWidth > 1.9 * before, before)
  await page.getByRole('button', { name: 'Whole sequence' }).press('Enter')
  await page.waitForFunction(before => document.querySelector('figure[data-plot=domains] .wide > svg').clientWidth === before, before)
})

onPage('the map is zoomed and moved, and a box is typed', {}, async page => {
  await page.goto('/portal/samples?page_size=5')
  const map = page.locator('figure.map')
  await map.getByRole('button', { name: 'Zoom in' }).waitFor()
  const drawn = () => page.locator('figure.map canvas').evaluate(canvas => canvas.toDataURL())
  for (const name of ['Zoom in', 'To the east', 'To the south', 'Whole world']) {
    const before = await drawn()
    await map.getByRole('button', { name }).press('Enter')
    await page.waitForFunction(before => document.querySelector('figure.map canvas').toDataURL() !== before, before)
  }
  const sides = ['West', 'South', 'East', 'North']
  // Europe, and a box across the date line.
  for (const box of ['-10,35,30,60', '120,-90,-60,90']) {
    const values = box.split(',')
    for (const [place, side] of sides.entries()) {
      await map.getByRole('spinbutton', { name: side }).fill(values[place])
    }
    await page.keyboard.press('Enter')
    await page.waitForURL(url => url.searchParams.get('bbox') === box)
    const found = await (await fetch(`${site.url}/metagenomics/api/v1/samples?bbox=${box}&page_size=1`)).json()
    const { count } = found.meta.pagination
    await page.getByRole('heading', { name: `${count.toLocaleString('en')} results` }).waitFor()
    assert.ok(count > 0, box)
    await map.getByRole('button', { name: 'Remove the box' }).waitFor()
    assert.equal(await map.getByRole('spinbutton', { name: 'West' }).inputValue(), values[0], 'the box stays')
  }
  await map.getByRole('button', { name: 'Remove the box' }).press('Enter')
  await page.waitForURL(url => !url.search.includes('bbox'))
})

runDeclared('What is done with the pointer is done by keyboard, too')
