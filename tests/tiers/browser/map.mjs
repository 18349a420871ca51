// The map of samples: the labels of its dots, and its text without dots.

import assert from 'node:assert/strict'

import { onPage, runDeclared, settled } from './site.mjs'

// All samples of this study are near one place, to which the map is fitted.
const STUDY = '/portal/studies/MGYS00000257/samples?page_size=5'

onPage('a dot says what it is, and lists its samples', {}, async page => {
  await page.goto(STUDY)
  await page.locator('figure.map figcaption', { hasText: '10 samples at 6 places' }).waitFor()
  await settled(page)
  const { x, y, width, height } = await page.locator('figure.map canvas').boundingBox()
  await page.mouse.move(x + width / 2, y + height / 2)
  const tip = await page.locator('figure.map .tip').textContent()
  const [, count] = /^(\d+) samples?, (?:mostly )?Environmental, (?:at|around) 50\.\d+° N, 4\.\d+° W/.exec(tip) ?? assert.fail(tip)
  await page.mouse.down()
  await page.mouse.up()
  await page.waitForURL(/bbox=/)
  await page.getByRole('heading', { name: `${count} result` }).waitFor()
})

onPage('the coast is finer for those who look closer', {}, async page => {
  const fine = page.waitForResponse(/land\.json$/)
  await page.goto(STUDY)
  assert.equal((await fine).status(), 200)
})

onPage('zooming in on an empty sea leads to a dot', {}, async page => {
  await page.route('**/portal/places*', route => route.fulfill({ json: { places: [[-60, 10, 1, 0], [150, -30, 3, 0]], biomes: ['Environmental'], unplaced: 2 } }))
  await page.goto('/portal/samples?page_size=5')
  for (const name of ['Whole world', 'Zoom in', 'Zoom in']) await page.getByRole('button', { name }).click()
  await settled(page)
  const { x, y, width, height } = await page.locator('figure.map canvas').boundingBox()
  await page.mouse.move(x + width / 2, y + height / 2)
  assert.match(await page.locator('figure.map .tip').textContent(), /^1 sample, Environmental, at 10° N, 60° W/)
})

onPage('without places there is no map, but if a box has left out all', {}, async page => {
  await page.goto('/portal/samples?search=xyzzyx')
  await page.getByRole('heading', { name: '0 results' }).waitFor()
  assert.equal(await page.locator('figure.map').count(), 0)
  await page.goto('/portal/samples?bbox=-150,-60,-149,-59')
  await page.getByRole('button', { name: 'Remove the box' }).waitFor()
})

runDeclared('The map says what it shows')
