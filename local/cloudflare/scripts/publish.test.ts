import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { testCloud, type TestCloud, uploadForm } from '../../testing/cloud.ts'
import {
  findScript,
  insertScript,
  listNamespaces,
  listVersions,
  readActiveVersion,
} from '../store/scripts.ts'
import { unboundGroup } from './groups.ts'

const HELLO = 'export default { fetch() {} }'
const WITH_BOX = `export class Box {}\n${HELLO}`
const NEW_BOX = { migrations: { new_tag: 'v1', new_sqlite_classes: ['Box'] } }

describe('publication of a new version of a worker', () => {
  let cloud: TestCloud
  /** Called when a validation begins. The validation waits for the returned promise. */
  let onValidation: () => Promise<void> | void
  beforeEach(() => {
    cloud = testCloud()
    const { validate } = cloud.apps
    onValidation = () => {}
    cloud.apps.validate = async (...candidate) => {
      await onValidation()
      return validate(...candidate)
    }
  })
  afterEach(() => cloud.close())

  /** Makes validations wait. `started` resolves when the first validation waits. */
  const holdValidations = () => {
    const [started, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    onValidation = () => {
      started.resolve()
      return held.promise
    }
    return { started: started.promise, release: held.resolve }
  }
  const call = async (method: string, path: string, body?: object) => {
    const answer = await cloud.call(method, `/A/workers/scripts/${path}`, body)
    return answer.success ? 200 : [answer.status, answer.errors[0]?.code]
  }
  const upload = (name: string, source = HELLO, metadata: object = {}) =>
    call('PUT', name, uploadForm(source, metadata))
  const bind = (service: string) => ({ bindings: [{ type: 'service', name: 'OTHER', service }] })
  const scriptOf = (name: string) => findScript(cloud.store, cloud.accountId, name)
  const classesOf = (name: string) =>
    listNamespaces(cloud.store, scriptOf(name)?.id ?? '').map(({ className }) => className)
  const activeNumber = (name: string) => readActiveVersion(cloud.store, scriptOf(name)?.id ?? '')?.number
  const numbersOf = (name: string) =>
    listVersions(cloud.store, scriptOf(name)?.id ?? '').map(({ number }) => number)

  test('simultaneous uploads of a worker create one version each, and the last version is deployed', async () => {
    assert.deepEqual(
      await Promise.all([1, 2, 3].map((n) => upload('shop', `${HELLO} // ${n}`))),
      [200, 200, 200],
    )
    assert.deepEqual([numbersOf('shop'), activeNumber('shop')], [[3, 2, 1], 3])
  })

  test('a worker upload that is refused changes nothing and does not block the next one', async () => {
    await upload('shop', WITH_BOX, NEW_BOX)
    const refused = await Promise.all([
      upload('shop', 'BROKEN'),
      upload('shop', HELLO),
      upload('shop', WITH_BOX, NEW_BOX),
      upload('shop', '// nothing here'),
      upload('shop', WITH_BOX, bind('none')),
    ])
    assert.deepEqual(refused, [
      [400, 10021],
      [400, 10021],
      [412, 10079],
      [400, 10068],
      [400, 10143],
    ])
    assert.deepEqual([numbersOf('shop'), classesOf('shop')], [[1], ['Box']])
    assert.equal(await upload('shop', WITH_BOX), 200)
  })

  test("of two workers uploaded at once, the second is validated with the first one's new version", async () => {
    await upload('shop')
    await upload('shop-live')
    cloud.booted.length = 0
    await Promise.all([upload('shop', HELLO, bind('shop-live')), upload('shop-live', `${HELLO} // 2`)])
    assert.deepEqual(cloud.booted, [
      ['shop', 'shop-live'],
      ['shop', 'shop-live'],
    ])
  })

  test('a worker that is deleted while its upload is validated does not exist after the upload', async () => {
    await upload('shop', WITH_BOX, NEW_BOX)
    const { started, release } = holdValidations()
    const uploading = upload('shop', WITH_BOX)
    await started
    const deleting = call('DELETE', 'shop')
    // If the deletion wrongly did not wait for the upload, it would finish during these turns.
    for (let turn = 0; turn < 50; turn++) await nextTurn()
    release()
    assert.deepEqual(await Promise.all([uploading, deleting]), [200, 200])
    assert.equal(scriptOf('shop'), null)
    await upload('shop', WITH_BOX, NEW_BOX)
    assert.deepEqual(classesOf('shop'), ['Box'])
  })

  test('two Durable Object classes that exchange their names in one migration keep their data', async () => {
    const both = 'export class Box {}\nexport class Tray {}\nexport default { fetch() {} }'
    await upload('shop', both, { migrations: { new_tag: 'v1', new_sqlite_classes: ['Box', 'Tray'] } })
    const idOf = (className: string) =>
      cloud.store.get<{ id: string }>('SELECT id FROM namespaces WHERE class_name = ?', className)?.id
    const [box, tray] = [idOf('Box'), idOf('Tray')]
    const steps = [
      ['Box', 'Third'],
      ['Tray', 'Box'],
      ['Third', 'Tray'],
    ].map(([from, to]) => ({ renamed_classes: [{ from, to }] }))
    assert.equal(
      await upload('shop', `${both} // 2`, { migrations: { old_tag: 'v1', new_tag: 'v2', steps } }),
      200,
    )
    assert.deepEqual([idOf('Box'), idOf('Tray'), classesOf('shop')], [tray, box, ['Box', 'Tray']])
  })

  test('worker settings that change while an upload is validated are kept', async () => {
    await upload('shop')
    const { started, release } = holdValidations()
    const uploading = upload('shop', `${HELLO} // 2`, { observability: { enabled: true } })
    await started
    assert.equal(await call('POST', 'shop/subdomain', { enabled: true }), 200)
    assert.equal(await call('PATCH', 'shop/script-settings', { tags: ['a'] }), 200)
    release()
    assert.equal(await uploading, 200)
    const { isOnSubdomain, settings } = scriptOf('shop') ?? {}
    assert.deepEqual([isOnSubdomain, settings], [true, { tags: ['a'], observability: { enabled: true } }])
  })

  test('worker settings that change while the data of a removed Durable Object class is deleted are kept', async () => {
    await upload('shop', WITH_BOX, NEW_BOX)
    const { promise, resolve } = Promise.withResolvers<void>()
    const started = new Promise<void>((begin) => {
      cloud.apps.deleteObjectData = async () => {
        begin()
        await promise
      }
    })
    const removal = { migrations: { old_tag: 'v1', new_tag: 'v2', deleted_classes: ['Box'] }, tags: ['a'] }
    const uploading = upload('shop', HELLO, removal)
    await started
    assert.equal(await call('POST', 'shop/subdomain', { enabled: true }), 200)
    resolve()
    assert.equal(await uploading, 200)
    const { isOnSubdomain, settings, migrationTag } = scriptOf('shop') ?? {}
    assert.deepEqual(
      [isOnSubdomain, settings, migrationTag, classesOf('shop')],
      [true, { tags: ['a'] }, 'v2', []],
    )
  })

  test('a worker version that is uploaded without a deployment cannot migrate Durable Objects', async () => {
    await upload('shop', WITH_BOX, NEW_BOX)
    const removal = { migrations: { old_tag: 'v1', new_tag: 'v2', deleted_classes: ['Box'] } }
    assert.deepEqual(await call('POST', 'shop/versions', uploadForm(HELLO, removal)), [400, 10211])
    assert.deepEqual([numbersOf('shop'), classesOf('shop')], [[1], ['Box']])
    const applied = { migrations: { old_tag: 'v1', new_tag: 'v1', steps: [] } }
    assert.deepEqual(
      [
        await call('POST', 'shop/versions', uploadForm(WITH_BOX)),
        await call('POST', 'shop/versions', uploadForm(WITH_BOX, applied)),
      ],
      [200, 200],
    )
    assert.deepEqual([numbersOf('shop'), activeNumber('shop')], [[3, 2, 1], 1])
  })

  test('a paid account has at most 500 workers, and can still change existing workers at the limit', async () => {
    const groupId = unboundGroup(cloud.store, cloud.accountId)
    cloud.store.transact(() => {
      for (let made = 0; made < 499; made++)
        insertScript(cloud.store, { accountId: cloud.accountId, groupId, name: `w${made}`, at: 1 })
    })
    assert.deepEqual(
      [await upload('last'), await upload('one-more'), await upload('last', `${HELLO} // 2`)],
      [200, [403, 10037], 200],
    )
    assert.equal(scriptOf('one-more'), null)
  })
})
