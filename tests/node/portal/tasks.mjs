// What a researcher comes for, in plain words and few actions.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'

import { WITH_BIOMES, WITH_DOMAINS } from './pages.mjs'
import { ask, askJson, onPage, runDeclared, site } from './site.mjs'

const V2 = '/metagenomics/proteins/api/v2'

const ACTIONS_MAX = 5

/** Declares a task. What one does is counted. */
function task(name, run) {
  onPage(name, { permissions: ['clipboard-read', 'clipboard-write'] }, async page => {
    let actions = 0
    const act = async action => {
      actions += 1
      return action
    }
    await run(page, act)
    assert.ok(actions <= ACTIONS_MAX, `${actions} actions`)
  })
}

const found = page => page.locator('#hits').innerText()

const download = async (page, link) => {
  const [file] = await Promise.all([page.waitForEvent('download'), link])
  return readFile(await file.path(), 'utf8')
}

task('a: the full-length ABC transporters of a biome, as FASTA', async (page, act) => {
  await page.goto('/portal/search')
  await act(page.getByLabel('Pfam family').fill('PF00005'))
  await act(page.locator('.choices').getByRole('link', { name: 'Human', exact: true }).click())
  await page.waitForURL(/biome=/)
  await act(page.locator('.choices').getByRole('link', { name: /^ABC transporter PF00005/ }).first().click())
  await page.waitForURL(/pfam=PF00005/)
  const number = Number((await found(page)).split(' ')[0])
  await act(page.locator('#downloads summary').click())
  const fasta = await download(page, act(page.getByRole('link', { name: 'FASTA' }).click()))
  assert.equal(fasta.split('>').length - 1, number)
  const api = await askJson(`${V2}/proteins?pfam=PF00005&biome=root:Host-associated:Human&count=exact`)
  assert.equal(number, api.total.value)
})

task('b: from a protein to the study that it comes from', async (page, act) => {
  await page.goto('/portal/proteins/synthetic-ERZ477902-1')
  await act(page.locator('main').getByRole('link', { name: 'ERZ477902' }).click())
  await page.getByRole('heading', { level: 1, name: 'Assembly ERZ477902' }).waitFor()
  await act(page.locator('.facts').getByRole('link', { name: /^SRS/ }).click())
  await page.getByRole('heading', { level: 1, name: 'Sample SRS429584' }).waitFor()
  await act(page.locator('.facts').getByRole('link', { name: /^MGYS/ }).first().click())
  await page.getByRole('heading', { level: 1, name: /^Study MGYS/ }).waitFor()
})

task('c: the metadata of the samples of a region, as a table', async (page, act) => {
  await page.goto('/portal/samples')
  await page.getByRole('button', { name: 'Zoom in' }).waitFor()
  for (const [side, degrees] of [['West', '-10'], ['South', '35'], ['East', '30'], ['North', '60']]) {
    await page.getByLabel(`${side} (°)`).fill(degrees)
  }
  await act(page.keyboard.press('Enter'))
  await page.waitForURL(/bbox=/)
  const count = (await page.locator('#results').innerText()).split(' ')[0].replaceAll(',', '')
  await act(page.locator('#downloads summary').click())
  const table = await download(page, act(page.getByRole('link', { name: 'Metadata as columns (TSV)' }).click()))
  assert.equal(table.trimEnd().split('\n').length - 1, Number(count))
})

task('d: some proteins beside each other', async (page, act) => {
  await page.goto('/portal/search?clan=CL0023')
  await act(page.locator('tbody input').first().check())
  await act(page.locator('tbody input').last().check())
  await act(page.getByRole('button', { name: 'Compare selected' }).click())
  await page.getByRole('heading', { name: '2 proteins' }).waitFor()
  assert.ok((await page.locator('.heat').count()) > 0)
})

task('e: where a family is more frequent than elsewhere', async (page, act) => {
  await page.goto('/portal/')
  await act(page.locator('#find').fill('ABC transporter'))
  await act(page.keyboard.press('Enter'))
  await act(page.locator('main').getByRole('link', { name: 'PF00005' }).first().click())
  const row = page.locator('.tree tr', { hasText: 'Host-associated' })
  const cells = await row.locator('td').allInnerTexts()
  const { values } = await askJson(`${V2}/proteins/enrichment?q=pfam:PF00005&by=biome&top=1000`).catch(() => ({}))
  assert.match(cells.join(' | '), /(too few expected|represented).*[+−]\d\.\d\d \([+−]/)
  assert.ok(values === undefined || values.length > 0)
})

task('f: nonsense, a sequence and a thousand accessions in the box', async (page, act) => {
  const paste = async text => {
    await page.goto('/portal/')
    await page.evaluate(text => navigator.clipboard.writeText(text), text)
    await page.locator('#find').press('Control+V')
    await act(page.keyboard.press('Enter'))
    await page.waitForURL(/\/portal\/\w/)
  }
  await paste('xyzzyx')
  await page.locator('main').getByRole('link', { name: 'all biomes' }).waitFor()
  const { sequence } = await askJson(`${V2}/proteins/${WITH_DOMAINS}`)
  await paste(`>my protein\n${sequence.toLowerCase()}*`)
  await page.getByRole('heading', { level: 1, name: WITH_DOMAINS }).waitFor()
  const accessions = (await ask(`${V2}/proteins?format=tsv&fields=accession&limit=1000`)).trimEnd().split('\n').slice(1)
  await paste(accessions.join('\n'))
  await page.getByText('1,000 proteins, of which the first 100 are shown').waitFor()
  const fasta = await download(page, act(page.getByRole('button', { name: 'FASTA' }).click()))
  assert.equal(fasta.split('>').length - 1, 1000)
})

task('g: back, again, and one page before', async (page, act) => {
  await page.goto('/portal/search?pfam=PF00005&limit=20')
  await act(page.getByRole('link', { name: 'Next page' }).click())
  await page.getByText('21–40 of 48').waitFor()
  await act(page.getByRole('link', { name: 'Next page' }).click())
  await page.getByText('41–48 of 48').waitFor()
  await act(page.getByRole('link', { name: 'Previous page' }).click())
  await page.getByText('21–40 of 48').waitFor()
  await act(page.reload())
  await page.getByText('21–40 of 48').waitFor()
  await act(page.goBack())
  await page.getByText('41–48 of 48').waitFor()
})

task('h: the same as a request', async (page, act) => {
  await page.goto('/portal/search?clan=CL0023&any_biome=root:Environmental&any_biome=root:Host-associated')
  const shown = await page.locator('tbody td:nth-child(2)').allInnerTexts()
  await page.evaluate(() => navigator.clipboard.writeText(''))
  await act(page.getByRole('button', { name: 'Copy the curl line: This page' }).click())
  await page.locator('#told', { hasText: 'Copied.' }).waitFor({ state: 'attached' })
  const line = await page.evaluate(() => navigator.clipboard.readText())
  const { results } = await askJson(line.slice("curl '".length, -1))
  assert.deepEqual(results.map(({ accession }) => accession), shown)
})

task('i: what is wrong in a profile stands at its field', async (page, act) => {
  await page.goto('/portal/profile')
  await page.getByLabel('Token').fill(site.token)
  await act(page.getByRole('button', { name: 'Show the profile' }).click())
  const value = page.locator('#profile textarea').first()
  await value.waitFor()
  await act(value.fill('x'.repeat(5000)))
  await act(page.getByRole('button', { name: 'Save' }).click())
  await page.locator('#profile .problem', { hasText: 'It has more than 4096 characters.' }).waitFor()
  assert.equal(await value.getAttribute('aria-invalid'), 'true')
  const { width } = await value.boundingBox()
  assert.ok(width < 1000, `${width} px wide`)
})

onPage('a list of 100,000 accessions fits into the box', {}, async page => {
  await page.goto('/portal/')
  const list = Array.from({ length: 99_999 }, (_, index) => `MGYP${String(index + 1).padStart(12, '0')}`).join(' ')
  await page.locator('#find').evaluate((box, list) => (box.value = list), `${WITH_BIOMES} ${list}`)
  await Promise.all([page.waitForURL(/find$/), page.getByRole('button', { name: 'Find' }).click()])
  await page.getByText('99,999 of no protein').waitFor()
})

runDeclared('Researchers get what they come for')
