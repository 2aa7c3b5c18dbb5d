import { randomUUID } from 'node:crypto'
import { push } from 'isomorphic-git'
import http from 'isomorphic-git/http/node'
import { type AppTree, completeTree } from '../agent/source/tree.ts'
import { transact } from '../db/database.ts'
import { openCloudApp, until } from '../releases/testing.ts'
import { encodeCommit, makeObject } from '../git/objects.ts'
import { MAIN_REF, readRef, writeTree } from '../git/store.ts'
import { GIT_FOLDER, memoryRepository } from '../github/memory-repository.ts'
import type { Client } from '../testing/app.ts'
import { advanceMain } from '../projects/advance-main.ts'

export interface BackupResponse {
  repository: { provider: string; url: string }
  branch: string
  sha: string
  pushedAt: string
}

/**
 * Starts the service and the local stand-ins for its providers. Each person's account at the local code host
 * is connected.
 */
export async function openBackupApp() {
  const cloud = await openCloudApp()

  async function personWithProject(name: string) {
    const made = await cloud.personWithProject(name)
    await until(async () => (await githubOf(made.person)).connected)
    return { ...made, backUp: () => made.person.call<BackupResponse>(`POST ${made.path}/backup`) }
  }

  /** Stores a commit on main and its version row, as a green build does at its end. */
  async function commitVersion(projectId: string, files: AppTree, message = 'Build'): Promise<string> {
    const { db } = cloud.app.platform
    const at = cloud.app.clock.now()
    const { org_id: orgId } = await db
      .selectFrom('projects')
      .select('org_id')
      .where('id', '=', projectId)
      .executeTakeFirstOrThrow()
    return await transact(db, async (trx) => {
      const tree = completeTree(files, new Set(['data']))
      return await advanceMain(trx, {
        orgId,
        projectId,
        head: await readRef(trx, projectId, MAIN_REF),
        tree: await writeTree(trx, projectId, tree, at),
        files: tree.size,
        author: 'Ada Lovelace <ada@example.com>',
        message,
        runId: null,
        ticketId: null,
        generatedBy: null,
        at,
      })
    })
  }

  /** Returns a token for the organization's own account at the code host. */
  async function tokenOf(person: Client): Promise<string> {
    const base = `${cloud.world.restUrl}/github/login/oauth`
    const query = new URLSearchParams({
      client_id: 'slipway-local',
      redirect_uri: 'http://localhost:1/',
      scope: 'repo',
      state: randomUUID(),
      prompt: 'none',
      login_hint: person.organizationId,
    })
    const answer = await fetch(`${base}/authorize?${query.toString()}`, { redirect: 'manual' })
    const code = new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? ''
    const redeemed = await fetch(`${base}/access_token`, {
      method: 'POST',
      headers: { accept: 'application/json' },
      body: new URLSearchParams({ client_id: 'slipway-local', code }),
    })
    return ((await redeemed.json()) as { access_token: string }).access_token
  }

  /** Calls the code host directly, as another program of the person would. */
  async function callGithub<T>(person: Client, method: string, path: string, body?: object): Promise<T> {
    const answer = await fetch(`${cloud.world.restUrl}/github/api/v3${path}`, {
      method,
      headers: { authorization: `token ${await tokenOf(person)}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return (await answer.json()) as T
  }

  /**
   * Pushes a commit to a repository's main branch without the service, as another git client would. Returns
   * the id of the commit.
   */
  async function commitElsewhere(person: Client, path: string, parent: string | null): Promise<string> {
    const tree = makeObject('tree', Buffer.alloc(0))
    const made = encodeCommit({
      tree: tree.oid,
      parents: parent === null ? [] : [parent],
      author: 'Stranger <stranger@example.com>',
      message: 'Mine',
      at: cloud.app.clock.now(),
    })
    const credentials = Buffer.from(`x-access-token:${await tokenOf(person)}`).toString('base64')
    await push({
      fs: memoryRepository(made.oid, new Map([made, tree].map((one) => [one.oid, one]))),
      http,
      gitdir: GIT_FOLDER,
      dir: GIT_FOLDER,
      url: `${cloud.world.restUrl}/github/${path}.git`,
      ref: 'refs/heads/main',
      remoteRef: 'refs/heads/main',
      // Forced, so that the client does not refuse the push and the host's own checks decide.
      force: true,
      headers: { Authorization: `Basic ${credentials}` },
    })
    return made.oid
  }

  async function injectFault(fault: object): Promise<void> {
    await fetch(`${cloud.world.restUrl}/_control/faults`, {
      method: 'POST',
      headers: { authorization: `Bearer ${cloud.world.controlToken}` },
      body: JSON.stringify(fault),
    })
  }

  return {
    ...cloud,
    personWithProject,
    build: commitVersion,
    tokenOf,
    github: callGithub,
    commitElsewhere,
    order: injectFault,
  }
}
export type BackupApp = Awaited<ReturnType<typeof openBackupApp>>

export async function githubOf(person: Client): Promise<{ connected: boolean; login: string | null }> {
  const { data } = await person.call<{ github: { connected: boolean; login: string | null } }>(
    'GET /connections',
  )
  return data.github
}
