// Actions of people: type, follow, go back, copy, download, compare, page through lists.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'

import { WITH_BIOMES, WITH_DOMAINS } from './pages.mjs'
import { ask, askJson, onPage, runDeclared, site } from './site.mjs'

const V2 = '/metagenomics/proteins/api/v2'

const heading = page => page.locator('h1').innerText()

onPage('one types, chooses what is suggested, follows, and goes back', {}, async page => {
  await page.goto('/portal/')
  const box = page.locator('#find')
  assert.ok(await box.evaluate(input => input === document.activeElement), 'one can type at once')
  await page.keyboard.type('mari')
  const marine = page.locator('#suggestions option[value="root:Environmental:Aquatic:Marine"]')
  await marine.waitFor({ state: 'attached' })
  // The list that is shown is the browser's own, which drivers cannot reach: it fills in the value.
  await box.fill(await marine.getAttribute('value'))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Marine' }).waitFor()
  await page.locator('.tree').getByRole('link', { name: 'Oceanic' }).click()
  await page.getByRole('heading', { level: 1, name: 'Oceanic' }).waitFor()
  const proteins = page.locator('.facts dd').filter({ hasText: 'directly in this biome' }).getByRole('link').first()
  const number = await proteins.innerText()
  await proteins.click()
  await page.getByRole('heading', { level: 2, name: `${number} proteins` }).waitFor()
  const searched = page.url()
  await page.locator('tbody a').first().click()
  assert.match(await heading(page), /^MGYP\d{12}$/)

  await page.goBack()
  assert.equal(page.url(), searched)
  assert.equal(await page.getByLabel('Biome and all below it').inputValue(), 'root:Environmental:Aquatic:Marine:Oceanic')
  await page.goBack()
  assert.equal(await heading(page), 'Oceanic')
  await page.goBack()
  await page.goBack()
  assert.equal(new URL(page.url()).pathname, '/portal/')
  await page.locator('[data-plot=biomes]').waitFor()
  await page.goForward()
  assert.equal(await heading(page), 'Marine')
})

onPage('`/` leads to the portal', {}, async page => {
  await page.goto('/')
  assert.equal(new URL(page.url()).pathname, '/portal/')
})

onPage('downloads are what the interface gives, and what the page shows', {}, async page => {
  const download = async name => {
    const isClosed = (await page.locator('#download-menu:not(:popover-open)').count()) > 0
    if (isClosed) await page.locator('#downloads').click()
    const [file] = await Promise.all([page.waitForEvent('download'), page.locator('#download-menu, section:has(> #downloads)').getByRole('link', { name, exact: true }).click()])
    const text = await readFile(await file.path(), 'utf8')
    assert.equal(text, await ask(file.url()))
    return text
  }
  await page.goto('/portal/search?pfam=PF00005&fields=accession,length')
  const number = Number((await page.locator('#hits').innerText()).split(' ')[0].replaceAll(',', ''))
  const shown = await page.locator('.hits tbody td:nth-child(2)').allInnerTexts()
  const [names, ...rows] = (await download('TSV')).trimEnd().split('\n')
  assert.equal(names, 'accession\tlength')
  assert.equal(rows.length, number)
  assert.deepEqual(rows.slice(0, shown.length).map(row => row.split('\t')[0]), shown)
  assert.equal((await download('NDJSON')).trimEnd().split('\n').length, number)
  assert.equal((await download('FASTA')).split('>').length - 1, number)

  await page.goto(`/portal/proteins/${WITH_DOMAINS}`)
  const { sequence } = await askJson(`${V2}/proteins/${WITH_DOMAINS}`)
  const [header, ...lines] = (await download('FASTA')).trimEnd().split('\n')
  assert.ok(header.startsWith(`>${WITH_DOMAINS}`))
  assert.equal(lines.join(''), sequence)

  await page.goto('/portal/studies?search=soil')
  const found = (await page.locator('h2', { hasText: 'result' }).innerText()).split(' ')[0]
  assert.equal((await download('NDJSON')).trimEnd().split('\n').length, Number(found))
})

// There is one clipboard.
onPage('buttons copy, a pasted list is compared, and pasted nonsense is shown as it is', { permissions: ['clipboard-read', 'clipboard-write'] }, async page => {
  const copied = async button => {
    await page.evaluate(() => navigator.clipboard.writeText(''))
    await button.click()
    await page.locator('#announcement', { hasText: 'Copied.' }).waitFor({ state: 'attached' })
    return page.evaluate(() => navigator.clipboard.readText())
  }
  await page.goto(`/portal/proteins/${WITH_DOMAINS}`)
  const { sequence } = await askJson(`${V2}/proteins/${WITH_DOMAINS}`)
  assert.equal(await copied(page.getByRole('button', { name: 'Copy the sequence' })), sequence)
  await page.goto('/portal/search?pfam=PF00005&limit=5')
  const accessions = await page.locator('.hits tbody td:nth-child(2)').allInnerTexts()
  assert.equal(await copied(page.getByRole('button', { name: 'Copy the 5 accessions' })), accessions.join('\n'))
  const line = await copied(page.getByRole('button', { name: /^Copy the curl command: / }).first())
  assert.ok(line.startsWith(`curl '${site.url}${V2}/proteins?`), line)
  const answer = await askJson(line.slice("curl '".length, -1))
  assert.ok(JSON.stringify(answer).includes(accessions[0]))

  const paste = async text => {
    await page.goto('/portal/')
    await page.evaluate(text => navigator.clipboard.writeText(text), text)
    await page.locator('#find').press('Control+V')
    await Promise.all([page.waitForURL(/\/portal\/\w/), page.keyboard.press('Enter')])
    await page.locator('h1').waitFor()
  }
  await paste(`${WITH_DOMAINS}\n${WITH_BIOMES}\r\n`)
  assert.equal(await heading(page), 'Compare proteins')
  await page.getByRole('heading', { name: 'Side by side' }).waitFor()
  assert.equal(await page.locator('[data-plot$=-heat]').count(), 2)

  await page.getByLabel(/^Accessions/).fill(`${WITH_BIOMES}\n${WITH_DOMAINS}\nnonsense`)
  await page.getByRole('button', { name: 'Compare' }).click()
  await page.getByText('1 malformed: nonsense').waitFor()
  assert.deepEqual(await page.locator('table').first().locator('tbody th').allInnerTexts(), [WITH_BIOMES, WITH_DOMAINS])

  for (const nonsense of [site.script, "'; DROP TABLE proteins; --", '%00%ff\u202e🦠', '../../etc/passwd', 'a '.repeat(300)]) {
    await paste(nonsense)
    assert.equal(await heading(page), 'Find', nonsense)
    const text = await page.locator('main').innerText()
    assert.ok(text.includes(nonsense.trim().slice(0, 20)), text)
    assert.equal(await page.locator('#find').inputValue(), nonsense.trim(), 'it can be fixed')
  }
})

onPage('cursors lead to the end, and back to the beginning', {}, async page => {
  await page.goto('/portal/search?pfam=PF00005&limit=8')
  const number = Number((await page.locator('#hits').innerText()).split(' ')[0])
  assert.ok(number > 20)
  const seen = []
  for (;;) {
    seen.push(...(await page.locator('.hits tbody td:nth-child(2)').allInnerTexts()))
    const next = page.getByRole('link', { name: 'Next page' })
    if ((await next.count()) === 0) break
    await next.click()
    await page.waitForURL(url => url.search.includes(`after=${seen.at(-1)}`))
  }
  assert.equal(seen.length, number)
  assert.equal(new Set(seen).size, number)
  await page.getByRole('link', { name: 'First page' }).click()
  await page.waitForURL(url => !url.search.includes('after='))
  assert.equal(await page.locator('.hits tbody td:nth-child(2)').first().innerText(), seen[0])
})

onPage('a form asks for what it says, and its query can be edited', {}, async page => {
  await page.goto('/portal/search')
  await page.getByLabel('Pfam family').fill('PF00005')
  await page.getByLabel('Minimum length (residues)').fill('100')
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByLabel('md5').check()
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await page.waitForURL(/pfam=PF00005&min_length=100/)
  const number = await page.locator('#hits').innerText()
  await page.getByRole('link', { name: 'Edit query' }).click()
  assert.match(await page.getByLabel('Query').inputValue(), /^pfam:PF00005 AND length:\[100 TO \*\]$/)
  assert.equal(await page.locator('#hits').innerText(), number)
  await page.getByLabel('Query').fill('pfam:(')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').waitFor()
  assert.equal(await page.getByLabel('Query').inputValue(), 'pfam:(')
})

onPage('a list is filtered, ordered and leafed through', {}, async page => {
  await page.goto('/portal/samples')
  await page.getByLabel('Sort by').selectOption('accession')
  await page.getByRole('button', { name: 'Sort', exact: true }).click()
  await page.waitForURL(/ordering=accession/)
  await page.getByLabel('Search', { exact: true }).fill('soil')
  await page.getByLabel('Search', { exact: true }).press('Enter')
  await page.waitForURL(/ordering=accession&search=soil/)
  const { meta, data } = await askJson('/metagenomics/api/v1/samples?search=soil&ordering=accession')
  await page.getByRole('heading', { name: `${meta.pagination.count.toLocaleString('en')} results` }).waitFor()
  const accessions = () => page.locator('.resources tbody th').allInnerTexts()
  assert.deepEqual(await accessions(), data.map(({ id }) => id))
  await page.getByRole('link', { name: 'Next page' }).click()
  await page.getByText(`Page 2 of ${meta.pagination.pages}`).waitFor()
  await page.goBack()
  assert.deepEqual(await accessions(), data.map(({ id }) => id))
  await page.locator('.resources tbody th a').first().click()
  assert.match(await heading(page), new RegExp(data[0].id))
})

onPage('a domain that is selected in the track is marked in the table, and the other way round', {}, async page => {
  await page.goto(`/portal/proteins/${WITH_DOMAINS}`)
  const domains = page.locator('figure[data-plot=domains] svg a')
  const number = await page.locator('#hits tbody tr').count()
  assert.equal(await domains.count(), number)
  await page.locator('button.mark').first().waitFor()
  await domains.first().click()
  const [selected, marked] = [page.locator('#hits tr.selected'), page.locator('figure[data-plot=domains] .marked')]
  await selected.waitFor()
  assert.deepEqual([await selected.count(), await marked.count()], [1, 1])
  assert.equal(`#${await selected.getAttribute('id')}`, await domains.first().getAttribute('href'))

  const other = page.locator('#hits tbody tr').last()
  await other.locator('td').nth(3).click()
  await page.locator(`figure[data-plot=domains] .marked[href="#${await other.getAttribute('id')}"]`).waitFor()
  assert.deepEqual([await selected.count(), await marked.count()], [1, 1])
})

onPage('a box that is drawn on the map filters the list', {}, async page => {
  await page.goto('/portal/samples?page_size=5')
  const canvas = page.locator('figure.map canvas')
  await canvas.waitFor()
  await page.getByRole('button', { name: 'Whole world' }).click()
  await page.getByRole('button', { name: 'Select a box' }).click()
  const { x, y, width, height } = await canvas.boundingBox()
  // Europe, roughly.
  await page.mouse.move(x + width * 0.47, y + height * 0.17)
  await page.mouse.down()
  await page.mouse.move(x + width * 0.55, y + height * 0.25, { steps: 3 })
  await page.mouse.move(x + width * 0.58, y + height * 0.31)
  await page.mouse.up()
  await page.getByRole('button', { name: 'Show samples in the box' }).click()
  await page.waitForURL(/bbox=/)
  const filters = new URL(page.url()).searchParams
  const [west, south] = filters.get('bbox').split(',').map(Number)
  assert.ok(Math.abs(west + 10.8) < 2 && Math.abs(south - 34.2) < 2, `${filters}`)
  const { meta } = await askJson(`/metagenomics/api/v1/samples?${filters}`)
  await page.getByRole('heading', { name: `${meta.pagination.count.toLocaleString('en')} results` }).waitFor()
  await canvas.waitFor()
})

onPage('samples are narrowed to a range of their numbers', {}, async page => {
  await page.goto('/portal/samples?page_size=5')
  const numbers = page.locator('.counted figure', { has: page.locator('caption', { hasText: 'Temperature' }) })
  await numbers.locator('summary').click()
  const range = numbers.locator('tbody tr').first()
  const count = await range.locator('.number').textContent()
  await range.locator('a').click()
  await page.waitForURL(/any_temperature=/)
  await page.getByRole('heading', { name: `${count} result` }).waitFor()
})

onPage('conditions on metadata are typed as rows, one after another', {}, async page => {
  await page.goto('/portal/samples?page_size=5')
  const row = number => page.getByRole('group', { name: `Condition ${number}` })
  const fill = async (number, key, operator, value) => {
    await row(number).getByLabel('Key').fill(key)
    await row(number).getByLabel('Operator').selectOption(operator)
    await row(number).getByLabel('Value').fill(value)
    await row(number).getByLabel('Value').press('Enter')
    await row(number + 1).waitFor()
  }
  await fill(1, 'temperature', '≥', '10')
  assert.ok((await row(1).locator('datalist option').count()) > 0, 'its units are known now')
  await fill(2, 'pH', 'is present', '')
  const { meta } = await askJson('/metagenomics/api/v1/samples?where=temperature:%3E%3D10&where=pH:*&page_size=5')
  await page.getByRole('heading', { name: `${meta.pagination.count.toLocaleString('en')} result` }).waitFor()
  await row(3).getByLabel('Key').pressSequentially('depth')
  await page.locator('#suggestions option[value="geographic location (depth)"]').waitFor({ state: 'attached' })
})

onPage('values of a facet are chosen, added by typing, and removed above the results', {}, async page => {
  await page.goto('/portal/samples?page_size=5')
  const germany = page.locator('.counted').getByRole('link', { name: 'Germany' })
  await germany.click()
  await page.waitForURL(/any_geo_loc_name=Germany/)
  assert.equal(await germany.getAttribute('aria-current'), 'true')
  const remove = page.getByRole('link', { name: 'Remove Country: Germany' })
  await page.locator('.counted').getByRole('link', { name: 'United States' }).first().click()
  await page.waitForURL(/any_geo_loc_name=Germany&any_geo_loc_name=United\+States/)
  await remove.click()
  await page.waitForURL(url => !url.search.includes('Germany'))
  assert.equal(await remove.count(), 0)
})

// A row with two lines of text. Names of own data may be longer.
const ROW_PX = 64

onPage('rows of proteins have one or two lines', {}, async page => {
  await page.setViewportSize({ width: 1280, height: 900 })
  for (const query of ['', '?q=has:pfam', '?biome=root', '?pfam=PF00005&fields=accession,length,sequence,pfam,clans,biomes']) {
    await page.goto(`/portal/search${query}`)
    const heights = await page.locator('table.hits tbody tr').evaluateAll(rows => rows.map(row => row.getBoundingClientRect().height))
    const high = heights.filter(height => height > ROW_PX)
    assert.ok(heights.length > 20 && high.length <= heights.length / 20, `${query}: ${high} of ${heights.length}`)
  }
})

onPage('on a phone filters are folded, and the navigation is behind a button', {}, async page => {
  await page.goto('/portal/search')
  const [folded, filters] = [page.locator('#filters > summary'), page.getByLabel('Pfam family')]
  assert.ok(await filters.isVisible())
  assert.ok(await folded.isHidden(), 'on a wide screen filters cannot be folded')

  await page.setViewportSize({ width: 390, height: 844 })
  await page.reload()
  assert.ok(await filters.isHidden())
  await folded.click()
  await filters.fill('PF00005')
  await filters.press('Enter')
  await page.getByRole('heading', { name: '48 proteins' }).waitFor()
  const { height } = await page.locator('header').boundingBox()
  assert.ok(height < 60, `${height} px high`)
  assert.ok(await page.locator('header #find').isHidden())
  const links = page.locator('header').getByRole('link')
  assert.equal(await links.count(), 1)
  await page.getByRole('button', { name: 'Menu' }).click()
  assert.equal(await links.count(), 13)
  for (const link of await links.all()) {
    const { x, y, width, height } = await link.boundingBox()
    assert.ok(x >= 0 && x + width <= 390 && y >= 0 && y + height <= 844, await link.innerText())
  }
  await links.filter({ hasText: 'Find' }).click()
  await page.locator('main #find').waitFor()
})

onPage('on a phone a row is a card, which shows all of its cells', {}, async page => {
  await page.setViewportSize({ width: 390, height: 844 })
  for (const [path, labels] of [
    ['/portal/search?biome=root&q=has:pfam', ['Length (residues)', 'Pfam families', 'Biomes']],
    ['/portal/studies', ['Name', 'Centre', 'Updated']],
  ]) {
    await page.goto(path)
    const cards = page.locator('.cards tbody tr')
    const first = cards.first()
    assert.match(await first.getByRole('link').first().innerText(), /^MGY[PS]\d+$/)
    for (const label of labels) {
      const cell = first.locator(`td[data-label="${label}"]`)
      assert.equal(await cell.evaluate(cell => getComputedStyle(cell, '::before').content.includes(cell.dataset.label)), true)
      const { x, width } = await cell.boundingBox()
      assert.ok(x >= 0 && x + width <= 390, label)
    }
    const numbers = await cards.evaluateAll(cards => cards.map(card => card.querySelectorAll('.line').length && [...card.querySelectorAll('.line')].filter(line => line.checkVisibility()).length))
    assert.ok(numbers.every(number => number <= 1), 'the first biome')
    const block = page.locator('.results .wide')
    assert.ok(await block.evaluate(block => block.scrollWidth <= block.clientWidth), 'nothing is out of sight')
  }
  await page.goto('/portal/search')
  await page.getByRole('link', { name: /^Length/ }).click()
  await page.waitForURL(/order=-length/)
})

onPage('texts of data that would like to be scripts stay texts', {}, async page => {
  for (const path of [`/portal/studies/${site.study}`, `/portal/samples/${site.sample}`, `/portal/studies?accession=${site.study}`, `/portal/studies/${site.study}/samples`]) {
    await page.goto(path)
    assert.ok((await page.locator('main').innerText()).includes(site.script), path)
    assert.equal(await page.locator('main script, main img').count(), 0)
  }
})

runDeclared('People type, follow, go back, copy, download and compare')
