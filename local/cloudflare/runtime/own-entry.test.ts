import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { workerFirstPaths } from './own-entry.ts'
import type { PlannedWorker } from './plan.ts'

const worker = (rule: boolean | string[] | undefined, handlers = ['fetch']) =>
  ({
    content: { handlers, assets: { config: rule === undefined ? {} : { run_worker_first: rule } } },
  }) as PlannedWorker

describe('which requests go past the asset router', () => {
  test('those that the rules send to the worker, except what an exception keeps back', () => {
    const leads = workerFirstPaths(worker(['/api/*', '/*.json', '!/api/docs/*']))
    const answers = ['/api/notes', '/data.json', '/api/docs/a', '/', '/apinotes', '/data-json'].map((path) =>
      leads?.(path),
    )
    assert.deepEqual(answers, [true, true, false, false, false, false])
  })

  test('all where the worker is always first, none where files are', () => {
    assert.equal(workerFirstPaths(worker(true))?.('/anything'), true)
    assert.equal(workerFirstPaths(worker(false)), null)
    assert.equal(workerFirstPaths(worker(undefined)), null)
  })

  test('none where there is no code to run', () => {
    assert.equal(workerFirstPaths(worker(true, [])), null)
  })
})
