import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootIdentity, type GroupPlan, type PlannedWorker } from './plan.ts'

const CONTENT: PlannedWorker['content'] = {
  mainModule: 'main.js',
  modules: [{ name: 'main.js', type: 'esm', digest: 'd1', sizeBytes: 10 }],
  bindings: [{ type: 'plain_text', name: 'PROJECT', text: 'bakery' }],
  compatibilityDate: '2026-01-01',
  compatibilityFlags: [],
  assets: null,
  annotations: {},
  migrationTag: null,
  handlers: [],
  namedHandlers: [],
  startupTimeMs: 0,
  etag: 'e1',
  source: 'api',
  observability: null,
  usageModel: 'standard',
}

interface Project {
  name?: string
  accountId?: string
  namespaces?: PlannedWorker['namespaces']
}

function workerOf(
  { name = 'bakery', accountId = 'a', namespaces = [] }: Project,
  content: Partial<PlannedWorker['content']> = {},
): PlannedWorker {
  const script: PlannedWorker['script'] = {
    id: name,
    accountId,
    groupId: '',
    name,
    createdAt: 0,
    modifiedAt: 0,
    isOnSubdomain: false,
    hasPreviews: false,
    migrationTag: null,
    settings: {},
  }
  return { script, version: null, content: { ...CONTENT, ...content }, namespaces }
}

function identityOf(candidate: PlannedWorker, neighbours: PlannedWorker[] = []): string {
  const plan: GroupPlan = {
    groupId: '',
    accountId: candidate.script.accountId,
    workers: [...neighbours, candidate],
    resources: [],
    workflows: [],
    listening: [],
  }
  return bootIdentity(plan, candidate)
}

test('workers with the same code are validated once, even with different projects, accounts and binding values', () => {
  const other = workerOf(
    { name: 'florist', accountId: 'b' },
    { etag: 'e2', bindings: [{ type: 'plain_text', name: 'PROJECT', text: 'florist' }] },
  )
  assert.equal(identityOf(other), identityOf(workerOf({})))
})

test("a worker is validated again when its code, flags, bindings, classes, asset rules or its group's workers change", () => {
  const room = { id: 'n', scriptId: 's', className: 'Room', storage: 'sqlite' as const, createdAt: 0 }
  const service = { type: 'service', name: 'LIVE', service: 'x' }
  const changed = [
    workerOf({}),
    workerOf({}, { modules: [{ name: 'main.js', type: 'esm', digest: 'd2', sizeBytes: 10 }] }),
    workerOf({}, { compatibilityFlags: ['nodejs_compat'] }),
    workerOf({}, { bindings: [] }),
    workerOf({}, { bindings: [{ ...service, entrypoint: 'Production' }] }),
    workerOf({}, { bindings: [{ ...service, entrypoint: 'Preview' }] }),
    workerOf({}, { assets: { files: {}, config: { run_worker_first: true } } }),
    workerOf({ namespaces: [room] }),
  ].map((worker) => identityOf(worker))
  changed.push(identityOf(workerOf({}), [workerOf({ name: 'live' })]))
  assert.equal(new Set(changed).size, changed.length)
})
