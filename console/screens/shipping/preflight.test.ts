import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { listChecks, type PreflightFacts } from './preflight.ts'

const SOUND: PreflightFacts = {
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
  readiness: { ready: true, warming: [], failed: [] },
}
type Cloud = NonNullable<PreflightFacts['cloud']>
const withCloud = (change: Partial<Cloud>) => ({ ...SOUND, cloud: { ...(SOUND.cloud as Cloud), ...change } })

describe('what stands before a ship', () => {
  test('all is ready, and the account is named', () => {
    const checks = listChecks(SOUND)
    assert.ok(checks.length >= 5 && checks.every(({ state }) => state === 'ready'))
    assert.ok(checks.some(({ sentence }) => sentence.includes('Boats Ltd')))
  })

  test('what needs a person comes first and leads to where it is mended', () => {
    const facts = {
      ...SOUND,
      hasModel: false,
      readiness: { ready: false, warming: ['data'], failed: [{ key: 'files', reason: 'R2 is off.' }] },
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

  test('each way of having no usable account is told apart', () => {
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

  test('who may change the records is said, for an app on this machine as what it will be', () => {
    const accessOf = (facts: PreflightFacts) => listChecks(facts).find(({ key }) => key === 'access')
    const open = accessOf({ ...SOUND, access: 'change' })
    assert.deepEqual([open?.state, open?.fix?.to], ['open', '/projects/prj_1?pane=tickets'])
    assert.match(open?.sentence ?? '', /^Anyone with the address can change and delete/)
    const local = accessOf({ ...withCloud({ profile: 'local' }), access: 'change' })
    assert.match(local?.sentence ?? '', /^Once it is on the internet, anyone/)
    assert.equal(accessOf({ ...SOUND, access: 'read' })?.state, 'ready')
    assert.equal(accessOf(SOUND), undefined)
  })

  test('without a build or while archived nothing ships; what is not known yet is not claimed', () => {
    const facts: PreflightFacts = {
      ...SOUND,
      deployment: { ...SOUND.deployment, state: 'archived', builtSha: null },
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
})
