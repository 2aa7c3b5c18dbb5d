import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { testApp } from './app.ts'

/** These scenarios list no effects; each has its reason. */
const EXEMPT: Record<string, string> = {
  'scaffold-apps.test.ts': 'has no database',
  'ship-upstream.test.ts': 'breaks every nth call of a ship, so that the number of effects depends on --soak',
  'two-processes.test.ts': 'starts services in processes of their own',
  'webhook-examples.test.ts': 'has no database',
}

test('the recorder counts events, activity and jobs since it began, without those of fixtures', async () => {
  const app = await testApp({ localWorld: false })
  try {
    const person = await app.signUp()
    await person.call('POST /projects', { name: 'Before' })
    await app.effects.begin()
    assert.deepEqual(await app.effects.end(), { events: {}, activity: {}, jobs: {} })
    const { data } = await person.call<{ id: string }>('POST /projects', { name: 'Plants' })
    await person.call(`POST /projects/${data.id}/tickets`, { title: 'Water them' })
    await person.call(`POST /projects/${data.id}/tickets`, { title: 'Feed them' })
    await person.call('POST /keys', { name: 'listed' })
    await app.keyFor(person)
    await app.signUp()
    const left = { 'project.created': 1, 'ticket.created': 2 }
    const activity = { 'api_key.created': 1 }
    assert.deepEqual(await app.effects.end(), { events: left, activity, jobs: {} })
    app.effects.prepared({ events: { 'project.created': 1, 'project.renamed': 1 } })
    assert.deepEqual(
      (await app.effects.end()).events,
      { 'ticket.created': 2, 'project.renamed': -1 },
      'a fixture that names an effect it has not shows as less than none',
    )
  } finally {
    await app.close()
  }
})

test('every scenario lists its effects, but for those that cannot', () => {
  const folder = new URL('../../test/scenarios/', import.meta.url)
  const without = globSync('*.test.ts', { cwd: folder }).filter(
    (file) => !readFileSync(new URL(file, folder), 'utf8').includes('= recordEffects('),
  )
  assert.deepEqual(without.toSorted(), Object.keys(EXEMPT))
})
