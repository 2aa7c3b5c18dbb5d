import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'

// Checks use roles and labels only, because the layout of a page is the model's choice.

/** The first visible form control with this label. */
export function control(page: Page, label: RegExp): Locator {
  return page.getByLabel(label).locator('visible=true').first()
}

/** Fills the form controls by their labels and submits the form. */
export async function addRecord(
  page: Page,
  values: readonly [label: RegExp, value: string][],
): Promise<void> {
  const open = page.getByRole('button', { name: /^(new|add)\b/i }).first()
  const [first] = values[0] ?? []
  // Some apps keep the form behind a button.
  if (first !== undefined && (await page.getByLabel(first).locator('visible=true').count()) === 0)
    await open.click()
  for (const [label, value] of values) await setControl(control(page, label), value)
  await sendForm(page)
}

async function setControl(field: Locator, value: string): Promise<void> {
  const options = await field.locator('option').allInnerTexts()
  if (options.length === 0) return field.fill(value)
  // A model may capitalize an option.
  const label = options.find((text) => text.trim().toLowerCase() === value.toLowerCase())
  assert.ok(label, `no option ${value} among ${options.join(', ')}`)
  await field.selectOption({ label })
}

/** Presses the form's submit button. */
export function sendForm(page: Page): Promise<void> {
  return page
    .getByRole('button', { name: /^(add|save|create|submit|send|log|record)\b/i })
    .locator('visible=true')
    .last()
    .click()
}

/** Waits until the page shows this text. */
export function sees(page: Page, text: string | RegExp): Promise<void> {
  return page.getByText(text).locator('visible=true').first().waitFor()
}

/** Fails when this text is on the page, now or a moment later. */
export async function seesNot(page: Page, text: string | RegExp): Promise<void> {
  await page.getByRole('heading').first().waitFor()
  await page.waitForTimeout(500)
  assert.equal(
    await page.getByText(text).locator('visible=true').count(),
    0,
    `the page shows ${String(text)}`,
  )
}

/** Opens a page by its menu entry. */
export async function openFromMenu(page: Page, name: RegExp): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name }).first().click()
}
