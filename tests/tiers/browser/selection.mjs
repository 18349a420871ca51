// Proteins are selected over pages of results, and stay selected until they are cleared.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'

import { onPage, runDeclared } from './site.mjs'

const HITS = '/portal/search?pfam=PF00005&limit=20'

onPage('a selection lasts over pages and searches', {}, async page => {
  const count = page.locator('.selection output')
  const compare = page.getByRole('button', { name: 'Compare selected' })
  const similar = page.getByRole('button', { name: 'Find similar to selected' })
  const all = page.getByRole('checkbox', { name: 'Select all on this page' })
  await page.goto(HITS)
  assert.equal(await count.innerText(), 'None selected')
  assert.ok(await compare.isDisabled())
  await all.check()
  assert.equal(await count.innerText(), '20 selected')
  const first = await page.locator('tbody input').first().getAttribute('value')
  await page.getByRole('link', { name: 'Next page' }).click()
  await page.waitForURL(/after=/)
  const second = page.locator('tbody input').nth(1)
  assert.ok(!(await second.isChecked()) && !(await all.isChecked()))
  await second.check()
  assert.equal(await count.innerText(), '21 selected')
  assert.ok(await all.evaluate(box => box.indeterminate))
  assert.ok(await similar.isDisabled(), 'a search has one query')

  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'FASTA of selected' }).click()])
  const heads = (await readFile(await file.path(), 'utf8')).match(/^>\S+/gm)
  assert.equal(heads.length, 21)
  assert.ok(heads.includes(`>${first}`) && heads.includes(`>${await second.getAttribute('value')}`))
  await compare.click()
  await page.getByText('21 proteins', { exact: true }).waitFor()

  await page.goto('/portal/search?limit=5')
  assert.equal(await count.innerText(), '21 selected')
  await page.getByRole('button', { name: 'Clear selection' }).click()
  assert.equal(await count.innerText(), 'None selected')
  await page.goto(HITS)
  assert.equal(await page.locator('tbody input:checked').count(), 0)
  await page.locator('tbody input').first().check()
  await similar.click()
  await page.waitForURL(/\/portal\/similar\?/)
  assert.match(await page.locator('textarea[name="query"]').inputValue(), new RegExp(first))
})

onPage('a selection has at most 1,000 proteins', {}, async page => {
  const count = page.locator('.selection output')
  await page.goto('/portal/search?limit=1000')
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  assert.equal(await count.innerText(), '1,000 selected')
  await page.getByRole('link', { name: 'Next page' }).click()
  await page.waitForURL(/after=/)
  const box = page.locator('tbody input').first()
  await box.click()
  assert.equal(await count.innerText(), '1,000 selected, the maximum')
  assert.ok(!(await box.isChecked()))
})

onPage('tabs share a selection, which lasts for its page if the browser cannot keep it', {}, async (page, context) => {
  const other = await context.newPage()
  for (const tab of [page, other]) await tab.goto(HITS)
  const boxes = page.locator('tbody input')
  await boxes.nth(0).check()
  await other.locator('.selection output', { hasText: '1 selected' }).waitFor()
  await other.locator('tbody input').nth(1).check()
  await page.locator('.selection output', { hasText: '2 selected' }).waitFor()
  await page.evaluate(() => (Storage.prototype.setItem = () => { throw new Error('It is full.') }))
  for (const number of [2, 3]) await boxes.nth(number).check()
  await page.locator('.selection output', { hasText: '4 selected' }).waitFor()
})

onPage('without scripts check boxes select proteins of one page', { javaScriptEnabled: false }, async page => {
  await page.goto(HITS)
  assert.equal(await page.locator('.scripted:visible').count(), 0)
  await page.locator('tbody input').first().check()
  await page.locator('tbody input').last().check()
  await page.getByRole('button', { name: 'Compare selected' }).click()
  await page.getByText('2 proteins', { exact: true }).waitFor()
})

runDeclared('selected proteins')
