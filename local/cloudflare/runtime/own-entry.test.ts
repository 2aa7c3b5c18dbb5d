import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { workerFirstPaths } from './own-entry.ts'
import type { PlannedWorker } from './plan.ts'

const makeWorker = (rule: boolean | string[] | undefined, handlers = ['fetch']) =>
  ({
    content: { handlers, assets: { config: rule === undefined ? {} : { run_worker_first: rule } } },
  }) as PlannedWorker

describe('requests that bypass the asset router', () => {
  test('requests that match a rule bypass the asset router, unless they match an exception', () => {
    const leads = workerFirstPaths(makeWorker(['/api/*', '/*.json', '!/api/docs/*']))
    const answers = ['/api/notes', '/data.json', '/api/docs/a', '/', '/apinotes', '/data-json'].map((path) =>
      leads?.(path),
    )
    assert.deepEqual(answers, [true, true, false, false, false, false])
  })

  test('all requests bypass the asset router when the worker runs first, and none when assets do', () => {
    assert.equal(workerFirstPaths(makeWorker(true))?.('/anything'), true)
    assert.equal(workerFirstPaths(makeWorker(false)), null)
    assert.equal(workerFirstPaths(makeWorker(undefined)), null)
  })

  test('no request bypasses the asset router when the worker has no code', () => {
    assert.equal(workerFirstPaths(makeWorker(true, [])), null)
  })
})
