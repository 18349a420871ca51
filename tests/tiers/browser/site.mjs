// The site under test, and its watched pages: any error on them fails the test.

import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { chromium } from 'playwright-core'

/** Where the site is, and what it has: an argument of the command. */
export const site = JSON.parse(process.argv[2])

const browser = await chromium.launch({ executablePath: site.browser, args: ['--no-sandbox'] })

after(() => browser.close())

export const DESKTOP = { width: 1600, height: 1000 }
export const PHONE = { width: 320, height: 800 }

const PATIENCE_MS = 20_000

// The messages of the browser itself when an answer is not a success or the network is cut.
const BROWSER_MESSAGES = /^Failed to load resource: (the server responded with a status of 4|net::ERR_INTERNET_DISCONNECTED)/

const declared = []

/** Declares a test on a page of a context of its own, which nothing may go wrong on. */
export function onPage(name, options, run) {
  declared.push([name, options, run])
}

/** Runs the tests that were declared, some at a time. */
export function runDeclared(title, concurrency = 2) {
  const tests = declared.splice(0)
  describe(title, { concurrency }, () => {
    for (const [name, options, run] of tests) it(name, () => visit(options, run))
  })
}

/** Opens a page of a context of its own, and fails if anything goes wrong on it. */
export async function visit(options, run) {
  const visitor = await watched(options)
  try {
    await run(visitor.page, visitor.context)
  } finally {
    await visitor.context.close()
  }
  assert.deepEqual(visitor.faults, [])
}

/**
 * Returns a function that runs tests that only look at pages: each gets the page that an earlier
 * one has left, if there is one.
 */
export function lookers(options) {
  const idle = []
  return async run => {
    const visitor = idle.pop() ?? (await watched(options))
    try {
      await run(visitor.page)
    } finally {
      idle.push(visitor)
    }
    assert.deepEqual(visitor.faults.splice(0), [])
  }
}

async function watched(options) {
  const context = await browser.newContext({ baseURL: site.url, viewport: DESKTOP, colorScheme: 'light', ...options })
  context.setDefaultTimeout(PATIENCE_MS)
  const faults = []
  context.on('request', request => {
    const isOwn = request.url().startsWith(`${site.url}/`) || /^(data|blob):/.test(request.url())
    if (!isOwn) faults.push(`a request leaves the host: ${request.url()}`)
  })
  context.on('console', message => {
    // A refused style or script is an error too.
    if (message.type() === 'error' && !BROWSER_MESSAGES.test(message.text())) faults.push(`${message.page()?.url()}: ${message.text()}`)
  })
  // Input from people is never too long for an address.
  context.on('response', answer => {
    if (answer.status() === 414) faults.push(`414: ${answer.url().slice(0, 200)}`)
  })
  context.on('weberror', ({ error }) => faults.push(String(error())))
  context.on('dialog', dialog => {
    faults.push(`a script runs: ${dialog.message()}`)
    return dialog.dismiss()
  })
  return { page: await context.newPage(), context, faults }
}

/** Waits until what a page was told is painted. */
export function settled(page) {
  return page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))))
}

/** Asks the interface, and returns the answer as text. */
export async function ask(path, options) {
  const answer = await fetch(new URL(path, site.url), options)
  assert.ok(answer.ok, `${path}: ${answer.status}`)
  return answer.text()
}

/** Asks the interface, and returns the answer as JSON. */
export async function askJson(path, options) {
  return JSON.parse(await ask(path, options))
}
