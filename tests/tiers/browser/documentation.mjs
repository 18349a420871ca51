// The documentation of the services: people find their way and operations, and its examples have hits.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { SERVICES } from './pages.mjs'
import { askJson, onPage, runDeclared, site } from './site.mjs'

// The demo has none of these, has only a part of those, or they need a token or a search.
const WITHOUT_DATA = /super-studies|genome|cogs|my-data|searches|\/runs\/|\/analyses\/|\/assemblies\/|annotations|\/members/

for (const [title, path] of Object.entries(SERVICES)) {
  onPage(`${title}: groups are folded, and the bar leads home, to the manual and to all services`, {}, async page => {
    await page.goto(`${path}/docs/`)
    await page.locator('.opblock-tag').first().waitFor()
    assert.equal(await page.title(), `${title} · mgdex API`)
    assert.equal(await page.locator('.opblock').count(), 0)
    const links = await page.getByRole('navigation').getByRole('link').all()
    assert.deepEqual(await Promise.all(links.map(link => link.textContent())), ['mgdex', 'Manual', ...Object.keys(SERVICES)])
    for (const link of links) {
      const answer = await fetch(await link.evaluate(({ href }) => href))
      assert.equal(answer.status, 200, answer.url)
    }
    assert.equal(await page.getByRole('link', { name: title, exact: true }).getAttribute('aria-current'), 'page')
  })
}

onPage('operations are found by their words', {}, async page => {
  await page.goto(`${SERVICES['Catalogue, version 1']}/docs/`)
  await page.getByLabel('Find operations').fill('top10')
  await page.locator('.opblock-summary-path', { hasText: 'top10' }).waitFor()
  assert.equal(await page.locator('.opblock').count(), 1)
  await page.getByLabel('Find operations').fill('')
  await page.locator('.opblock-tag').nth(5).waitFor()
  await page.waitForFunction(() => !document.querySelector('.opblock'))
})

runDeclared('the documentation of the services')

describe('examples of the documentation have hits', { concurrency: 2 }, () => {
  for (const [title, prefix] of Object.entries(SERVICES)) {
    if (prefix !== SERVICES.Profiles) it(title, () => checkExamples(prefix))
  }
})

/** Sends each request of a description with the examples of its parameters, as the page does. */
async function checkExamples(prefix) {
  const { paths } = await askJson(`${prefix}/openapi.json`)
  const faults = []
  for (const [path, { get }] of Object.entries(paths)) {
    if (!get || WITHOUT_DATA.test(path)) continue
    const url = new URL(path, site.url)
    for (const { name, in: place, example, schema } of get.parameters ?? []) {
      const value = example ?? schema.default ?? schema.example
      if (value === undefined) continue
      if (place === 'path') url.pathname = decodeURI(url.pathname).replace(`{${name}}`, encodeURIComponent(value))
      if (place === 'query') url.searchParams.set(name, value)
    }
    const answer = await fetch(url)
    const text = await answer.text()
    if (answer.status !== 200 || text.length < 3) faults.push(`${answer.status} ${url}: ${text.slice(0, 100)}`)
  }
  assert.deepEqual(faults, [])
}
