import { Worker } from 'node:worker_threads'

const REGEX_MS_MAX = 1_000

// Runs in a thread of its own, because a pattern from outside can take for ever and only a thread can be ended.
const SOURCE = `
const { parentPort, workerData } = require('node:worker_threads')
const { files, pattern, max } = workerData
const wanted = new RegExp(pattern, 'i')
const hits = []
for (const [path, text] of files) {
  for (const [i, line] of text.split('\\n').entries()) {
    if (hits.length <= max && wanted.test(line)) hits.push(path + ':' + (i + 1) + ': ' + line.trim().slice(0, 200))
  }
}
parentPort.postMessage(hits)
`

/** Lines that match a regular expression; a pattern that needs more than a second is given up. */
export async function searchByPattern(
  files: [string, string][],
  pattern: string,
  max: number,
): Promise<{ hits: string[] } | { problem: string }> {
  try {
    RegExp(pattern, 'i')
  } catch (error) {
    return { problem: `pattern: ${error instanceof Error ? error.message : 'not a regular expression'}` }
  }
  const worker = new Worker(SOURCE, { eval: true, workerData: { files, pattern, max } })
  const { promise, resolve } = Promise.withResolvers<{ hits: string[] } | { problem: string }>()
  const timer = setTimeout(
    () => resolve({ problem: 'pattern: takes too long; use a simpler one' }),
    REGEX_MS_MAX,
  )
  worker.once('message', (hits: string[]) => resolve({ hits }))
  worker.once('error', (error: Error) => resolve({ problem: `pattern: ${error.message}` }))
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}
