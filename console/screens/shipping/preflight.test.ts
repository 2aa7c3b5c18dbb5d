import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { listChecks, type PreflightFacts } from './preflight.ts'

const SOUND_FACTS: PreflightFacts = {
  projectId: 'prj_1',
  deployment: {
    state: 'none',
    url: null,
    sha: null,
    builtSha: '4f2c1ab99',
    upToDate: false,
    deployedAt: null,
    error: null,
    move: null,
  },
  access: null,
  cloud: {
    connected: true,
    status: 'connected',
    profile: 'real',
    signIns: [],
    scopes: [],
    missingScopes: [],
    account: { id: 'acc', name: 'Boats Ltd', subdomain: null },
    method: 'token',
  },
  hasModel: true,
  readiness: { ready: true, warming: [], failed: [], missing: [] },
}
type Cloud = NonNullable<PreflightFacts['cloud']>
const withCloud = (change: Partial<Cloud>) => ({
  ...SOUND_FACTS,
  cloud: { ...(SOUND_FACTS.cloud as Cloud), ...change },
})

describe('the pre-deployment checks', () => {
  test('for a project that is ready to deploy, all pre-deployment checks pass, including a check that names the cloud account', () => {
    const checks = listChecks(SOUND_FACTS)
    assert.ok(checks.length >= 5 && checks.every(({ state }) => state === 'ready'))
    assert.ok(checks.some(({ sentence }) => sentence.includes('Boats Ltd')))
  })

  test('a missing secret is first among the pre-deployment checks, links to the page to enter it, and fails no other check', () => {
    const missing = [{ key: 'hook', reason: 'Secret of pay is not set.' }]
    const checks = listChecks({
      ...SOUND_FACTS,
      readiness: { ready: true, warming: [], failed: [], missing },
    })
    assert.deepEqual(
      [checks[0]?.state, checks[0]?.sentence, checks[0]?.fix?.to],
      ['missing', 'Incoming webhooks: Secret of pay is not set.', '/projects/prj_1/capabilities/hook'],
    )
    assert.ok(checks.slice(1).every(({ state }) => state === 'ready'))
  })

  test('pre-deployment checks that a person has to fix come first and link to the page on which to fix them', () => {
    const facts = {
      ...SOUND_FACTS,
      hasModel: false,
      readiness: {
        ready: false,
        warming: ['data'],
        failed: [{ key: 'files', reason: 'R2 is off.' }],
        missing: [],
      },
    }
    const checks = listChecks(facts)
    assert.deepEqual(
      checks.slice(0, 3).map(({ state, fix }) => [state, fix?.to]),
      [
        ['blocked', '/settings/models'],
        ['blocked', '/projects/prj_1/capabilities/files'],
        ['waiting', undefined],
      ],
    )
  })

  test('each reason why no cloud account is usable has its own sentence', () => {
    const sentences = [
      withCloud({ connected: false, status: 'needs_reconnect' }),
      withCloud({ connected: false, status: 'none', account: null }),
      withCloud({ account: null }),
      withCloud({ missingScopes: ['r2.write'] }),
    ].map((facts) => listChecks(facts)[0])
    assert.ok(
      sentences.every((check) => check?.state === 'blocked' && check.fix?.to === '/settings/connections'),
    )
    assert.equal(new Set(sentences.map((check) => check?.sentence)).size, 4)
  })

  test('the warning that anyone can add records says, for an app on this machine, that it applies once the app is online', () => {
    const accessOf = (facts: PreflightFacts) => listChecks(facts).find(({ key }) => key === 'access')
    const open = accessOf({ ...SOUND_FACTS, access: 'add' })
    assert.deepEqual([open?.state, open?.fix?.to], ['open', '/projects/prj_1?pane=tickets'])
    assert.match(open?.sentence ?? '', /^Anyone with the address can add records/)
    const local = accessOf({ ...withCloud({ profile: 'local' }), access: 'add' })
    assert.match(local?.sentence ?? '', /^Once it is on the internet, anyone/)
    assert.equal(accessOf({ ...SOUND_FACTS, access: 'read' })?.state, 'ready')
    assert.equal(accessOf(SOUND_FACTS), undefined)
  })

  test('an archived project without a build fails two pre-deployment checks, and checks without loaded data are left out', () => {
    const facts: PreflightFacts = {
      ...SOUND_FACTS,
      deployment: { ...SOUND_FACTS.deployment, state: 'archived', builtSha: null },
      cloud: undefined,
      hasModel: undefined,
      readiness: undefined,
    }
    assert.deepEqual(
      listChecks(facts).map(({ key, state }) => [key, state]),
      [
        ['active', 'blocked'],
        ['built', 'blocked'],
      ],
    )
  })

  const reasons = (facts: PreflightFacts) =>
    listChecks(facts).flatMap(({ state, sentence, fix }) =>
      state === 'blocked' ? [[sentence, fix?.to ?? null]] : [],
    )
  const unready = (readiness: Partial<NonNullable<PreflightFacts['readiness']>>): PreflightFacts => ({
    ...SOUND_FACTS,
    readiness: { ready: false, warming: [], failed: [], missing: [], ...readiness },
  })

  test('a problem of the app itself is listed as a problem of the app and does not link to a capability', () => {
    assert.deepEqual(
      reasons(unready({ failed: [{ key: 'app', reason: 'plants-live is missing in the cloud account.' }] })),
      [['App: plants-live is missing in the cloud account.', null]],
    )
  })

  test('each problem of a capability links to the page of that capability', () => {
    assert.deepEqual(reasons(unready({ failed: [{ key: 'email', reason: 'The domain is gone.' }] })), [
      ['Email: The domain is gone.', '/projects/prj_1/capabilities/email'],
    ])
  })

  test('each pre-deployment check has a unique React key, even when one capability has several problems', () => {
    const facts = unready({
      warming: ['files'],
      failed: [
        { key: 'app', reason: 'plants-live is missing.' },
        { key: 'app', reason: 'plants-data is missing.' },
        { key: 'files', reason: 'The bucket is missing.' },
      ],
      missing: [
        { key: 'pay', reason: 'Enter a key.' },
        { key: 'pay', reason: 'Enter a test key.' },
      ],
    })
    const keys = listChecks(facts).map(({ key }) => key)
    assert.equal(keys.length, new Set(keys).size, keys.join())
  })

  test('pre-deployment checks that need a person come first, then those that only take time, then optional ones', () => {
    const facts = unready({
      warming: ['files'],
      failed: [{ key: 'email', reason: 'The domain is gone.' }],
      missing: [{ key: 'pay', reason: 'Enter a key.' }],
    })
    const states = listChecks({ ...facts, access: 'add' }).map(({ state }) => state)
    assert.deepEqual([...new Set(states)], ['blocked', 'waiting', 'missing', 'open', 'ready'])
  })

  test('a fact that is not loaded yet adds no pre-deployment check, so that none is shown as passed or failed too early', () => {
    const checks = listChecks({ ...SOUND_FACTS, cloud: undefined, hasModel: undefined, readiness: undefined })
    assert.deepEqual(
      checks.map(({ key }) => key),
      ['active', 'built'],
    )
  })
})
