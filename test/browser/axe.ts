import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

/** The rules of WCAG 2.2, levels A and AA. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** The rules about colors. Only these rules depend on the theme. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

interface Violation {
  id: string
  nodes: { target: string[] }[]
}

/** The script that is injected below defines this variable. */
declare const axe: { run(context: object, options: object): Promise<{ violations: Violation[] }> }

const source = readFileSync(
  createRequire(import.meta.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
  'utf8',
)

/**
 * Runs axe on the current page and returns the rule and the element of each violation. The script is injected
 * at the first call, because its half a megabyte would slow down every page load.
 */
export async function findViolations(page: Page, which: 'all' | 'colours'): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source)
  const runOnly = which === 'all' ? RULES : COLOUR_RULES
  const violations = await page.evaluate(async (runOnly) => {
    const results = await axe.run({ exclude: [['iframe']] }, { runOnly, resultTypes: ['violations'] })
    return results.violations
  }, runOnly)
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} at ${target.join(' ')}`))
}
