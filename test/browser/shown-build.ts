import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import type { SequencedFrame } from '@slipway/sdk/frames.ts'
import { initialBuild, reduceBuild } from '../../console/state/builds/build-state.ts'
import type { Person } from '../support/client.ts'

interface ShownStep {
  text: string
  tools: string[]
}

/**
 * Asserts that the page shows exactly what the service has stored of the latest run: every step, text and
 * tool call once and in order, and every file. Does not reload the page.
 */
export async function assertShowsStored(page: Page, person: Person, projectId: string): Promise<void> {
  const { items } = await person.call<{ items: { id: string }[] }>(`GET /projects/${projectId}/runs`)
  const frames = await person.call<SequencedFrame[]>(
    `GET /projects/${projectId}/runs/${items[0]?.id ?? ''}/events`,
  )
  assert.deepEqual(
    frames.map((frame) => frame.seq),
    frames.map((_, index) => index + 1),
    'the service has stored every frame once',
  )
  const state = frames.reduce(reduceBuild, initialBuild)
  const stored = state.steps.map((step): ShownStep => ({
    text: step.text.trim(),
    tools: step.tools.map((tool) => tool.path ?? ''),
  }))
  await page.getByText('Build log, step by step').click()
  const log = page.getByRole('log')
  await log.waitFor()
  assert.deepEqual(await readSteps(log), stored)
  const shownFiles = await page
    .getByRole('region', { name: /^Files/ })
    .locator('ul code')
    .allInnerTexts()
  assert.deepEqual(
    shownFiles,
    state.files.map((file) => file.path),
  )
}

async function readSteps(log: Locator): Promise<ShownStep[]> {
  const steps = await log.locator('> ol > li').all()
  return Promise.all(
    steps.map(async (step) => {
      const words = await step.locator('> p').allInnerTexts()
      const calls = await step.locator('> ul > li').all()
      return {
        text: words.join('\n'),
        tools: await Promise.all(
          calls.map(async (call) => (await call.locator('code').allInnerTexts()).join()),
        ),
      }
    }),
  )
}
