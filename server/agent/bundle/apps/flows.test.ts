import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { bundleApp } from '../bundle.ts'
import { openSandbox } from '../../check/sandbox/sandbox.ts'
import { workersOf } from '../../check/sandbox/workers.ts'
import { completeTree, starterTree } from '../../source/tree.ts'

const FLOWS = ['order', 'trial', 'retry', 'result', 'beside', 'limits']
const MANIFEST = {
  slipway: 1,
  name: 'Orders',
  uses: ['data', 'flow'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
  collections: {
    notes: { partition: 'app', read: 'public', write: 'nobody', fields: { text: { type: 'text' } } },
  },
  flows: [...FLOWS.map((name) => ({ name, handler: name })), { name: 'broken', handler: 'note' }],
}
const FILES = {
  'server/jobs/note.ts': `export const nothing = 1\n`,
  'server/jobs/order.ts': `import { data, type FlowStep } from '@slipway/app/server'

export default async ({ item }: { item: string }, step: FlowStep) => {
  const { id } = await step.do('reserve', () => data.system.create('notes', { text: 'reserved ' + item }))
  const paid = await step.waitFor<{ euro: number }>('paid', { timeoutSeconds: 3600 })
  if (paid === null) return 'not paid'
  await step.do('ship', { retries: 0 }, () => data.system.create('notes', { text: 'shipped ' + item }))
  return { id, euro: paid.euro }
}
`,
  'server/jobs/trial.ts': `import { data, type FlowStep } from '@slipway/app/server'

export default async (who: string, step: FlowStep) => {
  for (const day of [1, 2, 3]) {
    await step.sleep('a day', { days: 1 })
    await step.do('remind', () => data.system.create('notes', { text: who + ' ' + day }))
  }
}
`,
  'server/jobs/retry.ts': `import { data, type FlowStep } from '@slipway/app/server'

export default async (retries: number | undefined, step: FlowStep) => {
  try {
    await step.do('try', retries === undefined ? {} : { retries }, async () => {
      await data.system.create('notes', { text: 'tried' })
      throw new Error('no luck')
    })
  } catch (error) {
    await step.do('give up', () => null)
    throw error
  }
}
`,
  'server/jobs/result.ts': `import type { FlowStep } from '@slipway/app/server'

const RESULTS: Record<string, () => unknown> = {
  nothing: () => undefined,
  date: () => new Date(0),
  big: () => 'x'.repeat(1024 * 1024 - 2),
  tooBig: () => 'x'.repeat(1024 * 1024 - 1),
  cycle: () => { const one: { self?: object } = {}; one.self = one; return one },
}
let tries = 0
export default async (kind: string, step: FlowStep) => {
  tries = 0
  try {
    const result = await step.do('make', () => { tries++; return RESULTS[kind]?.() })
    return typeof result === 'string' && result.length > 100 ? result.length : result
  } catch (error) {
    return [(error as Error).message, tries]
  }
}
`,
  'server/jobs/beside.ts': `import { type FlowStep } from '@slipway/app/server'

export default async (input: null, step: FlowStep) => {
  const quick = async () => (await step.do('one', () => 1)) + (await step.do('two', () => 2))
  return await Promise.all([step.waitFor('go'), quick(), step.waitFor('go')])
}
`,
  'server/jobs/limits.ts': `import { type FlowStep } from '@slipway/app/server'

const CALLS: ((step: FlowStep) => Promise<unknown>)[] = [
  (step) => step.do('a', { retries: 21 }, () => 1),
  (step) => step.do('a', { retries: -1 }, () => 1),
  (step) => step.do('a', { timeoutSeconds: 1801 }, () => 1),
  (step) => step.sleep('a', { days: 366 }),
  (step) => step.sleep('a', { days: Number.NaN }),
  (step) => step.waitFor('a', { timeoutSeconds: 0 }),
]
export default async (input: null, step: FlowStep) => {
  const refused: (string | undefined)[] = []
  for (const call of CALLS)
    await call(step).catch((error: { field?: string }) => refused.push(error.field))
  return refused
}
`,
}
const TESTS = `import { app, expect, test } from '@slipway/app/testing'

const texts = async (word) =>
  (await app.data.list('notes', { limit: 200 })).items.map(({ text }) => text).filter((text) => text.startsWith(word)).sort()
const { start, status, signal, cancel } = app.flow
const outputOf = async (name, input) => {
  const { id } = await start(name, input)
  return (await status(id)).output
}
const refusal = async (call) => {
  const error = await call.catch((one) => one)
  return [error.code, error.field]
}

test('a flow waits for its signal and does each step once', async () => {
  expect(await start('order', { item: 'fern' }, { id: 'order-1' })).toEqual({ id: 'order-1' })
  expect(await status('order-1')).toEqual({ status: 'waiting' })
  expect(await texts('reserved fern')).toEqual(['reserved fern'])
  await signal('order-1', 'paid', { euro: 5 })
  const { status: state, output } = await status('order-1')
  expect([state, output.euro, typeof output.id]).toEqual(['complete', 5, 'string'])
  expect(await texts('reserved fern')).toEqual(['reserved fern'])
  expect(await texts('shipped fern')).toEqual(['shipped fern'])
})

test('starting a workflow with an id that is in use does not start a second run', async () => {
  await start('order', { item: 'moss' }, { id: 'order-2' })
  expect(await start('order', { item: 'moss' }, { id: 'order-2' })).toEqual({ id: 'order-2' })
  expect(await texts('reserved moss')).toEqual(['reserved moss'])
})

test('a workflow stores a signal sent before its wait, and refuses a signal sent after the wait has timed out', async () => {
  await start('beside', null, { id: 'early' })
  await signal('early', 'go', 1)
  expect(await status('early')).toEqual({ status: 'waiting' })
  await signal('early', 'go', 2)
  expect((await status('early')).output).toEqual([1, 3, 2])
  await start('order', { item: 'ivy' }, { id: 'late' })
  await app.clock.advance({ hours: 2 })
  expect((await status('late')).output).toBe('not paid')
  expect(await refusal(signal('late', 'paid'))).toEqual(['conflict', undefined])
})

test('in a test, each sleep of a workflow lasts until the simulated clock is advanced past its end', async () => {
  await start('trial', 'ada')
  await app.clock.advance({ hours: 23 })
  expect(await texts('ada')).toEqual([])
  await app.clock.advance({ days: 2 })
  expect(await texts('ada')).toEqual(['ada 1', 'ada 2'])
  await app.clock.advance({ hours: 2 })
  expect(await texts('ada')).toEqual(['ada 1', 'ada 2', 'ada 3'])
})

test('a failed workflow step is retried as often as declared, then the workflow fails', async () => {
  const { id } = await start('retry', 1)
  expect(await status(id)).toEqual({ status: 'failed', error: 'no luck' })
  expect(await texts('tried')).toHaveLength(2)
  await start('retry')
  expect(await texts('tried')).toHaveLength(6)
})

test('a workflow step whose result is not JSON or is larger than 1 MiB fails without a retry', async () => {
  expect(await outputOf('result', 'nothing')).toBeNull()
  expect(await outputOf('result', 'date')).toBe('1970-01-01T00:00:00.000Z')
  expect(await outputOf('result', 'big')).toBe(1024 * 1024 - 2)
  expect(await outputOf('result', 'tooBig')).toEqual(['The result of the step make: is larger than 1 MiB', 1])
  expect(await outputOf('result', 'cycle')).toEqual(['The result of the step make: must be JSON', 1])
})

test('an invalid retry count, timeout or pause of a workflow step is refused with the name of the field', async () => {
  expect(await outputOf('limits', null)).toEqual(['retries', 'retries', 'timeoutSeconds', 'pause', 'pause', 'timeoutSeconds'])
})

test('a cancelled workflow refuses signals and runs no further step', async () => {
  await start('order', { item: 'oak' }, { id: 'off' })
  await cancel('off')
  await cancel('off')
  expect(await status('off')).toEqual({ status: 'cancelled' })
  expect(await refusal(signal('off', 'paid'))).toEqual(['conflict', undefined])
  expect(await texts('shipped oak')).toEqual([])
})

test('starting an undeclared workflow is refused, and an unknown run id is reported as not found', async () => {
  expect(await refusal(start('unknown', null))).toEqual(['invalid_request', 'name'])
  expect(await refusal(start('order', 'x'.repeat(1024 * 1024)))).toEqual(['invalid_request', 'input'])
  expect(await refusal(start('order', 1n))).toEqual(['invalid_request', 'input'])
  for (const id of ['', 'a b', 'x'.repeat(101), '-a', 7]) expect(await refusal(start('order', 1, { id }))).toEqual(['invalid_request', 'id'])
  expect(await refusal(status('foreign'))).toEqual(['not_found', undefined])
  expect(await refusal(signal('foreign', 'paid'))).toEqual(['not_found', undefined])
  expect(await refusal(signal('off', 'a b'))).toEqual(['invalid_request', 'event'])
  expect(await refusal(cancel('foreign'))).toEqual(['not_found', undefined])
  const { id } = await start('broken', null)
  expect((await status(id)).error).toBe('server/jobs/note.ts must exist and export a function as its default')
})
`

describe('the flows of an app, in its own tests', () => {
  test('the tests inside a generated app can run its workflows with signals, sleeps, retries and cancellation', async () => {
    const own = new Map([
      ...starterTree('Orders'),
      ['app.json', JSON.stringify(MANIFEST)],
      ['web/pages/Home.tsx', 'export default () => <p>Hello</p>\n'],
      ...Object.entries(FILES),
      ['tests/orders.test.ts', TESTS],
    ])
    const keys = ['data', 'flow']
    const bundled = await bundleApp(completeTree(own, new Set(keys)), {
      parts: ['server', 'web', 'tests'],
      minify: false,
    })
    assert.ok(bundled.ok, JSON.stringify(bundled))
    const folder = mkdtempSync(join(tmpdir(), 'flows-'))
    const sandbox = await openSandbox(await workersOf(bundled.bundle, keys), { folder, timeoutMs: 60_000 })
    try {
      const { body } = await sandbox.get('tests', '/run', 60_000)
      const results = JSON.parse(body) as { name: string; error: string | null }[]
      assert.equal(results.length, 9)
      for (const { name, error } of results) assert.equal(error, null, name)
    } finally {
      await sandbox.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
