// Tasks of a researcher, in plain words and few actions.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'

import { WITH_BIOMES, WITH_DOMAINS } from './pages.mjs'
import { ask, askJson, onPage, runDeclared, site } from './site.mjs'

const V2 = '/metagenomics/proteins/api/v2'

const ACTIONS_MAX = 5

/** Declares a task. What one clicks, fills in, sends or drags is counted. */
function task(name, run) {
  onPage(name, { permissions: ['clipboard-read', 'clipboard-write'] }, (page, context) => {
    let number = 0
    const act = async action => {
      await action
      number += 1
      assert.ok(number <= ACTIONS_MAX, `more than ${ACTIONS_MAX} actions`)
    }
    return run(page, act, context)
  })
}

const count = async heading => Number((await heading.innerText()).split(' ')[0].replaceAll(',', ''))

const accessions = page => page.locator('tbody td:nth-child(2)').allInnerTexts()

const download = async (page, action) => {
  const [file] = await Promise.all([page.waitForEvent('download'), action])
  return readFile(await file.path(), 'utf8')
}

const FASTA_HEADERS = /^>(\S+)/gm

task('a: the full-length ABC transporters of a biome, as FASTA', async (page, act) => {
  await page.goto('/portal/search')
  const choose = async (name, address) => {
    await act(page.locator('.choices').getByRole('link', { name }).first().click())
    await page.waitForURL(address)
  }
  await choose(/^ABC transporter PF00005$/, /pfam=PF00005/)
  await choose(/^Human$/, /biome=.*Human/)
  await choose(/^yes$/, /full_length=true/)
  const number = await count(page.locator('#hits'))
  await act(page.locator('#downloads summary').click())
  const fasta = await download(page, act(page.getByRole('link', { name: 'FASTA' }).click()))
  const { results, total } = await askJson(`${V2}/proteins?pfam=PF00005&biome=root:Host-associated:Human&full_length=true&count=exact`)
  assert.ok(number > 0)
  assert.equal(number, total.value)
  assert.deepEqual([...fasta.matchAll(FASTA_HEADERS)].map(([, accession]) => accession), results.map(({ accession }) => accession))
})

task('a, typed: words for a family and a biome are told what they may mean', async (page, act) => {
  await page.goto('/portal/search')
  await act(page.getByLabel('Pfam family').fill('abc transporter'))
  await act(page.getByLabel('Biome and all below it').fill('digestive system'))
  await act(page.keyboard.press('Enter'))
  await act(page.locator('#pfam-problem').getByRole('link', { name: 'PF00005' }).click())
  await page.waitForURL(/pfam=PF00005/)
  await act(page.locator('#biome-problem').getByRole('link', { name: 'root:Host-associated:Human:Digestive system' }).click())
  await page.waitForURL(/pfam=PF00005/)
  const { total } = await askJson(`${V2}/proteins?pfam=PF00005&biome=root:Host-associated:Human:Digestive+system&count=exact`)
  assert.ok(total.value > 0)
  assert.equal(await count(page.locator('#hits')), total.value)
})

task('b: from a protein to its assembly, run, sample and study', async (page, act) => {
  await page.goto('/portal/proteins/synthetic-ERZ477902-1')
  await act(page.locator('main').getByRole('link', { name: 'ERZ477902' }).click())
  for (const [link, title] of [[/^SRR/, 'Run SRR873595'], [/^SRS/, 'Sample SRS429584'], [/^MGYS/, /^Study MGYS00000562/]]) {
    await act(page.locator('.facts').getByRole('link', { name: link }).first().click())
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
  }
})

task('c: the metadata of the samples of a region, as a table', async (page, act) => {
  await page.goto('/portal/samples')
  await page.getByRole('button', { name: 'Zoom in' }).waitFor()
  await act(page.getByRole('button', { name: 'Select a box' }).click())
  const { x, y, width, height } = await page.locator('figure.map canvas').boundingBox()
  await page.mouse.move(x + width * 0.3, y + height * 0.2)
  await page.mouse.down()
  await page.mouse.move(x + width * 0.7, y + height * 0.8, { steps: 3 })
  await act(page.mouse.up())
  await act(page.getByRole('button', { name: 'Show samples in the box' }).click())
  await page.waitForURL(/bbox=/)
  const number = await count(page.locator('#results'))
  await act(page.locator('#downloads summary').click())
  const [names, ...rows] = (await download(page, act(page.getByRole('link', { name: 'Metadata as columns (TSV)' }).click()))).trimEnd().split('\n')
  assert.ok(number > 0)
  assert.equal(rows.length, number)
  const { meta } = await askJson(`/metagenomics/api/v1/samples${new URL(page.url()).search}`)
  assert.equal(meta.pagination.count, number)
  assert.ok(!/metadata\.\d/.test(names), 'each key of the metadata has a column')
})

task('d: some proteins beside each other', async (page, act) => {
  await page.goto('/portal/search?clan=CL0023')
  const shown = await accessions(page)
  await act(page.locator('tbody input').first().check())
  await act(page.locator('tbody input').last().check())
  await act(page.getByRole('button', { name: 'Compare selected' }).click())
  await page.getByRole('heading', { name: '2 proteins' }).waitFor()
  assert.deepEqual(await page.locator('table').first().locator('tbody th').allInnerTexts(), [shown[0], shown.at(-1)])
  assert.ok((await page.locator('.heat').count()) > 0)
})

task('e: where a family is more frequent than elsewhere', async (page, act) => {
  await page.goto('/portal/')
  await act(page.locator('#find').fill('ABC transporter'))
  await act(page.keyboard.press('Enter'))
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

/** Pastes into the box of the first page, and sends that. */
async function paste(page, act, text) {
  await page.goto('/portal/')
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
  await page.goto('/portal/search?pfam=PF00005&limit=20')
  const ranks = text => page.getByText(`${text} of 48`).waitFor()
  await act(page.getByRole('link', { name: 'Next page' }).click())
  await ranks('21–40')
  await act(page.getByRole('link', { name: 'Next page' }).click())
  await ranks('41–48')
  await act(page.getByRole('link', { name: 'Previous page' }).click())
  await ranks('21–40')
  await act(page.reload())
  await ranks('21–40')
  await act(page.goBack())
  await ranks('41–48')
})

task('g: what was found can be bookmarked', async (page, act, context) => {
  const same = async what => {
    const bookmark = await context.newPage()
    await bookmark.goto(page.url())
    assert.equal(await bookmark.locator(what).innerText(), await page.locator(what).innerText())
    await bookmark.close()
  }
  await page.goto('/portal/search?limit=20')
  await act(page.getByLabel('Pfam family').fill('PF00005'))
  await act(page.keyboard.press('Enter'))
  await page.waitForURL(/pfam=PF00005/)
  await act(page.getByRole('link', { name: 'Next page' }).click())
  await page.getByText(' of 48').waitFor()
  await same('main')
  await paste(page, act, `${WITH_DOMAINS} ${WITH_BIOMES}`)
  await page.getByRole('heading', { name: '2 proteins' }).waitFor()
  await same('main')
})

task('h: the same as a request', async (page, act) => {
  await page.goto('/portal/search?clan=CL0023&any_biome=root:Environmental&any_biome=root:Host-associated')
  const shown = await accessions(page)
  await page.evaluate(() => navigator.clipboard.writeText(''))
  await act(page.getByRole('button', { name: 'Copy the curl command: This page' }).click())
  await page.locator('#announcement', { hasText: 'Copied.' }).waitFor({ state: 'attached' })
  const line = await page.evaluate(() => navigator.clipboard.readText())
  const { results } = await askJson(line.slice("curl '".length, -1))
  assert.ok(shown.length > 0)
  assert.deepEqual(results.map(({ accession }) => accession), shown)
})

task('h: the numbers of a family as a request, and a list', async (page, act) => {
  await page.goto('/portal/families/PF00005')
  const rows = page.locator('.tree tbody tr[data-lineage]')
  const shown = await rows.evaluateAll(rows => rows.map(({ dataset }) => [dataset.lineage, Number(dataset.count)]))
  const link = page.getByRole('link', { name: 'Its biomes', exact: true })
  const { facets } = await askJson(await link.getAttribute('href'))
  const counts = new Map(facets.map(({ value, count }) => [value, count]))
  assert.deepEqual(shown, shown.map(([lineage]) => [lineage, counts.get(lineage)]))
  assert.ok(shown.length > 0)

  await page.goto('/portal/studies')
  await act(page.getByLabel('Search', { exact: true }).fill('soil'))
  await act(page.keyboard.press('Enter'))
  await page.waitForURL(/search=soil/)
  const { data } = await askJson(await page.getByRole('link', { name: 'This page', exact: true }).getAttribute('href'))
  assert.deepEqual(await page.locator('tbody th').allInnerTexts(), data.map(({ id }) => id))
})

task('i: what is wrong in a profile stands at its field', async (page, act) => {
  await page.goto('/portal/profile')
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

task('a list of 100,000 accessions fits into the box, and can be downloaded', async (page, act) => {
  const unknown = Array.from({ length: 99_999 }, (_, index) => `MGYP${String(index + 1).padStart(12, '0')}`)
  await paste(page, act, [WITH_BIOMES, ...unknown].join('\n'))
  await page.getByText('99,999 unknown').waitFor()
  const fasta = await download(page, act(page.getByRole('button', { name: 'FASTA' }).click()))
  assert.deepEqual([...fasta.matchAll(FASTA_HEADERS)].map(([, accession]) => accession), [WITH_BIOMES])
  const [, ...missing] = (await download(page, act(page.getByRole('button', { name: 'Download what was not found' }).click()))).trimEnd().split('\n')
  assert.deepEqual(missing.map(row => row.split('\t')[0]), unknown)
})

// There is one clipboard.
runDeclared('Researchers get what they come for', 1)
