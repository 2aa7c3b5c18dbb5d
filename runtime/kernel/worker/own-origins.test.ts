import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import type * as OwnOriginsModule from './own-origins.ts'
import { importInWorkerd, workerEnv } from '../objects/workerd.test.fixture.ts'

let loads = 0

describe('the addresses of an app', () => {
  let origins: typeof OwnOriginsModule
  beforeEach(async () => {
    delete workerEnv['APP_URL']
    // The module remembers the origins, so each test loads a new copy.
    const load = () => import(`./own-origins.ts?app=${++loads}`) as Promise<typeof OwnOriginsModule>
    origins = await importInWorkerd(load)
  })
  after(() => {
    delete workerEnv['APP_URL']
  })
  const visit = (...urls: string[]) => {
    for (const url of urls) origins.recordOrigin(new Request(url))
  }

  test('the origins of an app are the configured one, followed by each visited origin once', () => {
    workerEnv['APP_URL'] = 'https://shop.example/start?x=1'
    visit('https://b.example/', 'https://a.example:8443/x/y', 'https://b.example/z', 'https://shop.example/')
    assert.deepEqual(origins.ownOrigins(), [
      'https://shop.example',
      'https://b.example',
      'https://a.example:8443',
    ])
  })

  test('an app without visits and a configured address has no origins, and an invalid configured address is ignored', () => {
    assert.deepEqual(origins.ownOrigins(), [])
    workerEnv['APP_URL'] = 'shop'
    assert.deepEqual(origins.ownOrigins(), [])
  })

  test('at most twenty visited origins are remembered, so that memory stays limited', () => {
    visit(...Array.from({ length: 50 }, (_, n) => `https://host-${n}.example/`))
    assert.equal(origins.ownOrigins().length, 20)
    assert.equal(origins.ownOrigins().at(-1), 'https://host-19.example')
  })

  test('http and https, and different ports of the same host, are different origins of an app', () => {
    visit('http://a.example/', 'https://a.example/', 'https://a.example:444/', 'https://a.example/')
    assert.deepEqual(origins.ownOrigins(), ['http://a.example', 'https://a.example', 'https://a.example:444'])
  })
})
