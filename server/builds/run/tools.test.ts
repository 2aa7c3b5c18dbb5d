import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { CheckReport } from '../../agent/check-report.ts'
import type { ModelStep, ToolRecord } from '../../agent/loop/transcript.ts'
import { Workspace } from '../../agent/tools/workspace.ts'
import type { RunRow } from '../../db/tables/runs.ts'
import { conflict } from '../../http/errors.ts'
import { ProviderError } from '../../lib/provider-error.ts'
import { readProject } from '../../projects/store.ts'
import { type TestApp, testApp } from '../../testing/app.ts'
import { storeCloudAccount } from '../../testing/cloud-account.ts'
import { leaves } from '../../testing/effects.ts'
import type { PreviewError } from '../preview-errors.ts'
import { logsTool, projectTools, type ProjectToolsInput } from './tools.ts'

const workspaceOf = () => {
  const files = new Map([['app.json', '{}']])
  return new Workspace({ base: files, tree: files, enabled: ['data'] })
}
const call = { key: 'run:call', signal: new AbortController().signal }
const error = (message: string): PreviewError => ({ message })
const NOTHING_NEW = 'The preview reported nothing new.'
const NOTHING_PRINTED = 'The app printed nothing in the last check.'
const reported = (...messages: string[]) =>
  ['The preview reported these errors, the newest first:', ...messages.map((one) => `- ${one}`)].join('\n')

describe('the tool for the errors of a preview', () => {
  /** Calls the tool once for each list of stored errors and returns what each result says about the preview. */
  async function readEach(...lists: PreviewError[][]): Promise<(string | undefined)[]> {
    const left = [...lists]
    const tool = logsTool(workspaceOf(), async () => left.shift() ?? [])
    const said = []
    for (const _list of lists) said.push((await tool.run({}, call)).text.split('\n\n')[0])
    return said
  }

  test('the tool for preview errors returns each error once: a later call returns only errors reported after the previous call', async () => {
    const [a, b, c] = [error('a'), error('b'), error('c')]
    assert.deepEqual(await readEach([a, b], [a, b], [a, b, c], [a, b, c]), [
      reported('b', 'a'),
      NOTHING_NEW,
      reported('c'),
      NOTHING_NEW,
    ])
  })

  test('the tool for preview errors returns new errors even if they replaced the oldest of the fifty stored errors', async () => {
    const all = Array.from({ length: 53 }, (_, n) => error(`e${n}`))
    const said = await readEach(all.slice(0, 50), all.slice(3))
    assert.equal(said[1], reported('e52', 'e51', 'e50'))
  })

  test('the tool for preview errors returns new errors after the stored errors were cleared', async () => {
    const lists = [[error('a'), error('b')], [], [error('c')], [error('c'), error('b')]]
    assert.deepEqual(await readEach(...lists), [
      reported('b', 'a'),
      NOTHING_NEW,
      reported('c'),
      reported('b'),
    ])
    assert.deepEqual(
      (await readEach([error('a'), error('b')], [error('c'), error('d')]))[1],
      reported('d', 'c'),
    )
  })

  test('the tool for preview errors returns an error again when the preview reported it again after others', async () => {
    const [a, b] = [error('a'), error('b')]
    assert.deepEqual((await readEach([a, b], [a, b, a]))[1], reported('a'))
  })

  test('the tool for preview errors also returns the last 8,000 characters that the app logged in the last check', async () => {
    const workspace = workspaceOf()
    const tool = logsTool(workspace, async () => [])
    assert.deepEqual(await tool.run({}, call), { ok: true, text: `${NOTHING_NEW}\n\n${NOTHING_PRINTED}` })
    const keep = (logs: string[]) => workspace.keepReport(workspace.hash, { ok: true, checks: [], logs })
    keep(['log: a', 'error: b'])
    const printed = 'The app printed in the last check:\n'
    assert.equal((await tool.run({}, call)).text, `${NOTHING_NEW}\n\n${printed}log: a\nerror: b`)
    keep(['first', 'x'.repeat(8_000)])
    assert.equal((await tool.run({}, call)).text, `${NOTHING_NEW}\n\n${printed}${'x'.repeat(8_000)}`)
  })
})

describe('the tools of a build that change the project', () => {
  let app: TestApp
  before(async () => {
    app = await testApp()
  })
  after(() => app.close())

  const green: CheckReport = { ok: true, checks: [] }
  const red: CheckReport = { ok: false, checks: [{ name: 'types', ok: false, ms: 1, errors: [] }] }
  const result = (name: string, ok: boolean): ToolRecord => ({
    id: 'c1',
    name,
    ok,
    text: '',
    code: null,
    signature: null,
    end: null,
  })
  const stepWith = (...results: ToolRecord[]): ModelStep => ({
    n: 1,
    before: [],
    message: { role: 'assistant', content: '' },
    calls: [],
    results,
    usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0, estimated: false },
  })

  /** Returns the tools of a run. A function that the test does not pass rejects when it is called. */
  function toolsOf(
    given: Partial<
      Pick<
        ProjectToolsInput,
        'platform' | 'project' | 'isIngested' | 'steps' | 'ship' | 'runCheck' | 'workspace'
      >
    > & {
      scopes?: string[]
      name?: string
    },
  ) {
    const unexpected = () => Promise.reject(new Error('must not be called'))
    return projectTools({
      platform: given.platform ?? ({} as ProjectToolsInput['platform']),
      run: { scopes: given.scopes ?? ['deploy:write'], org_id: 'o', project_id: 'p', actor: null } as RunRow,
      project: given.project ?? ({ name: given.name ?? 'Shop' } as ProjectToolsInput['project']),
      workspace: given.workspace ?? workspaceOf(),
      steps: given.steps ?? [],
      runCheck: given.runCheck ?? unexpected,
      isIngested: given.isIngested ?? false,
      ship: given.ship ?? unexpected,
    })
  }
  const namesOf = (...given: Parameters<typeof toolsOf>) => toolsOf(...given).map(({ name }) => name)
  const shipWith = async (given: Parameters<typeof toolsOf>[0]) => {
    const [tool] = toolsOf(given)
    assert.equal(tool?.name, 'ship')
    return await tool.run({}, call)
  }

  test('a tool is offered only to a run that has the scope for what the tool does', () => {
    assert.deepEqual(namesOf({ scopes: [] }), [])
    assert.deepEqual(namesOf({ scopes: ['build:write', 'projects:read'] }), [])
    assert.deepEqual(namesOf({ scopes: ['projects:write'] }), ['enable_capability'])
    assert.deepEqual(namesOf({ scopes: ['deploy:write', 'projects:write'] }), ['enable_capability', 'ship'])
  })

  test('a run for a ticket from another system is offered no tool to enable a capability or to ship, whatever its scopes', () => {
    const scopes = ['projects:write', 'deploy:write']
    assert.deepEqual(namesOf({ scopes, isIngested: true }), [])
    assert.deepEqual(namesOf({ scopes, isIngested: true, name: 'Untitled project' }), ['rename_project'])
  })

  test('the tool to rename the project is offered only while the project has the default name', () => {
    assert.deepEqual(namesOf({ scopes: [], name: 'Untitled project' }), ['rename_project'])
    assert.deepEqual(namesOf({ scopes: [], name: 'untitled project' }), [])
  })

  test('enabling a capability that is already enabled changes nothing and returns its guide', async () => {
    const [tool] = toolsOf({ scopes: ['projects:write'] })
    const { ok, text } = (await tool?.run({ key: 'data' }, call)) ?? { ok: false, text: '' }
    assert.equal(ok, true)
    assert.match(text, /^data is on\.\n\n\S/)
  })

  test('enabling a capability also enables those that it depends on, for the checks and the commit of the build, and names them', async () => {
    leaves({ events: { 'project.created': 1 }, jobs: { provision: 'any' } })
    const person = await app.signUp()
    await storeCloudAccount(app, person.organizationId)
    const { data } = await person.call<{ id: string }>('POST /projects', { name: 'Plants' })
    const { platform } = app
    const project = await readProject(platform.db, { orgId: person.organizationId, projectId: data.id })
    const workspace = workspaceOf()
    const [tool] = toolsOf({ scopes: ['projects:write'], platform, project, workspace })
    const outcome = await tool?.run({ key: 'files' }, call)
    assert.match(outcome?.text ?? '', /^files is on \(creating\)\. It needs auth: on too\.\n\n\S/)
    assert.deepEqual([...workspace.enabled].toSorted(), ['auth', 'data', 'files'])
  })

  test("the ship tool deploys an app with a green check, uses the tool call's idempotency key and returns the app's URL", async () => {
    const keys: string[] = []
    const ship = async ({ key }: { key: string }) => {
      keys.push(key)
      return { url: keys.length === 1 ? 'https://shop.test' : null, state: 'deploying' }
    }
    const runCheck = async () => green
    assert.deepEqual(await shipWith({ ship, runCheck }), {
      ok: true,
      text: 'Shipped: https://shop.test (deploying).',
    })
    assert.deepEqual(await shipWith({ ship, runCheck }), {
      ok: true,
      text: 'Shipped; the state is deploying.',
    })
    assert.deepEqual(keys, ['run:call', 'run:call'])
  })

  test('the ship tool does not deploy an app whose check is red, and returns the report of the check to the model', async () => {
    const outcome = await shipWith({ runCheck: async () => red })
    assert.deepEqual([outcome.ok, outcome.code, outcome.report], [false, 'check_failed', red])
    assert.match(outcome.text, /^check_failed: The check is red\./)
  })

  test('the ship tool deploys successfully only once per build, and may be called again after a failed deployment', async () => {
    const ship = async () => ({ url: null, state: 'live' })
    const again = { ok: false, code: 'not_allowed', text: 'not_allowed: this run has shipped already' }
    assert.deepEqual(await shipWith({ steps: [stepWith(result('ship', true))], ship }), again)
    const steps = [stepWith(result('ship', false), result('check', true))]
    assert.equal((await shipWith({ steps, ship, runCheck: async () => green })).ok, true)
  })

  test('the ship tool returns a refused deployment to the model, and throws any other error, which ends the build', async () => {
    const runCheck = async () => green
    const refuse = (thrown: Error) => ({ runCheck, ship: () => Promise.reject(thrown) })
    for (const thrown of [
      conflict('No account is connected.'),
      new ProviderError('cloudflare', 'No account is connected.'),
    ])
      assert.deepEqual(await shipWith(refuse(thrown)), {
        ok: false,
        code: 'not_allowed',
        text: 'not_allowed: No account is connected.',
      })
    await assert.rejects(shipWith(refuse(new Error('database is down'))), /database is down/)
  })
})
