import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silentLog } from '../testing/database.ts'
import { ShutdownSteps } from './stop-steps.ts'

test('shutdown steps run once, last registered first; a step that throws or never ends does not stop the others', async () => {
  const ran: string[] = []
  const steps = new ShutdownSteps(silentLog, 20)
  const noteStep = (what: string) => async () => void ran.push(what)
  steps.add('database', noteStep('database'))
  steps.add('a connection that hangs', () => new Promise(() => {}))
  steps.add('jobs', async () => {
    ran.push('jobs')
    throw new Error('lost its database')
  })
  steps.add('a step that throws at once', () => {
    throw new Error('was never started')
  })
  steps.add('server', noteStep('server'))
  await steps.run()
  await steps.run()
  assert.deepEqual(ran, ['server', 'jobs', 'database'])
})
