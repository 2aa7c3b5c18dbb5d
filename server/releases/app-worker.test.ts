import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { storeCode, removeCode } from '../capabilities/access/code.ts'
import type { CloudCall } from '../cloudflare/client.ts'
import { unreachable } from '../cloudflare/errors.ts'
import {
  bodyResponse,
  closeProviders,
  hangUp,
  memoryAccount,
  refusedCall,
  startProvider,
} from '../cloudflare/testing.ts'
import { transact } from '../db/database.ts'
import { findResource } from '../resources/registry.ts'
import type { ProjectRef } from '../resources/work.ts'
import { type TestApp, testApp } from '../testing/app.ts'
import {
  AccessCodeUnsupportedError,
  appBindings,
  applyAccessCode,
  type AppVersion,
  uploadApp,
} from './app-worker.ts'

const SCRIPTS = '/accounts/:account/workers/scripts/'

describe('the worker of an app', () => {
  let app: TestApp
  let project: ProjectRef
  before(async () => {
    app = await testApp({ localWorld: false })
  })
  beforeEach(async () => {
    const person = await app.signUp()
    const { data } = await person.call<{ id: string; slug: string }>('POST /projects', { name: 'Plants' })
    app.effects.prepared({ events: { 'project.created': 1 } })
    project = {
      id: data.id,
      org_id: person.organizationId,
      name: 'Plants',
      slug: `plants-${data.id.slice(-8)}`,
    }
  })
  after(async () => {
    await app.close()
    await closeProviders()
  })

  /** An account with at most one worker. `interrupt` runs after a call was carried out and may throw, so that the response is lost. */
  function workerAccount() {
    const versions: { id: string; tag: string }[] = []
    const bindings: string[][] = []
    const state: {
      serving: string | null
      address: boolean
      refuse: (call: string) => void
      interrupt: (call: string) => void
    } = { serving: null, address: false, refuse: () => {}, interrupt: () => {} }
    const addVersion = (request: CloudCall<unknown>, part: string) => {
      const form = request.form?.().get(part)
      assert.equal(typeof form, 'string')
      const { annotations, bindings: bound } = JSON.parse(String(form)) as {
        annotations: Record<string, string>
        bindings: { name: string }[]
      }
      bindings.push(bound.map(({ name }) => name))
      const id = `v${versions.length + 1}`
      versions.push({ id, tag: annotations['workers/tag'] ?? '' })
      return id
    }
    const carryOut = (call: string, request: CloudCall<unknown>): unknown => {
      const isThere = state.serving !== null
      if (call.endsWith('/assets-upload-session')) return { jwt: 'files', buckets: [] }
      if (call.startsWith('PUT ')) {
        state.serving = addVersion(request, 'metadata')
        return { id: 'script' }
      }
      if (!isThere) throw refusedCall(404)
      if (call.endsWith('/subdomain')) {
        state.address = true
        return { enabled: true }
      }
      if (call.endsWith('/versions')) {
        const listed = versions.map(({ id, tag }) => ({ id, annotations: { 'workers/tag': tag } }))
        return call.startsWith('GET ') ? { items: listed } : { id: addVersion(request, 'metadata') }
      }
      if (call.startsWith('GET '))
        return { deployments: [{ id: 'd', versions: [{ version_id: state.serving, percentage: 100 }] }] }
      state.serving =
        (request as { json: { versions: { version_id: string }[] } }).json.versions[0]?.version_id ?? null
      return { id: 'd' }
    }
    const memory = memoryAccount((path, request) => {
      const call = path.replace(SCRIPTS, '')
      state.refuse(call)
      const result = carryOut(call, request)
      state.interrupt(call)
      return result
    })
    const changes = () =>
      memory.calls.filter((call) => !call.startsWith('GET ')).map((call) => call.replace(SCRIPTS, ''))
    return { cloud: memory.cloud, state, versions, bindings, changes }
  }
  type WorkerAccount = ReturnType<typeof workerAccount>

  const workIn = ({ cloud }: Pick<WorkerAccount, 'cloud'>) => ({
    platform: app.platform,
    cloud,
    project,
    actor: 'Ada',
    signal: new AbortController().signal,
  })
  const versionOf = (tag: string, more: Partial<AppVersion> = {}): AppVersion => ({
    tier: 'production',
    sha: `sha-${tag}`,
    tag,
    versionId: null,
    isContinued: false,
    enabled: new Set(['data']),
    bundle: async () => ({ server: { main: 'worker.js', modules: { 'worker.js': '' } }, web: {} }),
    ...more,
  })
  const upload = (account: WorkerAccount, tag: string, more: Partial<AppVersion> = {}) =>
    uploadApp(workIn(account), versionOf(tag, more))
  const row = ({ cloud }: WorkerAccount) =>
    findResource(app.platform.db, {
      orgId: project.org_id,
      projectId: project.id,
      accountId: cloud.accountId,
      kind: 'worker',
      name: project.slug,
    })

  /** Uploads a version, interrupts the upload after each call in turn, and repeats it as the next process does. */
  async function interruptEachCall(
    prepare: (account: WorkerAccount) => Promise<unknown>,
    error: () => Error,
  ) {
    const outcomes: { call: string; account: WorkerAccount; id: string }[] = []
    for (let isInterrupted = true, at = 0; isInterrupted; at++) {
      const account = workerAccount()
      await prepare(account)
      let stored: string | null = null
      const onVersion = async (id: string) => void (stored = id)
      let calls = 0
      let interrupted = ''
      account.state.interrupt = (call) => {
        if (calls++ !== at) return
        interrupted = call
        throw error()
      }
      const first = await upload(account, 'next', { onVersion }).catch(() => null)
      isInterrupted = interrupted !== ''
      account.state.interrupt = () => {}
      const id = await upload(account, 'next', { versionId: stored, isContinued: true, onVersion })
      if (first !== null) assert.equal(id, first)
      outcomes.push({ call: interrupted, account, id })
      await app.platform.db.deleteFrom('resources').where('project_id', '=', project.id).execute()
    }
    assert.ok(outcomes.length > 3)
    return outcomes
  }
  const ERRORS: [string, () => Error][] = [
    ['whose process ended', () => new DOMException('Killed', 'AbortError')],
    ['whose response was lost', () => unreachable(new Error('reset'))],
  ]
  for (const [what, error] of ERRORS) {
    test(`the first upload of an app, ${what} after any call, is completed by the next attempt`, async () => {
      for (const { call, account, id } of await interruptEachCall(async () => {}, error)) {
        assert.deepEqual([account.state.serving, account.state.address], [id, true], call)
        assert.equal(account.versions.find((one) => one.id === id)?.tag, 'next')
      }
    })

    test(`a later upload of an app, ${what} after any call, is completed by the next attempt with one version`, async () => {
      const prepare = (account: WorkerAccount) => upload(account, 'first')
      for (const { call, account, id } of await interruptEachCall(prepare, error)) {
        assert.equal(account.state.serving, id, call)
        assert.deepEqual(
          account.versions.map(({ tag }) => tag),
          ['first', 'next'],
          call,
        )
      }
    })
  }

  test("a version of an app's worker is stored by the caller before any request is switched to it", async () => {
    const account = workerAccount()
    await upload(account, 'first')
    const seen: [string, string | null][] = []
    const id = await upload(account, 'next', {
      onVersion: async (one) => void seen.push([one, account.state.serving]),
    })
    assert.deepEqual(seen[0], [id, 'v1'])
    assert.deepEqual(account.state.serving, id)
  })

  test("a version of an app's worker that already serves is not deployed again, because that could restart the worker", async () => {
    const account = workerAccount()
    const id = await upload(account, 'first')
    const before = account.changes().length
    assert.equal(await upload(account, 'first', { versionId: id, isContinued: true }), id)
    assert.equal(account.changes().length, before)
  })

  test('a former app version is uploaded again only after an error that says that the account can no longer serve it', async () => {
    for (const [refusal, isUploaded] of [
      [refusedCall(400, 10_214), true],
      [refusedCall(404), true],
      [refusedCall(503), false],
      [refusedCall(403), false],
    ] as const) {
      const account = workerAccount()
      const former = await upload(account, 'first')
      await upload(account, 'second')
      let refusals = 1
      account.state.refuse = (call) => {
        if (call === `POST ${project.slug}/deployments` && refusals-- > 0) throw refusal
      }
      const again = upload(account, 'first', { versionId: former, isContinued: true })
      if (isUploaded) assert.equal(await again, 'v3')
      else await assert.rejects(again, refusal)
      assert.equal(account.versions.length, isUploaded ? 3 : 2, String(refusal.status))
      assert.equal(account.state.serving, isUploaded ? 'v3' : 'v2')
      await app.platform.db.deleteFrom('resources').where('project_id', '=', project.id).execute()
    }
  })

  test("an app's worker that a person has deleted in the account is created again with its address", async () => {
    const account = workerAccount()
    await upload(account, 'first')
    Object.assign(account.state, { serving: null, address: false })
    const id = await upload(account, 'next')
    assert.deepEqual([account.state.serving, account.state.address], [id, true])
    const stored = await row(account)
    assert.deepEqual([stored?.state, stored?.version_id], ['ok', id])
  })

  test("a worker that has the app's name but belongs to another owner is neither overwritten nor given an address", async () => {
    const account = workerAccount()
    account.state.serving = 'theirs'
    await assert.rejects(upload(account, 'first'), { fault: 'name_taken' })
    assert.deepEqual([account.changes(), await row(account)], [[], null])
  })

  test("an app's worker that is missing after its upload is a retryable failure, and its row stays in the state `creating`", async () => {
    const account = workerAccount()
    account.state.interrupt = (call) => {
      if (call.startsWith('POST ') && call.endsWith('/subdomain')) account.state.serving = null
    }
    await assert.rejects(upload(account, 'first'), { retryable: true })
    assert.equal((await row(account))?.state, 'creating')
  })

  describe('the bindings and the access code', () => {
    const setCode = (code: string | null) =>
      transact(app.platform.db, async (trx) => {
        if (code === null) await removeCode(trx, project)
        else await storeCode(app.platform, trx, project, code)
      })
    const bindingsOf = async (tier: AppVersion['tier']) =>
      await appBindings(workIn(workerAccount()), { tier, sha: 'sha', enabled: new Set(['queue', 'data']) })

    test("the only secret of an app's worker is its access code, which a preview never has", async () => {
      for (const code of [null, 'correct horse']) {
        await setCode(code)
        for (const tier of ['production', 'preview'] as const) {
          const secrets = (await bindingsOf(tier)).filter(({ type }) => type === 'secret_text')
          const isClosed = code !== null && tier === 'production'
          assert.deepEqual(
            secrets.map(({ name }) => name),
            isClosed ? ['APP_GATE'] : [],
          )
          assert.equal((await bindingsOf(tier)).filter(({ name }) => name === 'APP_GATE').length, 1)
          assert.doesNotMatch(JSON.stringify(await bindingsOf(tier)), /correct horse/)
        }
      }
    })

    test('the bindings of an app do not depend on the order of its enabled capabilities', async () => {
      const of = (enabled: string[]) =>
        appBindings(workIn(workerAccount()), { tier: 'preview', sha: 'sha', enabled: new Set(enabled) })
      const textOf = async (enabled: string[]) =>
        (await of(enabled)).flatMap((one) =>
          one.name === 'APP_CAPABILITIES' && 'text' in one ? [one.text] : [],
        )
      assert.deepEqual(await textOf(['queue', 'data']), ['["data","queue"]'])
      assert.deepEqual(await textOf(['data', 'queue']), ['["data","queue"]'])
    })

    type Health = Parameters<typeof startProvider>[0]
    const healthy = (gate: string | null): Health =>
      bodyResponse({ ok: true, data: { status: 'ok', release: 'sha', gate } })
    const OLD_RUNTIME = bodyResponse({ ok: true, data: { status: 'ok', release: 'sha' } })

    /** Applies the code to an app that responds to its health checks like this in turn. Returns the outcome and the number of rebinds. */
    async function apply(...health: Health[]) {
      const { options } = await startProvider(...health)
      let rebinds = 0
      const { cloud } = memoryAccount((call) => {
        assert.match(call, /^PATCH .*\/settings$/)
        rebinds++
        return {}
      })
      const applied = await applyAccessCode(workIn({ cloud }), {
        url: options.api,
        sha: 'sha',
        enabled: new Set(),
      }).catch((error: unknown) => error)
      return { applied, rebinds }
    }
    const codeId = async () => {
      const gate = (await bindingsOf('production')).find(({ name }) => name === 'APP_GATE')
      return gate?.type === 'secret_text' ? (gate.text.split('.')[0] ?? '') : null
    }

    test('an app that already asks for the current access code, or for none when none is set, gets no new version', async () => {
      for (const code of [null, 'correct horse']) {
        await setCode(code)
        const gate = await codeId()
        assert.deepEqual(await apply(healthy(gate)), { applied: { gate, isRebound: false }, rebinds: 0 })
      }
    })

    test('an app that asks for another access code is bound to the current code once, however long the change takes', async () => {
      await setCode('correct horse')
      const gate = await codeId()
      assert.deepEqual(await apply(healthy(null), healthy(null), healthy('former'), healthy(gate)), {
        applied: { gate, isRebound: true },
        rebinds: 1,
      })
    })

    for (const [what, ill] of [
      ['with an error page', bodyResponse('<h1>Service unavailable</h1>', 503)],
      ['with an error page that has a success status', bodyResponse('<h1>Starting</h1>')],
      [
        'with an error of the app',
        bodyResponse({ ok: false, error: { code: 'internal', message: '' } }, 500),
      ],
      ['by closing the connection', hangUp],
    ] as const)
      test(`an app that responds ${what} for a moment is not taken for one without an access code or without support for codes`, async () => {
        for (const code of [null, 'correct horse']) {
          await setCode(code)
          const gate = await codeId()
          assert.deepEqual(await apply(ill, ill, healthy('former'), ill, healthy(gate)), {
            applied: { gate, isRebound: true },
            rebinds: 1,
          })
        }
      })

    test('an access code for an app of an older runtime is reported as unsupported, and without a code the app is not changed', async () => {
      await setCode('correct horse')
      assert.ok((await apply(OLD_RUNTIME)).applied instanceof AccessCodeUnsupportedError)
      await setCode(null)
      assert.deepEqual(await apply(OLD_RUNTIME), { applied: { gate: null, isRebound: false }, rebinds: 0 })
    })
  })
})
