import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { testCloud, type TestCloud, uploadForm } from '../../../testing/cloud.ts'
import { createAccount } from '../../accounts/accounts.ts'
import { issueToken } from '../../accounts/tokens.ts'
import { routingRecords } from './domains.ts'

interface Rule {
  id: string
  matchers: { type: string; value?: string }[]
}

const ZONE = 'acme-demo.localhost'
const DROP = [{ type: 'drop' }]
const ALL = [{ type: 'all' }]
const literal = (value: string) => [{ type: 'literal', field: 'to', value }]

describe('email routing of a zone over REST', () => {
  let cloud: TestCloud
  let zoneId: string
  beforeEach(async () => {
    cloud = testCloud()
    const zones = (await cloud.call('GET', `/zones?name=${ZONE}`)).result as { id: string }[]
    zoneId = zones[0]?.id ?? ''
  })
  afterEach(() => cloud.close())

  const call = async (method: string, path: string, body?: object, token?: string) => {
    const answer = await cloud.call(method, `/zones/${zoneId}/email/routing${path}`, body, token)
    return answer.success ? answer.result : [answer.status, answer.errors[0]?.code]
  }
  const putRule = async (method: string, path: string, matchers: object[], more: object = {}) => {
    const made = await call(method, path, { matchers, actions: DROP, ...more })
    return Array.isArray(made) ? made : (made as Rule).id
  }
  /** Returns the address of each rule in order; `all` for the catch-all rule. */
  const listAddresses = async () =>
    ((await call('GET', '/rules')) as Rule[]).map(
      ({ matchers: [matcher] }) => matcher?.value ?? matcher?.type,
    )
  const listRecords = async () =>
    (
      (await cloud.call('GET', `/zones/${zoneId}/dns_records?name=${ZONE}`)).result as {
        id: string
        type: string
        content: string
        priority?: number
      }[]
    ).map(({ id, type, content, priority = 0 }) => ({ id, shown: `${type} ${priority} ${content}` }))
  const shownRecords = async () => (await listRecords()).map(({ shown }) => shown).sort()
  const statusOf = async () => ((await call('GET', '')) as { status: string }).status

  test('a mail routing rule is created with defaults, and is read, changed and deleted by its id', async () => {
    const rule = { matchers: literal(`a@${ZONE}`), actions: DROP }
    const made = (await call('POST', '/rules', rule)) as Rule
    const whole = { id: made.id, tag: made.id, name: '', enabled: true, priority: 0, ...rule }
    assert.deepEqual([made, await call('GET', `/rules/${made.id}`)], [whole, whole])
    const changed = { ...whole, name: 'off', enabled: false, priority: 7 }
    assert.deepEqual(await call('PUT', `/rules/${made.id}`, changed), changed)
    assert.deepEqual(await call('DELETE', `/rules/${made.id}`), changed)
    for (const [method, body] of [['GET'], ['DELETE'], ['PUT', rule]] as const)
      assert.deepEqual(await call(method, `/rules/${made.id}`, body), [404, 2015])
  })

  test('mail routing rules are listed by priority, and the catch-all rule is always last', async () => {
    await putRule('POST', '/rules', literal(`c@${ZONE}`), { priority: 9 })
    await putRule('PUT', '/rules/catch_all', ALL, { priority: 0 })
    await putRule('POST', '/rules', literal(`a@${ZONE}`), { priority: 1 })
    assert.deepEqual(await listAddresses(), [`a@${ZONE}`, `c@${ZONE}`, 'all'])
  })

  test('a zone has one catch-all mail rule, which is initially disabled and replaced by each change', async () => {
    assert.deepEqual(await call('GET', '/rules/catch_all'), {
      id: 'catch_all',
      tag: 'catch_all',
      name: '',
      enabled: false,
      priority: 2_147_483_647,
      matchers: ALL,
      actions: DROP,
    })
    const first = await putRule('PUT', '/rules/catch_all', ALL, { name: 'one' })
    const second = await putRule('PUT', '/rules/catch_all', ALL, { name: 'two' })
    assert.deepEqual([second, await listAddresses()], [first, ['all']])
    assert.equal(((await call('GET', '/rules/catch_all')) as { name: string }).name, 'two')
  })

  test('a mail routing rule for an address and the catch-all rule cannot be changed into each other', async () => {
    const address = `a@${ZONE}`
    const rule = await putRule('POST', '/rules', literal(address))
    assert.deepEqual(
      [
        await putRule('POST', '/rules', ALL),
        await putRule('PUT', `/rules/${String(rule)}`, ALL),
        await putRule('PUT', '/rules/catch_all', literal(`b@${ZONE}`)),
        await listAddresses(),
      ],
      [[400, 2016], [400, 2016], [400, 2016], [address]],
    )
    const all = await putRule('PUT', '/rules/catch_all', ALL)
    assert.deepEqual(await putRule('PUT', `/rules/${String(all)}`, literal(`b@${ZONE}`)), [400, 2016])
    assert.deepEqual(await listAddresses(), [address, 'all'])
  })

  test("a mail routing rule for another zone's address, or with a missing target, is refused", async () => {
    await cloud.call('PUT', '/A/workers/scripts/inbox', uploadForm('export default { fetch() {} }'))
    const withAction = (type: string, ...value: string[]) =>
      putRule('POST', '/rules', literal(`a@${ZONE}`), { actions: [{ type, value }] })
    assert.deepEqual(
      [
        await putRule('POST', '/rules', literal('a@example.test')),
        await putRule('POST', '/rules', literal(`a@x${ZONE}`)),
        await putRule('POST', '/rules', literal(`a@sub.${ZONE}`)),
        await withAction('worker', 'none'),
        await withAction('worker', 'inbox', 'none'),
        await withAction('worker'),
        await withAction('forward'),
        await withAction('reply', 'x'),
        await putRule('POST', '/rules', [...ALL, ...ALL]),
        await listAddresses(),
      ],
      [
        ...Array.from({ length: 3 }, () => [400, 2017]),
        [400, 2019],
        [400, 2019],
        [400, 2018],
        [400, 2018],
        [400, 10001],
        [400, 10001],
        [],
      ],
    )
    assert.equal(typeof (await withAction('worker', 'inbox')), 'string')
    assert.equal(typeof (await putRule('POST', '/rules', literal(`A@${ZONE.toUpperCase()}`))), 'string')
  })

  test('enabling mail routing adds the missing DNS records, and disabling it removes only the MX records', async () => {
    const [first, second, spf] = routingRecords({ name: ZONE })
    const record = { type: 'MX', name: ZONE, content: first?.content, priority: 5, ttl: 1 }
    await cloud.call('POST', `/zones/${zoneId}/dns_records`, record)
    const enabled = { enabled: true, status: 'unconfigured' }
    const { enabled: isOn, status } = (await call('POST', '/enable', {})) as typeof enabled
    assert.deepEqual({ enabled: isOn, status }, enabled)
    const all = [`MX 5 ${first?.content}`, `MX 86 ${second?.content}`, `TXT 0 ${spf?.content}`]
    assert.deepEqual(await shownRecords(), all)
    await call('POST', '/dns', {})
    assert.deepEqual([await shownRecords(), await call('GET', '/dns')], [all, routingRecords({ name: ZONE })])
    await call('POST', '/disable', {})
    assert.deepEqual(await shownRecords(), [`TXT 0 ${spf?.content}`])
  })

  test('mail routing is ready two seconds after it was enabled, and misconfigured while a DNS record is missing', async () => {
    const course = [await statusOf()]
    await call('POST', '/enable', {})
    cloud.clock.advance(1999)
    course.push(await statusOf())
    cloud.clock.advance(1)
    course.push(await statusOf())
    const [record] = await listRecords()
    await cloud.call('DELETE', `/zones/${zoneId}/dns_records/${record?.id}`)
    course.push(await statusOf())
    await call('POST', '/enable', {})
    course.push(await statusOf())
    assert.deepEqual(course, ['unconfigured', 'unconfigured', 'ready', 'misconfigured', 'ready'])
  })

  test('another account can neither read nor change the mail routing of a zone', async () => {
    const rule = await putRule('POST', '/rules', literal(`a@${ZONE}`))
    const other = createAccount(cloud.store, { name: 'Other', plan: 'paid', at: 1 })
    const { secret } = issueToken(cloud.store, { kind: 'api', accountId: other.id, scopes: [], at: 1 })
    for (const [method, path] of [
      ['GET', '/rules'],
      ['DELETE', `/rules/${String(rule)}`],
      ['POST', '/enable'],
    ] as const)
      assert.deepEqual(await call(method, path, method === 'POST' ? {} : undefined, secret), [403, 9109])
    assert.deepEqual([await listAddresses(), await statusOf()], [[`a@${ZONE}`], 'unconfigured'])
  })
})
