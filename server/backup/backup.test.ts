import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { LOCK_CLASS } from '../db/locks.ts'
import { appSaying } from '../releases/testing.ts'
import type { Client } from '../testing/app.ts'
import { type BackupApp, type BackupResponse, githubOf, openBackupApp } from './testing.ts'
import { commitWhileWaiting } from '../testing/commit-while-waiting.ts'
import { leaves } from '../testing/effects.ts'

interface Branch {
  commit: { sha: string }
}

describe('backups to the code host', () => {
  let world: BackupApp
  before(async () => {
    world = await openBackupApp()
  })
  after(() => world.close())

  const activityOf = async (person: Client) => {
    const { data } = await person.call<{
      items: { provider: string; action: string; target: string; status: string; detail: string | null }[]
    }>('GET /activity')
    return data.items.filter((one) => one.provider === 'github').toReversed()
  }
  const shortActivity = async (person: Client) =>
    (await activityOf(person)).map((one) => `${one.action} ${one.target} ${one.status}`)
  const mainOf = async (person: Client, login: string, name: string) =>
    (await world.github<Branch>(person, 'GET', `/repos/${login}/${name}/branches/main`)).commit.sha

  test('a new organization is connected to the local GitHub emulator, and its token is stored encrypted', async () => {
    const { person } = await world.personWithProject('Garden')
    const { login } = await githubOf(person)
    assert.match(login ?? '', /^person-/)
    const row = await world.app.platform.db
      .selectFrom('connections')
      .selectAll()
      .where('org_id', '=', person.organizationId)
      .where('provider', '=', 'github')
      .executeTakeFirstOrThrow()
    assert.ok(!JSON.stringify(row).includes('gho_'))
    assert.deepEqual(await shortActivity(person), [`connection.connected ${login} ok`])
  })

  test('the first backup creates a private GitHub repository named after the project and pushes all commits', async () => {
    leaves({ activity: { 'repository.created': 1, 'repository.pushed': 1 } })
    const { person, project, path, backUp } = await world.personWithProject('Plants')
    const { login } = await githubOf(person)
    await world.build(project.id, appSaying('one'), 'First\n\nSlipway-Run: r1')
    const sha = await world.build(project.id, appSaying('two'), 'Second')
    const answer = await backUp()
    assert.equal(answer.status, 200, answer.error?.message ?? '')
    const url = `${world.world.restUrl}/github/${login}/${project.slug}`
    assert.deepEqual(answer.data, {
      repository: { provider: 'github', url },
      branch: 'main',
      sha,
      pushedAt: world.app.clock.now().toISOString(),
    })
    const made = await world.github<{ private: boolean }>(person, 'GET', `/repos/${login}/${project.slug}`)
    assert.equal(made.private, true)
    const commits = await world.github<{ sha: string; commit: { message: string } }[]>(
      person,
      'GET',
      `/repos/${login}/${project.slug}/commits`,
    )
    assert.deepEqual(
      commits.map((one) => one.commit.message),
      ['Second', 'First\n\nSlipway-Run: r1'],
    )
    const branches = await world.github<{ name: string }[]>(
      person,
      'GET',
      `/repos/${login}/${project.slug}/branches`,
    )
    assert.deepEqual(
      branches.map((one) => one.name),
      ['main'],
      'no refs of runs',
    )
    const shown = await person.call<{ repository: object }>(`GET ${path}`)
    assert.deepEqual(shown.data.repository, { provider: 'github', url })
    const target = `${login}/${project.slug}`
    assert.deepEqual((await shortActivity(person)).slice(1), [
      `repository.created ${target} ok`,
      `repository.pushed ${target} ok`,
    ])
    const history = await person.call<{ type: string; sha: string; detail: string }[]>(`GET ${path}/history`)
    assert.deepEqual(
      history.data.map(({ type, sha: at, detail }) => [type, at, detail]),
      [['backed_up', sha, url]],
    )
  })

  test('a repeated backup changes nothing, and a backup after a later build pushes the new commit', async () => {
    leaves({ activity: { 'repository.created': 1, 'repository.pushed': 2 } })
    const { person, project, backUp } = await world.personWithProject('Repeat')
    await world.build(project.id, appSaying('one'))
    const first = await backUp()
    const entries = await shortActivity(person)
    world.app.clock.advance(60_000)
    assert.deepEqual((await backUp()).data, first.data)
    assert.deepEqual(await shortActivity(person), entries)
    const sha = await world.build(project.id, appSaying('two'))
    const next = await backUp()
    assert.equal(next.data.sha, sha)
    assert.equal(await mainOf(person, (await githubOf(person)).login ?? '', project.slug), sha)
  })

  test('many simultaneous backups end with one repository and one push', async () => {
    leaves({ activity: { 'repository.created': 1, 'repository.pushed': 1 } })
    const { person, project, backUp } = await world.personWithProject('Crowd')
    const sha = await world.build(project.id, appSaying('one'))
    const answers = await Promise.all(Array.from({ length: 6 }, backUp))
    assert.deepEqual(
      answers.map((one) => [one.status, one.data.sha]),
      answers.map(() => [200, sha]),
    )
    const target = `${(await githubOf(person)).login}/${project.slug}`
    assert.deepEqual((await shortActivity(person)).slice(1).toSorted(), [
      `repository.created ${target} ok`,
      `repository.pushed ${target} ok`,
    ])
  })

  test('a backup of a project without a build is a 400 and calls no provider', async () => {
    const { person, backUp } = await world.personWithProject('Empty')
    const answer = await backUp()
    assert.deepEqual([answer.status, answer.error?.code], [400, 'invalid_request'])
    assert.equal((await shortActivity(person)).length, 1)
  })

  test('a backup without a connected GitHub account is a 409 that says where to connect one', async () => {
    const { person, project, backUp } = await world.personWithProject('Alone')
    await world.build(project.id, appSaying('one'))
    await world.app.platform.db
      .deleteFrom('connections')
      .where('org_id', '=', person.organizationId)
      .where('provider', '=', 'github')
      .execute()
    const answer = await backUp()
    assert.deepEqual([answer.status, answer.error?.code], [409, 'conflict'])
    assert.match(answer.error?.message ?? '', /GitHub account under Connections/)
  })

  test('a backup never overwrites a main branch that has other commits', async () => {
    leaves({ activity: { 'repository.created': 1, 'repository.pushed': 1 } })
    const { person, project, backUp } = await world.personWithProject('Moved')
    const login = (await githubOf(person)).login ?? ''
    const sha = await world.build(project.id, appSaying('one'))
    await backUp()
    const foreign = await world.commitElsewhere(person, `${login}/${project.slug}`, sha)
    assert.equal(await mainOf(person, login, project.slug), foreign)
    for (const word of ['one', 'two']) {
      if (word === 'two') await world.build(project.id, appSaying(word))
      const answer = await backUp()
      assert.deepEqual([answer.status, answer.error?.code], [409, 'conflict'], word)
      assert.match(answer.error?.message ?? '', /does not overwrite/)
      assert.equal(await mainOf(person, login, project.slug), foreign)
    }
  })

  test('a backup to an existing repository succeeds when the repository is private and empty, and is otherwise a 409', async () => {
    leaves({ activity: { 'repository.pushed': 1 } })
    const { person, project, backUp } = await world.personWithProject('Before')
    await world.build(project.id, appSaying('one'))
    await world.github(person, 'POST', '/user/repos', { name: project.slug, private: false })
    const open = await backUp()
    assert.deepEqual([open.status, open.error?.code], [409, 'conflict'])
    assert.match(open.error?.message ?? '', /public repository/)
    const login = (await githubOf(person)).login ?? ''
    await world.github(person, 'PATCH', `/repos/${login}/${project.slug}`, { private: true })
    assert.equal((await backUp()).status, 200)

    const other = await world.personWithProject('Foreign')
    await world.build(other.project.id, appSaying('one'))
    const otherLogin = (await githubOf(other.person)).login ?? ''
    await world.github(other.person, 'POST', '/user/repos', { name: other.project.slug, private: true })
    await world.commitElsewhere(other.person, `${otherLogin}/${other.project.slug}`, null)
    assert.equal((await other.backUp()).status, 409)
  })

  for (const name of ['Once fail-500', 'Lost fail-drop', 'Busy fail-429']) {
    test(`a backup retries a transient failure and succeeds: ${name}`, async () => {
      leaves({ activity: { 'repository.created': 1, 'repository.pushed': 1 } })
      const { person, project, backUp } = await world.personWithProject(name)
      const sha = await world.build(project.id, appSaying('one'))
      const answer = await backUp()
      assert.deepEqual([answer.status, answer.data?.sha], [200, sha], answer.error?.message ?? '')
      const target = `${(await githubOf(person)).login}/${project.slug}`
      assert.deepEqual((await shortActivity(person)).slice(1), [
        `repository.created ${target} ok`,
        `repository.pushed ${target} ok`,
      ])
    })
  }

  test("when the response to a backup's git push is lost, the backup succeeds without pushing again", async () => {
    leaves({ activity: { 'repository.created': 1, 'repository.pushed': 1 } })
    const { person, project, backUp } = await world.personWithProject('Answer lost')
    const sha = await world.build(project.id, appSaying('one'))
    await world.order({
      match: { provider: 'github', path: 'git-receive-pack' },
      do: { commitThenDrop: true },
    })
    const answer = await backUp()
    assert.deepEqual([answer.status, answer.data?.sha], [200, sha])
    assert.equal((await shortActivity(person)).at(-1)?.startsWith('repository.pushed'), true)
  })

  test('when a process dies after the git push of a backup, the next backup records that push', async () => {
    leaves({ activity: { 'repository.created': 1, 'repository.pushed': 1 } })
    const { person, project, path, backUp } = await world.personWithProject('Died')
    const sha = await world.build(project.id, appSaying('one'))
    await backUp()
    // Produces the state of a process that died between the push and the transaction that records the push.
    const { db } = world.app.platform
    await db.deleteFrom('backups').where('project_id', '=', project.id).execute()
    await db.deleteFrom('history_events').where('project_id', '=', project.id).execute()
    await db.deleteFrom('activity').where('project_id', '=', project.id).execute()
    world.app.clock.advance(1000)
    const answer = await backUp()
    assert.deepEqual(
      [answer.status, answer.data.sha, answer.data.pushedAt],
      [200, sha, world.app.clock.now().toISOString()],
    )
    const target = `${(await githubOf(person)).login}/${project.slug}`
    assert.deepEqual((await shortActivity(person)).slice(1), [
      `repository.created ${target} ok`,
      `repository.pushed ${target} ok`,
    ])
    const history = await person.call<{ type: string }[]>(`GET ${path}/history`)
    assert.deepEqual(
      history.data.map((one) => one.type),
      ['backed_up'],
    )
  })

  for (const name of ['Down fail-500-always', 'Refused fail-403', 'Declined fail-push']) {
    test(`a permanent failure of a backup is a 502 and is in the activity log: ${name}`, async () => {
      leaves({
        activity: {
          'repository.created': 'any',
          'repository.created failed': 'any',
          'repository.pushed failed': 'any',
        },
      })
      const { person, project, backUp } = await world.personWithProject(name)
      await world.build(project.id, appSaying('one'))
      const answer = await backUp()
      assert.deepEqual([answer.status, answer.error?.code], [502, 'upstream_error'])
      const last = (await activityOf(person)).at(-1)
      assert.equal(last?.status, 'failed')
      assert.ok(!JSON.stringify([answer, last]).includes('gho_'))
    })
  }

  test('a backup with a revoked GitHub token is a 502 and marks the connection as disconnected, and the next backup is a 409', async () => {
    leaves({ activity: { 'connection.expired failed': 1, 'repository.created failed': 1 } })
    const { person, project, backUp } = await world.personWithProject('Revoked')
    await world.build(project.id, appSaying('one'))
    await world.order({ match: { provider: 'github', path: '/repos/' }, do: { status: 401 } })
    assert.equal((await backUp()).error?.code, 'upstream_error')
    const again = await backUp()
    assert.deepEqual([again.status, again.error?.code], [409, 'conflict'])
    assert.equal((await githubOf(person)).connected, false)
  })

  test('a backup of a project that is deleted before its commits are read is a 404, and not a failure of the code host', async () => {
    leaves({ activity: { 'repository.created': 1 } })
    const { person, project, backUp } = await world.personWithProject('Vanished')
    await world.build(project.id, appSaying('one'))
    const answer = await commitWhileWaiting(
      world.app.platform.pool,
      // The backup takes this lock after it created the repository, and reads the commits afterwards.
      (other) =>
        other.query('select pg_advisory_xact_lock($1, hashtext($2))', [LOCK_CLASS.project, project.id]),
      backUp,
      (other) => other.query('delete from projects where id = $1', [project.id]),
    )
    assert.deepEqual([answer.status, answer.error?.code], [404, 'not_found'])
    const target = `${(await githubOf(person)).login}/${project.slug}`
    assert.deepEqual((await shortActivity(person)).slice(1), [`repository.created ${target} ok`])
  })

  test("a backup of another organization's project is a 404, and an API key needs the scope build:write to back up", async () => {
    leaves({ activity: { 'repository.created': 1, 'repository.pushed': 1 } })
    const { person, project, path } = await world.personWithProject('Mine')
    await world.build(project.id, appSaying('one'))
    const stranger = await world.app.signUp()
    const foreign = await stranger.call<BackupResponse>(`POST ${path}/backup`)
    const unknown = await stranger.call(`POST /projects/prj_00000000000000000000000000/backup`)
    assert.deepEqual([foreign.status, foreign.error], [404, unknown.error])
    const reader = await world.app.keyFor(person, ['projects:read'])
    assert.equal((await reader.call(`POST ${path}/backup`)).error?.code, 'forbidden_scope')
    const builder = await world.app.keyFor(person, ['build:write'])
    assert.equal((await builder.call(`POST ${path}/backup`)).status, 200)
  })
})
