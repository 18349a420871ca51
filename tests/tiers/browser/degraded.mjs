// Without scripts, without motion, and without a network.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, it } from 'node:test'

import { PAGES, WITH_BIOMES, WITH_DOMAINS, open } from './pages.mjs'
import { lookers, onPage, runDeclared } from './site.mjs'

const look = lookers({ javaScriptEnabled: false })

describe('without scripts every page has its data', () => {
  for (const { name, path, status = 200, data } of PAGES) {
    it(name, () =>
      look(async page => {
        const answer = await page.goto(path)
        assert.equal(answer.status(), status)
        if (data === undefined) {
          assert.match(await page.locator('noscript').innerText(), /^This page needs JavaScript/)
          assert.equal(await page.locator('main form:visible').count(), 0)
          return
        }
        for (const selector of data.split(', ')) assert.ok(await page.locator(selector).first().isVisible(), selector)
        // Elements that need a script are absent.
        assert.equal(await page.locator('figure.map canvas:visible, button.copy:visible').count(), 0)
      }),
    )
  }
})

onPage('without scripts one finds and leafs through', { javaScriptEnabled: false }, async page => {
  await page.goto('/portal/')
  await page.locator('#find').fill('PF00005')
  await page.getByRole('button', { name: 'Find' }).click()
  await page.getByRole('heading', { level: 1, name: 'PF00005' }).waitFor()
  await page.locator('.facts a').first().click()
  await page.getByLabel('Minimum length (residues)').fill('100')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.waitForURL(/pfam=PF00005&min_length=100/)
  await page.locator('tbody a').first().click()
  await page.locator('.sequence').waitFor()
})

onPage('without scripts one filters, sorts, and compares a list from a file', { javaScriptEnabled: false }, async page => {
  await page.goto('/portal/search')
  await page.locator('.choices').getByRole('link', { name: /ABC transporter PF00005/ }).click()
  await page.getByRole('heading', { name: '48 proteins' }).waitFor()
  await page.getByRole('link', { name: /^Length/ }).click()
  await page.locator('th[aria-sort="descending"]').waitFor()
  const accessions = await page.locator('.hits tbody td:nth-child(2)').allInnerTexts()
  await page.goto('/portal/compare')
  await page.getByLabel('Or choose a text file of accessions').setInputFiles({ name: 'list.txt', mimeType: 'text/plain', buffer: Buffer.from([...accessions, 'nope'].join('\n')) })
  await page.getByRole('button', { name: 'Compare' }).click()
  await page.getByRole('heading', { name: 'Side by side' }).waitFor()
  await page.getByText('1 malformed: nope').waitFor()
})

onPage('without scripts a list is filtered, ordered and downloaded', { javaScriptEnabled: false }, async page => {
  await page.goto('/portal/samples?page_size=5')
  assert.match(await page.locator('noscript').innerText(), /^With JavaScript, a map shows/)
  const biome = page.locator('.counted li', { hasText: 'Terrestrial' }).first()
  const count = await biome.locator('.count').innerText()
  await biome.getByRole('link').click()
  await page.getByRole('heading', { name: `${count} results` }).waitFor()
  await page.getByLabel('Sort by').selectOption('accession')
  await page.getByRole('button', { name: 'Sort', exact: true }).click()
  await page.waitForURL(/ordering=accession/)
  const shown = await page.locator('.resources tbody th').allInnerTexts()
  assert.deepEqual(shown, shown.toSorted())
  assert.equal(await page.locator('#results').innerText(), `${count} results`)
  await page.locator('#downloads').click()
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'NDJSON' }).click()])
  const text = await readFile(await file.path(), 'utf8')
  assert.equal(text.trimEnd().split('\n').length.toLocaleString('en'), count)
})

onPage('without scripts pictures lead on, and words are explained', { javaScriptEnabled: false }, async page => {
  await page.goto('/portal/')
  await page.locator('[data-plot=biomes]').getByRole('link', { name: /^Aquatic: [\d,]+ proteins$/ }).click()
  await page.getByRole('heading', { level: 1, name: 'Aquatic' }).waitFor()
  await page.goto(`/portal/proteins/${WITH_DOMAINS}`)
  assert.equal(await page.locator('figure[data-plot=domains] svg a:visible').count(), await page.locator('#hits tbody tr').count())
  await page.locator('figure[data-plot=domains] svg a').first().click()
  assert.ok(await page.locator('#hits tr:target').isVisible())
  const [question, meaning] = [page.getByRole('button', { name: /^Definition: Full length/ }).first(), page.locator('#what-full-length')]
  assert.ok(await meaning.isHidden())
  await question.click()
  assert.ok(await meaning.isVisible())
  await meaning.getByRole('link', { name: 'Glossary' }).click()
  assert.ok(await page.locator('dt:target, dt:has(+ dd:target), :target').first().isVisible())
})

onPage('without scripts a list in the box is compared', { javaScriptEnabled: false }, async page => {
  await page.goto('/portal/')
  await page.locator('#find').fill(`${WITH_DOMAINS}, ${WITH_BIOMES} MGYP999999999999`)
  await page.getByRole('button', { name: 'Find' }).click()
  await page.getByRole('heading', { name: 'Side by side' }).waitFor()
  await page.getByText(/^1 unknown: MGYP999999999999/).waitFor()
})

onPage('nothing moves for those who want no motion', { reducedMotion: 'reduce' }, async page => {
  for (const path of ['/portal/', `/portal/proteins/${WITH_DOMAINS}`, '/portal/samples?page_size=5']) {
    await page.goto(path)
    const moving = await page.evaluate(() =>
      [...document.querySelectorAll('*')].filter(element => {
        const style = getComputedStyle(element)
        return style.scrollBehavior !== 'auto' || parseFloat(style.transitionDuration) > 0 || style.animationName !== 'none'
      }).length,
    )
    assert.equal(moving, 0, path)
    assert.equal(await page.evaluate(() => document.getAnimations().length), 0, path)
  }
})

onPage('when the network is cut, a page stays as it is', {}, async (page, context) => {
  for (const name of ['home', 'protein-domains', 'samples']) {
    await open(page, PAGES.find(asked => asked.name === name))
    await context.setOffline(true)
    const before = await page.locator('main').innerText()
    const failed = page.waitForEvent('requestfailed')
    await page.locator('#find').fill('mari')
    assert.match((await failed).url(), /completion/)
    assert.equal(await page.locator('#suggestions option').count(), 0)
    assert.equal(await page.locator('main').innerText(), before)
    if (name === 'protein-domains') {
      await page.locator('#hits tbody tr').first().locator('td').nth(3).click()
      await page.locator('figure[data-plot=domains] .marked').waitFor()
    }
    if (name === 'samples') {
      const drawn = await page.locator('figure.map canvas').evaluate(canvas => canvas.toDataURL())
      await page.getByRole('button', { name: 'Zoom in' }).click()
      await page.waitForFunction(drawn => document.querySelector('figure.map canvas').toDataURL() !== drawn, drawn)
    }
    await context.setOffline(false)
    // With the network, the same words are completed again.
    await page.locator('#find').fill('marin')
    await page.locator('#suggestions option').first().waitFor({ state: 'attached' })
  }
})

onPage('a page of a profile says that the server cannot be reached', {}, async (page, context) => {
  await open(page, PAGES.find(asked => asked.name === 'domain-profile'))
  await page.getByLabel('Value of address').fill('elsewhere')
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The server cannot be reached').waitFor()
  assert.equal(await page.getByLabel('Value of address').inputValue(), 'elsewhere')
})

runDeclared('Without scripts, motion or a network')
