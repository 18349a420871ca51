// Plots: ranges that are dragged over or clicked, and pictures to save.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'

import { ask, onPage, PHONE, runDeclared } from './site.mjs'

const LENGTHS = '/portal/search?pfam=PF00005'
const SAMPLES = '/portal/samples?page_size=5'

const plot = (page, name) => page.locator('figure.plot', { has: page.locator(`a[href*="plot=${name}.svg"]`) })

const numberOf = async heading => Number((await heading.innerText()).split(' ')[0].replaceAll(',', ''))

/** Returns the rows of the table of a plot as texts and numbers. */
const rows = async (path, name) => {
  const table = await ask(`${path}&plot=${name}.tsv`)
  return table.trimEnd().split('\n').slice(1).map(line => line.split('\t')).map(([label, number]) => [label, Number(number)])
}

/** Returns the middles of the columns. */
async function columns(page, name) {
  const found = plot(page, name).locator('[data-from]')
  await found.first().scrollIntoViewIfNeeded()
  const boxes = await Promise.all((await found.all()).map(column => column.boundingBox()))
  return boxes.map(({ x, y, width, height }) => [x + width / 2, y + height / 2])
}

const sum = numbers => numbers.reduce((all, [, number]) => all + number, 0)

for (const [name, path, heading, expected] of [
  ['lengths', LENGTHS, '#hits', (from, to) => url => url.searchParams.get('min_length') === from[0] && url.searchParams.get('max_length') === to[1]],
  ['collection_date', SAMPLES, '#results', (from, to) => url => url.searchParams.get('any_collection_date') === `[${from[0]} TO ${to[1]}]`],
  ['temperature', `${SAMPLES}&where=NOT+accession%3A%22%7Bfrom%7D%7Bto%7D%22`, '#results', (from, to) => url => url.searchParams.get('any_temperature') === `[${from[0]} TO ${to[1]}}[°C]`],
]) {
  onPage(`a drag over columns of ${name} selects what they count, in both directions`, {}, async page => {
    await page.goto(path)
    const counts = await rows(path, name)
    const full = counts.findIndex(([, number], place) => number > 0 && counts[place + 1]?.[1] > 0)
    const ends = await plot(page, name).locator('[data-from]').evaluateAll(all => all.map(({ dataset }) => [dataset.from, dataset.to]))
    for (const [first, last] of [[full, full + 1], [full + 1, full]]) {
      const places = await columns(page, name)
      await page.mouse.move(...places[first])
      await page.mouse.down()
      await page.mouse.move(...places[last], { steps: 4 })
      assert.equal(await plot(page, name).locator('.within').count(), 2)
      await page.mouse.up()
      await page.waitForURL(expected(ends[full], ends[full + 1]))
      assert.equal(await numberOf(page.locator(heading)), sum(counts.slice(full, full + 2)))
      assert.equal(await plot(page, name).locator('.column.chosen').count(), 2)
      await page.goBack()
    }
  })
}

onPage('a click on a column selects it, and on an empty one nothing', {}, async page => {
  await page.goto(SAMPLES)
  const counts = await rows(SAMPLES, 'collection_date')
  const [empty, full] = [counts.findIndex(([, number]) => number === 0), counts.findLastIndex(([, number]) => number > 0)]
  const places = await columns(page, 'collection_date')
  await page.mouse.click(...places[empty])
  await page.mouse.click(...places[full])
  await page.waitForURL(url => url.searchParams.get('any_collection_date') === counts[full][0])
  assert.equal(await numberOf(page.locator('#results')), counts[full][1])
  assert.equal(await plot(page, 'collection_date').locator('.column.chosen').count(), 1)
  const chosen = await columns(page, 'collection_date')
  await page.mouse.click(...chosen[full])
  await page.waitForURL(url => !url.searchParams.has('any_collection_date'))
})

onPage('a finger drags over columns', { viewport: PHONE, hasTouch: true }, async (page, context) => {
  await page.goto(LENGTHS)
  await page.locator('details.panel > summary').click()
  const counts = await rows(LENGTHS, 'lengths')
  const [[x, y], [right]] = (await columns(page, 'lengths')).slice(2)
  const session = await context.newCDPSession(page)
  const touch = (type, ...touchPoints) => session.send('Input.dispatchTouchEvent', { type, touchPoints })
  await touch('touchStart', { x, y })
  await touch('touchMove', { x: (x + right) / 2, y })
  await touch('touchMove', { x: right, y })
  await touch('touchEnd')
  await page.waitForURL(/min_length=200&max_length=399/)
  assert.equal(await numberOf(page.locator('#hits')), sum(counts.slice(2, 4)))
})

for (const [what, path, file] of [
  ['histogram', SAMPLES, 'temperature'],
  ['map', SAMPLES, 'map'],
  ['map of one sample', '/portal/samples/ERS487899', 'map'],
]) {
  onPage(`the ${what} is saved as a sharp picture`, {}, async page => {
    await page.goto(path)
    const button = page.locator(`button[data-picture*="plot=${file}.svg"]`)
    const [download] = await Promise.all([page.waitForEvent('download'), button.click()])
    assert.equal(download.suggestedFilename(), `${file}.png`)
    const png = await readFile(await download.path())
    const svg = await ask(new URL(await button.getAttribute('data-picture'), page.url()))
    const [, width, height] = /^<svg [^>]*? width="([\d.]+)" height="([\d.]+)"/.exec(svg) ?? assert.fail(svg.slice(0, 200))
    assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [Math.floor(width) * 2, Math.floor(height) * 2])
    const numColours = await page.evaluate(async address => {
      const picture = new Image()
      picture.src = address
      await picture.decode()
      const canvas = document.createElement('canvas')
      Object.assign(canvas, { width: picture.width, height: picture.height })
      const pen = canvas.getContext('2d')
      pen.drawImage(picture, 0, 0)
      return new Set(new Uint32Array(pen.getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size
    }, `data:image/png;base64,${png.toString('base64')}`)
    assert.ok(numColours > 20, `${numColours} colours`)
  })
}

onPage('without scripts, the map and the histograms are still files', { javaScriptEnabled: false }, async page => {
  await page.goto(SAMPLES)
  for (const name of ['map', 'temperature']) {
    const picture = page.locator(`a[href*="plot=${name}.svg"]`)
    await picture.scrollIntoViewIfNeeded()
    assert.ok(await picture.isVisible() && await page.locator(`a[href*="plot=${name}.tsv"]`).isVisible())
    assert.equal(await page.locator(`button[data-picture*="plot=${name}."]`).isVisible(), false)
  }
  assert.equal(await page.locator('figure.map canvas').isVisible(), false)
})

runDeclared('Plots can be used and taken away')
