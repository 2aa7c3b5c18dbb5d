import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { BrowserContext, Page } from 'playwright-core'

/** WCAG 2.2, levels A and AA. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** The rules about colours, the only ones that depend on the theme. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

interface Violation {
  id: string
  nodes: { target: string[] }[]
}

/** Defined by the script that is injected below. */
declare const axe: { run(context: object, options: object): Promise<{ violations: Violation[] }> }

const source = readFileSync(
  createRequire(import.meta.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
  'utf8',
)

/** Injects axe into every page of a context, once per page, except into built apps. */
export async function bringAxe(context: BrowserContext): Promise<void> {
  await context.addInitScript({ content: `if (top === self) {${source}}` })
}

/** Runs axe on the current page; returns the rule and the element of each violation. */
export async function findViolations(page: Page, which: 'all' | 'colours'): Promise<string[]> {
  const runOnly = which === 'all' ? RULES : COLOUR_RULES
  const violations = await page.evaluate(async (runOnly) => {
    const results = await axe.run({ exclude: [['iframe']] }, { runOnly, resultTypes: ['violations'] })
    return results.violations
  }, runOnly)
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} at ${target.join(' ')}`))
}
