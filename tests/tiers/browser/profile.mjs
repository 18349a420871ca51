// Profiles are read and changed with a token that stays in the memory of the page.

import assert from 'node:assert/strict'

import { showProfile } from './pages.mjs'
import { askJson, onPage, runDeclared, site } from './site.mjs'

const DOMAIN = `/portal/domains/${site.domain}`

const authorization = { Authorization: `Bearer ${site.token}` }

const OWN = '/my/profile'

const DOMAIN_PROFILE = `/domains/${site.domain}/profile`

const read = path => askJson(path, { headers: authorization })

/** Changes a profile behind the back of the page. */
async function change(path, attributes) {
  const { reference } = await read(path)
  await askJson(`/profiles/${reference}`, {
    method: 'PATCH',
    headers: { ...authorization, 'Content-Type': 'application/json' },
    body: JSON.stringify(attributes),
  })
}

onPage('an own profile is read, edited and saved, and the token is kept nowhere', {}, async (page, context) => {
  await change(OWN, { note: site.script })
  const urls = []
  page.on('request', request => urls.push(request.url()))
  await page.goto('/portal/profile')
  await page.getByLabel('Token').fill('nonsense')
  await page.getByRole('button', { name: 'Show the profile' }).click()
  await page.getByRole('alert').waitFor()

  await showProfile(page)
  const value = page.getByLabel('Value of note', { exact: true })
  assert.equal(await value.inputValue(), site.script, 'it stays a text')
  await value.fill(`${site.script} and more`)
  await page.getByRole('button', { name: 'Add an attribute' }).click()
  await page.getByLabel('Name of the new attribute').fill('colour')
  await page.getByLabel('Value of colour').fill('green')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.', { exact: true }).waitFor()
  const { attributes } = await read(OWN)
  assert.equal(attributes.note, `${site.script} and more`)
  assert.equal(attributes.colour, 'green')

  await page.getByRole('button', { name: 'Remove colour' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.waitForFunction(() => !document.querySelector('[aria-label="Value of colour"]'))
  assert.ok(!('colour' in (await read(OWN)).attributes))

  const kept = await page.evaluate(async () =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, history.state, document.documentElement.outerHTML, await indexedDB.databases(), await caches.keys()]),
  )
  assert.ok(!kept.includes(site.token), 'the token is kept')
  assert.deepEqual((await context.storageState()).cookies, [])
  assert.ok(urls.every(url => !url.includes(site.token.slice(0, 40))), 'the token is in an address')

  // A user who returns has to paste it again.
  await page.goto('/portal/status')
  await page.goBack()
  await page.getByLabel('Token').waitFor()
  assert.equal(await page.getByLabel('Token').inputValue(), '')
  assert.equal(await page.locator('#profile').innerText(), '')
})

onPage('what a schema refuses is told at its field, and a conflict is explained', {}, async page => {
  await change(DOMAIN_PROFILE, { cost_center: 'ABC123' })
  await page.goto('/portal/profile')
  await page.getByLabel('Profile of a group').fill(site.domain)
  await page.getByRole('button', { name: 'Open' }).click()
  await page.waitForURL(url => url.pathname === DOMAIN)
  await showProfile(page)
  const centre = page.getByLabel('Value of cost_center')
  await centre.fill('nonsense')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/^Not saved\./).waitFor()
  assert.equal(await centre.getAttribute('aria-invalid'), 'true')
  const told = page.locator(`[id="${await centre.getAttribute('aria-describedby')}"]`)
  assert.notEqual(await told.innerText(), '')
  assert.ok(await centre.evaluate(input => input === document.activeElement), 'focus is where the fault is')
  await centre.fill('DEF456')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.', { exact: true }).waitFor()
  assert.equal((await read(DOMAIN_PROFILE)).attributes.cost_center, 'DEF456')

  await change(DOMAIN_PROFILE, { cost_center: 'GHI789', city: 'Hinxton' })
  await centre.fill('JKL000')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/someone else has changed this profile/).waitFor()
  await page.getByText('GHI789').waitFor()
  assert.equal(await centre.inputValue(), 'JKL000', 'what was typed is not lost')
  assert.equal(await page.getByLabel('Value of city').inputValue(), 'Hinxton')
  assert.equal((await read(DOMAIN_PROFILE)).attributes.cost_center, 'GHI789', 'nothing was overwritten')
  await page.getByRole('button', { name: 'Save again' }).click()
  await page.getByText('Saved.', { exact: true }).waitFor()
  const { cost_center, city } = (await read(DOMAIN_PROFILE)).attributes
  assert.deepEqual([cost_center, city], ['JKL000', 'Hinxton'])
})

runDeclared('Profiles are read and changed')
