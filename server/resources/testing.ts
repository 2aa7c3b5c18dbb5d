import assert from 'node:assert/strict'
import { deleteWorker, putWorker } from '../cloudflare/products/workers.ts'
import type { Client } from '../testing/app.ts'
import { appSaying, type CloudApp, type DeployState, until } from '../releases/testing.ts'
import type { RollbackResult } from '../releases/rollback.ts'
import type { Reconciliation } from './repair.ts'

export interface Managed {
  id: string
  kind: string
  name: string
  status: string
  version: string | null
}
interface Deployments {
  managed: Managed[]
  releases: { sha: string; version: string | null; current: boolean; previous: boolean }[]
}

export const shipWord = async (
  cloud: CloudApp,
  { person, project, path }: PersonWithProject,
  word: string,
) => {
  const sha = await cloud.build(project.id, appSaying(word))
  const { data, error } = await person.call<DeployState>(`POST ${path}/deploy`)
  assert.equal(data?.state, 'live', String(error?.message))
  return { sha, url: data.url ?? '' }
}
export type PersonWithProject = Awaited<ReturnType<CloudApp['personWithProject']>>

export const deploymentsOf = async ({ person, path }: Pick<PersonWithProject, 'person' | 'path'>) =>
  (await person.call<Deployments>(`GET ${path}/deployments`)).data
export const workerOf = async (made: PersonWithProject, name: string): Promise<Managed> => {
  const found = (await deploymentsOf(made)).managed.find((one) => one.name === name && one.kind === 'worker')
  assert.ok(found, `${name} is managed`)
  return found
}
export const rollBack = (made: PersonWithProject, id: string) =>
  made.person.call<RollbackResult>(`POST ${made.path}/resources/${id}/rollback`)
export const reconcile = async ({ person, path }: PersonWithProject) => {
  const { status, data, error } = await person.call<Reconciliation>(`POST ${path}/reconcile`)
  assert.equal(status, 200, String(error?.message))
  return data
}
export const namesOf = (repaired: Reconciliation['repaired']) =>
  repaired.map(({ kind, name, action }) => `${kind} ${name}: ${action}`).sort()
/** Deletes a worker directly in the cloud account without the service's knowledge, as a person could in the dashboard. */
export const deleteBehind = async (cloud: CloudApp, { person }: PersonWithProject, name: string) =>
  deleteWorker(await cloud.accountOf(person.organizationId), name)
export const uploadBehind = async (
  cloud: CloudApp,
  { person }: PersonWithProject,
  name: string,
  tags: string[] = [],
) => putWorker(await cloud.accountOf(person.organizationId), name, manualUpload('hand', tags))
export const manualUpload = (tag: string, tags: string[]) => ({
  mainModule: 'index.js',
  modules: { 'index.js': 'export default { fetch: () => new Response("by hand") }' },
  bindings: [],
  tags,
  compatibility: { date: '2026-06-01', flags: [] },
  annotations: { tag, message: 'by hand' },
})
export async function switchOn({ person, path }: PersonWithProject): Promise<void> {
  await person.call(`PUT ${path}/capabilities/data`, { enabled: true })
  await until(async () => (await provisionOf({ person, path })).state === 'idle')
}
export const provisionOf = async ({ person, path }: { person: Client; path: string }) =>
  (
    await person.call<{ provision: { state: string; error: { code: string } | null } }>(
      `GET ${path}/capabilities/data`,
    )
  ).data.provision
