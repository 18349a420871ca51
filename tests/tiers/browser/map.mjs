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

onPage('each biome has a shape, on small dots and large ones', {}, async page => {
  for (const numSamples of [1, 1000]) {
    const places = Array.from({ length: 6 }, (_, biome) => [biome * 30 - 75, 0, numSamples, biome])
    await page.route('**/portal/places*', route => route.fulfill({ json: { places, biomes: ['Environmental', 'Host-associated', 'Engineered', 'Mixed', 'Control'], unplaced: 0 } }))
    await page.goto('/portal/samples?page_size=5')
    await page.locator('figure.map figcaption', { hasText: '6 places' }).waitFor()
    await settled(page)
    const shapes = await page.locator('figure.map canvas').evaluate(shapesByColour)
    assert.equal(new Set(shapes).size, 6, `${shapes}`)
  }
})

/** Returns the pixels that have exactly the colour of each biome, as a text. */
function shapesByColour(canvas) {
  const pen = canvas.getContext('2d')
  const { data, width } = pen.getImageData(0, 0, canvas.width, canvas.height)
  const pixels = new Uint32Array(data.buffer)
  return Array.from({ length: 6 }, (_, biome) => {
    pen.fillStyle = getComputedStyle(canvas).getPropertyValue(`--biome-${biome}`)
    const value = parseInt(pen.fillStyle.slice(1), 16)
    const wanted = ((0xff << 24) | ((value & 0xff) << 16) | (value & 0xff00) | (value >> 16)) >>> 0
    const found = [...pixels.keys()].filter(place => pixels[place] === wanted)
    const [left, top] = [Math.min(...found.map(place => place % width)), Math.floor(found[0] / width)]
    return found.map(place => `${(place % width) - left},${Math.floor(place / width) - top}`).join(' ')
  })
}

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
