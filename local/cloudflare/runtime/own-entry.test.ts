import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { workerFirstPaths } from './own-entry.ts'
import type { PlannedWorker } from '../workerd/plan.ts'

const makeWorker = (rule: boolean | string[] | undefined, handlers = ['fetch']) =>
  ({
    content: { handlers, assets: { config: rule === undefined ? {} : { run_worker_first: rule } } },
  }) as PlannedWorker

describe('requests that bypass the asset router', () => {
  test('requests that match a `run_worker_first` pattern bypass the asset router, unless a `!` pattern excludes them', () => {
    const isBypassPath = workerFirstPaths(makeWorker(['/api/*', '/*.json', '!/api/docs/*']))
    const answers = ['/api/notes', '/data.json', '/api/docs/a', '/', '/apinotes', '/data-json'].map((path) =>
      isBypassPath?.(path),
    )
    assert.deepEqual(answers, [true, true, false, false, false, false])
  })

  test('all requests bypass the asset router when `run_worker_first` is true, and none when it is false or missing', () => {
    assert.equal(workerFirstPaths(makeWorker(true))?.('/anything'), true)
    assert.equal(workerFirstPaths(makeWorker(false)), null)
    assert.equal(workerFirstPaths(makeWorker(undefined)), null)
  })

  test('no request bypasses the asset router when the deployment has assets but no worker code', () => {
    assert.equal(workerFirstPaths(makeWorker(true, [])), null)
  })
})
