import type { PlannedWorker } from './plan.ts'

/**
 * A second way to a worker's default export. A binding to a worker with assets leads through its asset router, which
 * drops batches of messages; a binding to a named export leads past it.
 */
export const EVENTS_ENTRY = 'SlipwayEvents'

export function needsEventsEntry({ content }: PlannedWorker): boolean {
  return content.assets !== null && content.handlers.includes('queue')
}

/** What the entry module exports besides its own. */
export function eventsEntrySource(mainModule: string): string {
  return `export { default as ${EVENTS_ENTRY} } from ${JSON.stringify(`./${mainModule}`)}\n`
}
