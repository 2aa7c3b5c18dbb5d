import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import * as z from 'zod'
import { ApiFailure } from '../rest/failure.ts'
import { fetchWorker } from '../workerd/worker-socket.ts'
import { startInstance, type StartSetup } from './instance.ts'
import type { GroupPlan, PlannedWorker } from '../workerd/plan.ts'

/** The exports of a worker. They are read from the running module, because the source does not show all exports. */
export interface Inspection {
  handlers: string[]
  namedHandlers: { name: string; handlers: string[] }[]
  startupTimeMs: number
}

const Exports = z.object({
  default: z.array(z.string()),
  named: z.record(z.string(), z.array(z.string())),
})

/**
 * Starts the uploaded worker (`candidate`) with all workers of its group in a temporary process, while the old process serves, so that a
 * broken module is refused before the old process ends. Returns the exports of `candidate`. Throws an `ApiFailure` when the temporary
 * process does not start.
 */
export async function validateBoot(
  plan: GroupPlan,
  candidate: PlannedWorker,
  setup: Omit<StartSetup, 'stateDir' | 'runFile' | 'onLog' | 'onRestart'> & { runDir: string },
): Promise<Inspection> {
  const logs: string[] = []
  const startedAt = performance.now()
  const hasCode = candidate.content.mainModule !== null
  const start = startInstance(plan, {
    ...setup,
    stateDir: null,
    runFile: join(setup.runDir, `boot-${randomUUID()}.json`),
    ...(hasCode ? { inspect: { script: candidate.script.name, source: inspectSource } } : {}),
    onLog: (message) => logs.push(message),
    onRestart: () => {},
  })
  const instance = await start.catch((error: unknown) => {
    throw new ApiFailure(400, 10021, startupProblem(logs, error))
  })
  try {
    const startupTimeMs = Math.round(performance.now() - startedAt)
    if (!hasCode) return { handlers: [], namedHandlers: [], startupTimeMs }
    const socket = instance.sockets.get(candidate.script.name)
    if (socket === undefined) throw new Error('the candidate is not in its own plan')
    const answer = await fetchWorker(socket, '/')
    const report = Exports.parse(await answer.json())
    const namedHandlers = Object.entries(report.named).map(([name, handlers]) => ({ name, handlers }))
    return { handlers: report.default, namedHandlers, startupTimeMs }
  } finally {
    await instance.dispose()
  }
}

/** Returns an entry module that imports the real one and responds with the names of its handlers. */
function inspectSource(mainModule: string): string {
  return `
export * from ${JSON.stringify(`./${mainModule}`)}
import * as entry from ${JSON.stringify(`./${mainModule}`)}
const methods = (value) => {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return []
  const target = typeof value === 'function' ? value.prototype : value
  if (target === undefined || target === null) return []
  // Read descriptors and not values: reading the value of a getter on a prototype would run the getter without an instance.
  const own = Object.entries(Object.getOwnPropertyDescriptors(target))
  const isOffered = ([name, one]) => name !== 'constructor' && (typeof value === 'function' || one.enumerable)
  return own.filter((one) => isOffered(one) && typeof one[1].value === 'function').map(([name]) => name)
}
const named = {}
for (const name of Object.keys(entry)) {
  if (name !== 'default' && typeof entry[name] === 'function') named[name] = methods(entry[name])
}
export default { fetch: () => Response.json({ default: methods(entry.default), named }) }
`
}

/** Removes internal names of services and workers from the runtime's error message. */
function startupProblem(logs: string[], error: unknown): string {
  const said = logs.filter((line) => !line.includes('MINIFLARE_'))
  const aboutWorkers = said.filter((line) => line.startsWith('service core:user:'))
  const text = (aboutWorkers.length > 0 ? aboutWorkers : said).join('\n')
  const plain = text.replaceAll(/^service core:user:\S+ /gm, '').replaceAll('core:user:', '')
  return (plain === '' ? errorMessage(error) : plain).slice(0, 4000)
}

function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
