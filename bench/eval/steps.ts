import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { CHECK_LIMITS } from './run-checks.ts'

const UPLOAD_MS = 5000

// These steps find elements by role and label only, because the layout of a page is the model's choice.

/** The first visible form control with this label. */
export function control(page: Page, label: RegExp): Locator {
  return page.getByLabel(label).locator('visible=true').first()
}

/** Opens the form with this field. Some apps show the form only after a button was pressed. */
export async function openForm(page: Page, label: RegExp): Promise<void> {
  const open = page.getByRole('button', { name: /^(new|add)\b/i }).first()
  if ((await page.getByLabel(label).locator('visible=true').count()) === 0) await open.click()
}

export async function addRecord(
  page: Page,
  values: readonly [label: RegExp, value: string][],
): Promise<void> {
  const [first] = values[0] ?? []
  if (first !== undefined) await openForm(page, first)
  for (const [label, value] of values) await setControl(control(page, label), value)
  await sendForm(page)
}

async function setControl(field: Locator, value: string): Promise<void> {
  const options = await field.locator('option').allInnerTexts()
  if (options.length === 0) return field.fill(value)
  // Ignore the case, because a model may capitalize an option.
  const label = options.find((text) => text.trim().toLowerCase() === value.toLowerCase())
  assert.ok(label, `no option ${value} among ${options.join(', ')}`)
  await field.selectOption({ label })
}

export function sendForm(page: Page): Promise<void> {
  return page
    .getByRole('button', { name: /^(add|save|create|submit|send|log|record)\b/i })
    .locator('visible=true')
    .last()
    .click()
}

/** Waits until the page shows this text. */
export function expectText(page: Page, text: string | RegExp): Promise<void> {
  return page.getByText(text).locator('visible=true').first().waitFor()
}

/** Throws when this text is on the page now, or appears a moment later. */
export async function expectNoText(page: Page, text: string | RegExp): Promise<void> {
  await page.getByRole('heading').first().waitFor()
  await page.waitForTimeout(500)
  assert.equal(
    await page.getByText(text).locator('visible=true').count(),
    0,
    `the page shows ${String(text)}`,
  )
}

export async function openFromMenu(page: Page, name: RegExp): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name }).first().click()
}

/** Signs a person in on the app's sign-in page, and creates an account if there is none. Then opens the first page. */
export async function signIn(page: Page, name: string): Promise<void> {
  const email = `${name.toLowerCase()}@example.test`
  const password = `${name} likes apples`
  const enter = async (button: string) => {
    await page.getByLabel('Email', { exact: true }).fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: button, exact: true }).click()
  }
  const account = page.getByRole('link', { name, exact: true }).first()
  await page.goto(new URL('/sign-in', page.url()).href)
  await enter('Sign in')
  await account.or(page.getByRole('alert')).first().waitFor()
  if (await account.isVisible()) return
  await page.getByRole('button', { name: 'Create an account' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await enter('Create an account')
  await account.waitFor()
}

/** Acts on the app's first page as another person, who is signed in to the app in a separate browser context. */
export async function asPerson(page: Page, name: string, act: (other: Page) => Promise<void>): Promise<void> {
  const browser = page.context().browser()
  assert.ok(browser)
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  try {
    const other = await context.newPage()
    other.setDefaultTimeout(CHECK_LIMITS.actionMs)
    await other.goto(new URL('/', page.url()).href)
    await signIn(other, name)
    await act(other)
  } finally {
    await context.close()
  }
}

/** Creates a team on the app's page for teams. Returns the link of an invitation to the team. */
export async function makeTeam(page: Page, name: string): Promise<string> {
  await page.goto(new URL('/teams', page.url()).href)
  await page.getByLabel('Team name').fill(name)
  await page.getByRole('button', { name: 'Create team' }).click()
  await page.getByRole('button', { name: 'Make link' }).click()
  return (await page.getByRole('status').locator('code').textContent()) ?? ''
}

/** Joins a team by the link of an invitation, then opens the first page. */
export async function joinTeam(page: Page, link: string): Promise<void> {
  await page.goto(link)
  await page.getByRole('button', { name: 'Join the team' }).click()
  await page.getByRole('button', { name: 'Join the team' }).waitFor({ state: 'hidden' })
  await page.goto(new URL('/', link).href)
}

export async function goHome(page: Page): Promise<void> {
  await page.goto(new URL('/', page.url()).href)
}

export async function choosePicture(page: Page, name: string): Promise<void> {
  const buffer = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  await page.locator('input[type=file]').first().setInputFiles({ name, mimeType: 'image/png', buffer })
  // Wait for the file name, which a form of `@slipway/app/react` shows after the upload. Another form may upload on submit, so continue if
  // no file name appears.
  await page
    .getByText(name)
    .first()
    .waitFor({ timeout: UPLOAD_MS })
    .catch(() => undefined)
}

/** Sends a request from the page, and therefore with the session of the page. Returns the status of the response. */
export function askApp(
  page: Page,
  path: string,
  init: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<number> {
  return page.evaluate(async ({ path, init }) => (await fetch(path, init)).status, { path, init })
}
