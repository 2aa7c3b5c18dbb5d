import type { PlannedWorker } from './plan.ts'

/**
 * A second way to a worker's default export, past the asset router in front of it: that one drops batches of messages,
 * and costs four times as much as the start of a request in the worker itself (measured).
 */
export const OWN_ENTRY = 'SlipwayWorker'

export function hasOwnEntry({ content }: PlannedWorker): boolean {
  return content.assets !== null && content.handlers.length > 0
}

/** What the entry module exports besides its own. */
export function ownEntrySource(mainModule: string): string {
  return `export { default as ${OWN_ENTRY} } from ${JSON.stringify(`./${mainModule}`)}\n`
}

/** Whether a request to this path goes to the worker without a look at its files; null when none does. */
export function workerFirstPaths(worker: PlannedWorker): ((path: string) => boolean) | null {
  const rule = hasOwnEntry(worker) ? worker.content.assets?.config.run_worker_first : undefined
  if (rule === undefined || rule === false) return null
  if (rule === true) return () => true
  const matches = (patterns: string[]) => {
    const expressions = patterns.map(toExpression)
    return (path: string) => expressions.some((expression) => expression.test(path))
  }
  // As the provider's asset router judges: an exception wins over every rule.
  const isFirst = matches(rule.filter((pattern) => !pattern.startsWith('!')))
  const isException = matches(rule.filter((pattern) => pattern.startsWith('!')).map((text) => text.slice(1)))
  return (path) => isFirst(path) && !isException(path)
}

/** `*` stands for anything, everything else for itself. */
function toExpression(pattern: string): RegExp {
  return new RegExp(`^${pattern.split('*').map(RegExp.escape).join('.*')}$`)
}
