// Tasks of a researcher, in plain words and few actions.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'

import { WITH_BIOMES, WITH_DOMAINS } from './pages.mjs'
import { ask, askJson, onPage, runDeclared, site } from './site.mjs'

const V2 = '/metagenomics/proteins/api/v2'

const ACTIONS_MAX = 5

/** Declares a task, from the home page. What one clicks, fills in, sends or drags is counted. */
function task(name, run) {
  onPage(name, { permissions: ['clipboard-read', 'clipboard-write'] }, async (page, context) => {
    let number = 0
    const act = async action => {
      await action
      number += 1
      assert.ok(number <= ACTIONS_MAX, `more than ${ACTIONS_MAX} actions`)
    }
    await page.goto('/portal/')
    await run(page, act, context)
  })
}

/** Follows one of the cards of the home page. */
const card = (page, name) => page.locator('.tasks').getByRole('link', { name }).click()

/** Types into the box of the home page, and sends that: two actions. */
async function find(page, act, text) {
  await act(page.locator('#find').fill(text))
  await act(page.keyboard.press('Enter'))
}

const count = async heading => Number((await heading.innerText()).split(' ')[0].replaceAll(',', ''))

const accessions = page => page.locator('.hits tbody td:nth-child(2)').allInnerTexts()

const download = async (page, action) => {
  const [file] = await Promise.all([page.waitForEvent('download'), action])
  return readFile(await file.path(), 'utf8')
}

const FASTA_HEADERS = /^>(\S+)/gm

task('a: the full-length ABC transporters of a biome, as FASTA', async (page, act) => {
  await find(page, act, 'PF00005 human')
  await page.waitForURL(/pfam=PF00005&biome=.*Human/)
  await act(page.locator('.choices').getByRole('link', { name: /^yes$/ }).click())
  await page.waitForURL(/full_length=true/)
  const number = await count(page.locator('#hits'))
  await act(page.locator('#downloads').click())
  const fasta = await download(page, act(page.getByRole('link', { name: 'FASTA', exact: true }).click()))
  const { results, total } = await askJson(`${V2}/proteins?pfam=PF00005&biome=root:Host-associated:Human&full_length=true&count=exact`)
  assert.ok(number > 0)
  assert.equal(number, total.value)
  assert.deepEqual([...fasta.matchAll(FASTA_HEADERS)].map(([, accession]) => accession), results.map(({ accession }) => accession))
})

task('a, typed: words for a family and a biome get suggestions', async (page, act) => {
  await act(card(page, 'Find proteins'))
  await act(page.getByLabel('Pfam family').fill('abc transporter'))
  await act(page.getByLabel('Biome and all below it').fill('digestive system'))
  await act(page.keyboard.press('Enter'))
  await page.locator('#biome-problem').getByRole('link', { name: 'root:Host-associated:Human:Digestive system' }).waitFor()
  await act(page.locator('#pfam-problem').getByRole('link', { name: 'PF00005' }).click())
  await page.waitForURL(/pfam=PF00005/)
  assert.equal(await page.getByLabel('Biome and all below it').inputValue(), 'digestive system')
})

task('b: from a protein to its assembly, run, sample and study', async (page, act) => {
  await find(page, act, 'synthetic-ERZ477902-1')
  await act(page.locator('main').getByRole('link', { name: 'ERZ477902' }).first().click())
  await page.locator('.facts').getByRole('link', { name: 'SRR873595' }).waitFor()
  for (const [link, title] of [[/^SRS/, 'Sample SRS429584'], [/^MGYS/, /^Study MGYS00000562/]]) {
    await act(page.locator('.facts').getByRole('link', { name: link }).click())
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
  }
})

task('c: the metadata of the samples of a region, as a table', async (page, act) => {
  await act(card(page, 'Find samples'))
  await page.getByRole('button', { name: 'Select a box (or Shift and drag)' }).waitFor()
  const { x, y, width, height } = await page.locator('figure.map canvas').boundingBox()
  await page.keyboard.down('Shift')
  await page.mouse.move(x + width * 0.3, y + height * 0.2)
  await page.mouse.down()
  await page.mouse.move(x + width * 0.7, y + height * 0.8, { steps: 3 })
  await act(page.mouse.up())
  await page.keyboard.up('Shift')
  await act(page.getByRole('button', { name: 'Show samples in the box' }).click())
  await page.waitForURL(/bbox=/)
  const number = await count(page.locator('#results'))
  await act(page.locator('#downloads').click())
  const [names, ...rows] = (await download(page, act(page.getByRole('link', { name: 'Metadata as columns (TSV)' }).click()))).trimEnd().split('\n')
  assert.ok(number > 0)
  assert.equal(rows.length, number)
  const { meta } = await askJson(`/metagenomics/api/v1/samples${new URL(page.url()).search}`)
  assert.equal(meta.pagination.count, number)
  assert.ok(!/metadata\.\d/.test(names), 'each key of the metadata has a column')
})

task('d: some proteins beside each other', async (page, act) => {
  await find(page, act, 'PF00005 human')
  await page.waitForURL(/pfam=PF00005/)
  const shown = await accessions(page)
  await act(page.locator('tbody input').first().check())
  await act(page.locator('tbody input').last().check())
  await act(page.getByRole('button', { name: 'Compare selected' }).click())
  await page.getByText('2 proteins', { exact: true }).waitFor()
  assert.deepEqual(await page.locator('table').first().locator('tbody th').allInnerTexts(), [shown[0], shown.at(-1)])
  assert.ok((await page.locator('[data-plot$=-heat]').count()) > 0)
})

task('e: where a family is more frequent than elsewhere', async (page, act) => {
  await find(page, act, 'ABC transporter')
  await act(page.locator('main').getByRole('link', { name: 'PF00005' }).first().click())
  await page.getByRole('heading', { level: 1, name: 'PF00005' }).waitFor()
  const { enrichment } = await askJson(await page.getByRole('link', { name: 'Its biomes, compared' }).getAttribute('href'))
  const compared = new Map(enrichment.map(biome => [biome.value, biome]))
  const rows = await page.locator('.tree tr[data-lineage*=":"]').all()
  assert.ok(rows.length > 0)
  for (const row of rows) {
    const biome = compared.get(await row.getAttribute('data-lineage'))
    const [found, , difference, expected, ratio, q] = await row.locator('td').allInnerTexts()
    assert.equal(found, biome.count.toLocaleString('en'), biome.value)
    assert.match(difference, biome.representation ? new RegExp(`^${biome.representation}`) : /^(too few proteins)?$/, biome.value)
    assert.equal(expected, biome.expected.toFixed(1), biome.value)
    assert.equal(Math.sign(biome.log2_ratio), ratio.startsWith('+') ? 1 : -1, ratio)
    assert.ok(q !== '', biome.value)
  }
})

// The box waits for more letters before it asks for suggestions.
const PAUSE_MS = 300

/** Pastes into the box of the home page, and sends that: two actions. */
async function paste(page, act, text) {
  await page.evaluate(text => navigator.clipboard.writeText(text), text)
  await act(page.locator('#find').press('Control+V'))
  await page.waitForTimeout(PAUSE_MS)
  await act(Promise.all([page.waitForURL(/\/portal\/\w/), page.keyboard.press('Enter')]))
}

task('f: nonsense leads on', async (page, act) => {
  await paste(page, act, 'xyzzyx')
  await page.getByText('Nothing matches “xyzzyx”').waitFor()
  await act(page.locator('main').getByRole('link', { name: 'all biomes' }).click())
  await page.getByRole('heading', { level: 1, name: 'Biomes' }).waitFor()
})

task('f: a sequence is found, in lower case and with a header, too', async (page, act) => {
  const { sequence } = await askJson(`${V2}/proteins/${WITH_DOMAINS}`)
  await paste(page, act, `>my protein\n${sequence.toLowerCase()}*`)
  await page.getByRole('heading', { level: 1, name: WITH_DOMAINS }).waitFor()
})

task('f: a thousand accessions are a list to compare and to download', async (page, act) => {
  const all = (await ask(`${V2}/proteins?format=tsv&fields=accession&limit=1000`)).trimEnd().split('\n').slice(1)
  await paste(page, act, all.join('\n'))
  await page.getByText('1,000 proteins, of which the first 100 are shown').waitFor()
  const fasta = await download(page, act(page.getByRole('button', { name: 'FASTA' }).click()))
  assert.deepEqual([...fasta.matchAll(FASTA_HEADERS)].map(([, accession]) => accession).sort(), all.sort())
})

task('g: back, again, and one page before', async (page, act) => {
  const ranks = text => page.getByText(`${text} of 10,035`).waitFor()
  await act(card(page, 'Find proteins'))
  await act(page.getByRole('link', { name: 'Next page' }).click())
  await ranks('51–100')
  await act(page.getByRole('link', { name: 'Next page' }).click())
  await ranks('101–150')
  await act(page.getByRole('link', { name: 'Previous page' }).click())
  await ranks('51–100')
  await act(page.reload())
  await ranks('51–100')
  await page.goBack()
  await ranks('101–150')
})

/** Asserts that the address of a page leads to the same. */
async function assertBookmarked(page, context) {
  const bookmark = await context.newPage()
  await bookmark.goto(page.url())
  assert.equal(await bookmark.locator('main').innerText(), await page.locator('main').innerText())
  await bookmark.close()
}

task('g: a page of a search can be bookmarked', async (page, act, context) => {
  await act(card(page, 'Find proteins'))
  await act(page.getByLabel('Biome and all below it').fill('root:Environmental'))
  await act(page.keyboard.press('Enter'))
  await page.waitForURL(/biome=/)
  await act(page.getByRole('link', { name: 'Next page' }).click())
  await page.getByText('51–100 of ').waitFor()
  await assertBookmarked(page, context)
})

task('g: a comparison can be bookmarked', async (page, act, context) => {
  await paste(page, act, `${WITH_DOMAINS} ${WITH_BIOMES}`)
  await page.getByText('2 proteins', { exact: true }).waitFor()
  await assertBookmarked(page, context)
})

task('h: the same as a request', async (page, act) => {
  await find(page, act, 'PF00005 human')
  await page.waitForURL(/pfam=PF00005/)
  await act(page.locator('.choices').getByRole('link', { name: 'Environmental' }).click())
  await page.waitForURL(/any_biome=.*any_biome=/)
  const shown = await accessions(page)
  await page.evaluate(() => navigator.clipboard.writeText(''))
  await act(page.getByRole('button', { name: 'Copy the curl command: This page' }).click())
  await page.locator('#announcement', { hasText: 'Copied.' }).waitFor({ state: 'attached' })
  const line = await page.evaluate(() => navigator.clipboard.readText())
  const { results } = await askJson(line.slice("curl '".length, -1))
  assert.ok(shown.length > 0)
  assert.deepEqual(results.map(({ accession }) => accession), shown)
})

task('h: the numbers of a family as a request', async (page, act) => {
  await find(page, act, 'PF00005')
  const link = page.getByRole('link', { name: 'Its biomes', exact: true })
  const { facets } = await askJson(await link.getAttribute('href'))
  const rows = page.locator('.tree tbody tr[data-lineage]')
  const shown = await rows.evaluateAll(rows => rows.map(({ dataset }) => [dataset.lineage, Number(dataset.count)]))
  const counts = new Map(facets.map(({ value, count }) => [value, count]))
  assert.deepEqual(shown, shown.map(([lineage]) => [lineage, counts.get(lineage)]))
  assert.ok(shown.length > 0)
})

task('h: a list of studies as a request', async (page, act) => {
  await act(page.locator('header').getByRole('link', { name: 'Studies' }).click())
  await act(page.getByLabel('Search', { exact: true }).fill('soil'))
  await act(page.keyboard.press('Enter'))
  await page.waitForURL(/search=soil/)
  const { data } = await askJson(await page.getByRole('link', { name: 'This page', exact: true }).getAttribute('href'))
  assert.deepEqual(await page.locator('.resources tbody th').allInnerTexts(), data.map(({ id }) => id))
})

task('i: what is wrong in a profile stands at its field', async (page, act) => {
  await act(page.locator('header').getByRole('link', { name: 'Profile' }).click())
  await act(page.getByLabel('Token').fill(site.token))
  await act(page.getByRole('button', { name: 'Show the profile' }).click())
  const value = page.locator('#profile textarea').first()
  await value.waitFor()
  await act(value.fill('x'.repeat(5000)))
  await act(page.getByRole('button', { name: 'Save' }).click())
  const problem = page.locator('#profile .problem', { hasText: 'It has more than 4096 characters.' })
  await problem.waitFor()
  assert.equal(await value.getAttribute('aria-invalid'), 'true')
  assert.equal(await value.getAttribute('aria-describedby'), await problem.getAttribute('id'))
  const { width } = await value.boundingBox()
  assert.ok(width < 1000, `${width} px wide`)
})

task('1: whether a sequence is known, where it is found, and what is similar', async (page, act) => {
  const { sequence, biomes } = await askJson(`${V2}/proteins/${WITH_BIOMES}`)
  await paste(page, act, sequence)
  await page.getByRole('heading', { level: 1, name: WITH_BIOMES }).waitFor()
  await page.locator('section:has(#biomes)').getByRole('link', { name: biomes[0].lineage }).waitFor()
  await act(page.getByRole('link', { name: 'Find similar proteins' }).click())
  await act(page.getByRole('button', { name: 'Find similar proteins' }).click())
  await page.locator('tbody').getByRole('link', { name: WITH_BIOMES }).first().waitFor()
  await act(page.getByRole('link', { name: 'as a search' }).click())
  await page.locator('table.hits').getByRole('link', { name: WITH_BIOMES }).waitFor()
})

task('3: the samples with a measured value whose assemblies have such proteins, as a table', async (page, act) => {
  const condition = 'depth:>0.5[m] AND has:(proteins: length:>100)'
  await act(card(page, 'Find samples'))
  await act(page.getByLabel('Conditions').fill(condition))
  await act(page.keyboard.press('Enter'))
  await page.waitForURL(/where=/)
  const number = await count(page.locator('#results'))
  await act(page.locator('#downloads').click())
  const [, ...rows] = (await download(page, act(page.getByRole('link', { name: 'CSV', exact: true }).click()))).trimEnd().split('\n')
  const { data } = await askJson(`/metagenomics/api/v1/samples?where=${encodeURIComponent(condition)}`)
  assert.ok(number > 0)
  assert.deepEqual([rows.length, data.length], [number, number])
})

task('4: a link to a filtered and ordered search with its columns', async (page, act, context) => {
  await act(page.locator('.tree tr', { hasText: 'Aquatic' }).getByRole('link').last().click())
  await page.waitForURL(/biome=.*Aquatic/)
  await act(page.locator('thead').getByRole('link', { name: 'Length' }).click())
  await page.waitForURL(/order=/)
  await act(page.getByRole('button', { name: 'Columns' }).click())
  await act(page.getByLabel('Sequence').check())
  await act(page.getByRole('button', { name: 'Show', exact: true }).click())
  await page.waitForURL(/fields=/)
  await page.locator('thead', { hasText: 'Sequence' }).waitFor()
  assert.ok(page.url().length < 250, page.url())
  await assertBookmarked(page, context)
})

task('5: which release this is, and how it is cited', async (page, act) => {
  await page.getByText(/10,000 proteins, Pfam .*, loaded \d+ \w+ \d{4}\./).waitFor()
  await act(page.getByRole('link', { name: 'How to cite', exact: true }).click())
  await act(page.getByRole('button', { name: 'Copy BibTeX' }).click())
  await page.locator('#announcement', { hasText: 'Copied.' }).waitFor({ state: 'attached' })
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^@misc\{mgnify/)
})

task('6: ten thousand proteins as FASTA, with their metadata', async (page, act) => {
  await act(card(page, 'Find proteins'))
  await act(page.locator('#downloads').click())
  const fasta = await download(page, act(page.getByRole('link', { name: 'FASTA', exact: true }).click()))
  const [names, ...rows] = (await download(page, act(page.getByRole('link', { name: 'TSV', exact: true }).click()))).trimEnd().split('\n')
  assert.ok(names.startsWith('accession\t') && names.includes('\tbiomes'), names)
  assert.equal(rows.length, 10_035)
  assert.deepEqual([...fasta.matchAll(FASTA_HEADERS)].map(([, accession]) => accession), rows.map(row => row.split('\t')[0]))
})

task('a list of 100,000 accessions fits into the box, and can be downloaded', async (page, act) => {
  const unknown = Array.from({ length: 99_999 }, (_, index) => `MGYP${String(index + 1).padStart(12, '0')}`)
  await paste(page, act, [WITH_BIOMES, ...unknown].join('\n'))
  await page.getByText('99,999 unknown').waitFor()
  const fasta = await download(page, act(page.getByRole('button', { name: 'FASTA' }).click()))
  assert.deepEqual([...fasta.matchAll(FASTA_HEADERS)].map(([, accession]) => accession), [WITH_BIOMES])
  const [, ...missing] = (await download(page, act(page.getByRole('button', { name: 'Download what was not found' }).click()))).trimEnd().split('\n')
  assert.deepEqual(missing.map(row => row.split('\t')[0]), unknown)
})

task('2: the families of two biomes beside each other, as a table', async (page, act) => {
  await act(page.locator('.tree').getByRole('link', { name: 'Aquatic' }).first().click())
  await act(page.getByRole('link', { name: 'Compare with…' }).click())
  await act(page.getByLabel('Compared with').fill('Human'))
  await act(page.keyboard.press('Enter'))
  await page.getByRole('heading', { level: 1, name: 'Aquatic · Environmental, compared with Human · Host-associated' }).waitFor()
  const [names, ...rows] = (await download(page, act(page.getByRole('link', { name: 'TSV', exact: true }).click()))).trimEnd().split('\n')
  const [value, count, background] = ['value', 'count', 'background_count'].map(name => names.split('\t').indexOf(name))
  const counts = new Map(rows.map(row => row.split('\t')).map(cells => [cells[value], [cells[count], cells[background]]]))
  const shown = await page.locator('.families tbody tr:has(a)').all()
  assert.ok(shown.length > 20)
  for (const row of shown) {
    const family = await row.locator('th a').innerText()
    const cells = await row.locator('td').allInnerTexts()
    assert.deepEqual(cells.slice(0, 2).map(text => text.split(' ')[0].replace(',', '')), counts.get(family), family)
  }
})

// There is one clipboard.
runDeclared('Researchers get what they come for', 1)
