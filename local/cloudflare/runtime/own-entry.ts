import type { PlannedWorker } from '../workerd/plan.ts'

/**
 * The name of a second entrypoint for a worker's default export, which bypasses the asset router. The router
 * drops queue batches, and a request through it takes four times as long to reach the worker (measured).
 */
export const OWN_ENTRY = 'SlipwayWorker'

/**
 * Returns whether the worker has this second entrypoint. Without assets there is no asset router to bypass, and without handlers no code to
 * reach.
 */
export function hasOwnEntry({ content }: PlannedWorker): boolean {
  return content.assets !== null && content.handlers.length > 0
}

/** Returns the source that is appended to the entry module. */
export function ownEntrySource(mainModule: string): string {
  return `export { default as ${OWN_ENTRY} } from ${JSON.stringify(`./${mainModule}`)}\n`
}

/** Returns a function that tells whether a path reaches the worker before its assets; null when no path does. */
export function workerFirstPaths(worker: PlannedWorker): ((path: string) => boolean) | null {
  const rule = hasOwnEntry(worker) ? worker.content.assets?.config.run_worker_first : undefined
  if (rule === undefined || rule === false) return null
  if (rule === true) return () => true
  const toMatcher = (patterns: string[]) => {
    const expressions = patterns.map(toExpression)
    return (path: string) => expressions.some((expression) => expression.test(path))
  }
  // As in the provider's asset router, an exception (`!/path`) takes precedence over every rule.
  const isFirst = toMatcher(rule.filter((pattern) => !pattern.startsWith('!')))
  const isException = toMatcher(
    rule.filter((pattern) => pattern.startsWith('!')).map((text) => text.slice(1)),
  )
  return (path) => isFirst(path) && !isException(path)
}

/** Converts a pattern to a regular expression. `*` matches any string; every other character matches itself. */
function toExpression(pattern: string): RegExp {
  return new RegExp(`^${pattern.split('*').map(RegExp.escape).join('.*')}$`)
}
