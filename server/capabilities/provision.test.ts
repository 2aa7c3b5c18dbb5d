import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type CloudApp, openCloudApp, until } from '../deployments/testing.ts'

interface Read {
  enabled: boolean
  provision: { state: string; error: { code: string; message: string } | null }
  resource: { kind: string; name: string } | null
}

let cloud: CloudApp
before(async () => {
  cloud = await openCloudApp()
})
after(() => cloud.close())

/** Switches data on for a project of this name and waits until it has settled. */
async function provision(name: string) {
  const { person, path } = await cloud.personWithProject(name)
  const put = await person.call<Read>(`PUT ${path}/capabilities/data`, { enabled: true })
  assert.equal(put.data.provision.state, 'creating')
  const read = async () => (await person.call<Read>(`GET ${path}/capabilities/data`)).data
  await until(async () => (await read()).provision.state !== 'creating')
  const { data } = await person.call<{ managed: { kind: string; name: string; status: string }[] }>(
    `GET ${path}/deployments`,
  )
  return { person, path, settled: await read(), managed: data.managed }
}

for (const fault of ['fail-429', 'fail-500', 'fail-drop']) {
  test(`R7 ${fault} of the account's first write ends in one object namespace, idle`, async () => {
    const { settled, managed } = await provision(`app ${fault}`)
    assert.deepEqual(settled.provision, { state: 'idle', error: null })
    assert.deepEqual(
      managed.map((one) => [one.kind, one.name, one.status]),
      [
        ['worker', `app-${fault}-admin`, 'ok'],
        ['object_namespace', `app-${fault}-live`, 'ok'],
        ['worker', `app-${fault}-live`, 'ok'],
      ],
    )
  })
}

test('R7 a refusal is an error with its reason and what to do, also on the project; switching on again tries again', async () => {
  const { person, path, settled } = await provision('app fail-403')
  assert.equal(settled.enabled, true)
  assert.equal(settled.provision.state, 'error')
  assert.equal(settled.provision.error?.code, 'missing_scope')
  assert.match(settled.provision.error?.message ?? '', /connect it again/)
  const shown = await person.call<{ provision: { state: string; error: string } }>(`GET ${path}`)
  assert.deepEqual(shown.data.provision.state, 'error')
  const ready = await person.call<{ readiness: { ready: boolean; failed: { key: string }[] } }>(
    `GET ${path}/deploy/readiness`,
  )
  assert.deepEqual([ready.data.readiness.ready, ready.data.readiness.failed[0]?.key], [false, 'data'])
  const again = await person.call<Read>(`PUT ${path}/capabilities/data`, { enabled: true })
  assert.deepEqual(again.data.provision, { state: 'creating', error: null })
})

test('every change in the account is in the activity log, with who asked for it', async () => {
  const { person } = await provision('logged')
  const rows = await cloud.app.platform.db
    .selectFrom('activity')
    .select(['provider', 'actor', 'action', 'target', 'status', 'project_name'])
    .where('org_id', '=', person.organizationId)
    .where('action', '=', 'worker.upload')
    .orderBy('target')
    .execute()
  const upload = {
    provider: 'cloudflare',
    actor: person.email,
    action: 'worker.upload',
    status: 'ok',
    project_name: 'logged',
  }
  assert.deepEqual(rows, [
    { ...upload, target: 'logged-admin' },
    { ...upload, target: 'logged-live' },
  ])
})
