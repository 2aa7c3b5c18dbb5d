import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { BrowserContext, Page } from 'playwright-core'

/** WCAG 2.2, levels A and AA. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** The rules that look at colours: the only ones another theme can break. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

interface Violation {
  id: string
  nodes: { target: string[] }[]
}

/** What the function below finds in the page it is sent to. */
declare const axe: { run(context: object, options: object): Promise<{ violations: Violation[] }> }

const source = readFileSync(
  createRequire(import.meta.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
  'utf8',
)

/** Puts axe into every page of a context, once for each page and not for each look at it; not into built apps. */
export async function bringAxe(context: BrowserContext): Promise<void> {
  await context.addInitScript({ content: `if (top === self) {${source}}` })
}

/** What axe has to say about the page as it stands: a rule and a place each. */
export async function findViolations(page: Page, which: 'all' | 'colours'): Promise<string[]> {
  const runOnly = which === 'all' ? RULES : COLOUR_RULES
  const violations = await page.evaluate(async (runOnly) => {
    const results = await axe.run({ exclude: [['iframe']] }, { runOnly, resultTypes: ['violations'] })
    return results.violations
  }, runOnly)
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} at ${target.join(' ')}`))
}
