import { CAPABILITY_KEYS, type CapabilityKey } from '@slipway/runtime/capabilities.ts'
import { type AppTree, starterTree } from '../../agent/source/tree.ts'
import { capabilityOf } from '../../capability-catalog/catalog.ts'
import { appSaying } from '../../releases/testing.ts'
import type { CapabilitySample } from './capability-sample.ts'

const SAMPLES = await Promise.all(
  CAPABILITY_KEYS.map(async (key) => {
    const { sampleUse } = (await import(`../../capabilities/${key}/sample.testing.ts`)) as {
      sampleUse: CapabilitySample
    }
    return { key, ...sampleUse }
  }),
)

const MANIFEST = {
  slipway: 1,
  name: 'Everything',
  uses: CAPABILITY_KEYS,
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
  ...Object.assign({}, ...SAMPLES.map(({ manifest }) => manifest)),
}

/** What the app's operator sets besides enabling every capability. */
export const OPERATOR_CHANGES = SAMPLES.flatMap(({ key, operator }) =>
  operator === undefined ? [] : [{ key, ...operator }],
)

const IMPORTED = SAMPLES.flatMap(({ key, refusal, code, answer, routes, imports = [key] }) =>
  [refusal, code, answer, routes].some((text) => text !== undefined) ? imports : [],
)
const linesOf = (field: 'refusal' | 'code' | 'answer' | 'routes') =>
  SAMPLES.flatMap((sample) => sample[field] ?? [])

const ROUTES = `import { ${['auth', 'data', ...IMPORTED].join(', ')} } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.post('/letters', async (c) => {
  const person = await auth.require(c.req.raw)
  ${[...linesOf('refusal'), ...linesOf('code')].join('\n  ')}
  return c.json({ ${linesOf('answer').join(', ')} })
})
${linesOf('routes').join('\n')}
routes.get('/written', async (c) => c.json((await data.system.list('letters', {})).items))
`

const JOB = `import { data, type JobInfo } from '@slipway/app/server'

export default async (input: { to: string }, job: JobInfo) => {
  await data.system.create('letters', { text: 'to ' + input.to, attempt: job.attempt })
}
`

const FLOW = `import { data, type FlowStep } from '@slipway/app/server'

export default async (input: { to: string }, step: FlowStep) => {
  await step.do('answer', () => data.system.create('letters', { text: 'answer to ' + input.to, attempt: 0 }))
}
`

/**
 * Returns the files of an app that declares these capabilities, and whose route `/api/word` returns `word`. The app has no mailboxes,
 * because their collection needs `data`, and `email` does not depend on `data`.
 */
export function appUsing(keys: readonly CapabilityKey[], word: string): AppTree {
  const { slipway, name, pages } = MANIFEST
  const used = new Set(keys.flatMap((key) => capabilityOf(key).impliedBy)).difference(new Set(['mailboxes']))
  const fields = Object.entries(MANIFEST).filter(([field]) => used.has(field))
  return new Map([
    ...appSaying(word),
    ['app.json', JSON.stringify({ slipway, name, pages, uses: keys, ...Object.fromEntries(fields) })],
    ['server/jobs/write.ts', 'export default () => {}\n'],
    ['server/jobs/answer.ts', 'export default () => {}\n'],
  ])
}

/** The files of an app that uses every capability, so that a test of all of them needs only one app. */
export const everythingFiles = (): AppTree =>
  new Map([
    ...starterTree('Everything'),
    ['app.json', JSON.stringify(MANIFEST, null, 2)],
    ['server/routes.ts', ROUTES],
    ['server/jobs/write.ts', JOB],
    ['server/jobs/answer.ts', FLOW],
  ])
