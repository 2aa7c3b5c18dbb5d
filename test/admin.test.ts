import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { ROOT, run } from '../scripts/lib.ts'
import { Person } from './support/client.ts'
import { readOutboxMail } from './support/outbox.ts'
import { ServiceProcess } from './support/service.ts'
import { waitUntil } from './support/wait-until.ts'

interface Row {
  id: string
  name: string
  plan: string
  suspendedAt: string | null
}

describe('npm run admin', () => {
  const empty = mkdtempSync(join(tmpdir(), 'slipway-admin-'))
  let service: ServiceProcess
  let ann: Person
  let id = ''
  before(async () => {
    service = await ServiceProcess.start({ SLIPWAY_LOCAL_WORLD: 'off' })
    ann = await Person.signUp(service.url)
    id = (await listOrganizations())[0]?.id ?? ''
  })
  after(async () => {
    await service.dispose()
    rmSync(empty, { recursive: true })
  })

  const runAdmin = async (...args: string[]) => {
    const { code, output } = await run(process.execPath, ['scripts/admin.ts', ...args], { env: service.env })
    return { code, output: stripVTControlCharacters(output) }
  }
  const listOrganizations = async () =>
    JSON.parse((await runAdmin('organizations', '--json')).output) as Row[]

  test("npm run admin suspends an organization of a running service, and the organization's next build is refused", async () => {
    const project = await ann.call<{ id: string }>('POST /projects', { name: 'Plants' })
    const { code, output } = await runAdmin('suspend', id, '--reason', 'unpaid')
    assert.equal(code, 0, output)
    assert.match(output, /^Ann's organization is suspended: /)
    const tickets = `/projects/${project.id}/tickets`
    const ticket = await ann.call<{ id: string }>(`POST ${tickets}`, { title: 'A list' })
    await assert.rejects(
      ann.call(`POST ${tickets}/${ticket.id}/build`, {}),
      /forbidden: The organization is suspended/,
    )
    const { items } = await ann.call<{ items: { actor: string; action: string; detail: string }[] }>(
      'GET /activity',
    )
    const record = items.find(({ action }) => action === 'organization.suspended')
    assert.deepEqual([record?.actor, record?.detail], ['operator', 'unpaid'])
  })

  test('a pause of builds set with npm run admin survives a restart of the service and lasts until builds are resumed', async () => {
    const paused = await runAdmin('pause', '--reason', 'disk is full')
    assert.deepEqual(paused, { code: 0, output: 'Builds are paused: disk is full\n' })
    await service.stop()
    await service.restart()
    const twice = await runAdmin('pause', '--reason', 'twice')
    assert.equal(twice.code, 1)
    assert.match(twice.output, /^Builds have been paused since 20.*: disk is full\n/)
    assert.match((await runAdmin('resume')).output, /^Builds start again\. They were paused since 20/)
  })

  test('npm run admin prints a table by default and JSON with --json', async () => {
    const { output } = await runAdmin('organizations')
    assert.match(output, /^ID +NAME +PLAN +MEMBERS +PROJECTS +SUSPENDED\n/)
    assert.match(output, new RegExp(`^${id}  Ann's organization  enterprise  1        1         20`, 'm'))
    assert.deepEqual(
      (await listOrganizations()).map(({ name, plan, suspendedAt }) => [name, plan, suspendedAt !== null]),
      [["Ann's organization", 'enterprise', true]],
    )
    assert.match((await runAdmin('mails')).output, /^mail_\w+ .* held +verify +ann@example\.test$/m)
  })

  test('npm run admin refuses to rotate keys of a running service and says what to do', async () => {
    const { code, output } = await runAdmin('rotate-keys')
    assert.equal(code, 1)
    assert.match(
      output,
      /^Slipway is running \(all on .*\)\. Stop every process of it, rotate, and start it again/,
    )
  })

  test('npm run admin rotates the keys of a stopped service, which then starts with the new keys', async () => {
    const mail = await readOutboxMail(service, 'ann@example.test')
    await service.stop()
    assert.equal((await runAdmin('release', id)).code, 0)
    assert.equal((await runAdmin('set-plan', id, 'pro')).code, 0)
    const rotated = await runAdmin('rotate-keys')
    assert.equal(rotated.code, 0, rotated.output)
    assert.match(rotated.output, /encrypted with k2; deleted: k1\./)
    assert.deepEqual(service.processes(), [], 'the database it started is stopped again')
    await service.restart()
    assert.deepEqual(
      (await listOrganizations()).map(({ plan, suspendedAt }) => [plan, suspendedAt]),
      [['pro', null]],
    )
    assert.equal(await readOutboxMail(service, 'ann@example.test'), mail)
    assert.equal((await ann.request('GET /me')).status, 200, 'sessions survive')
  })

  test('Ctrl-C during npm run admin also stops the database that the command has started, and the exit code is 130', async () => {
    await service.stop()
    const child = spawn(process.execPath, ['scripts/admin.ts', 'organizations'], {
      cwd: ROOT,
      env: service.env,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const ended = Promise.all([once(child, 'exit'), text(child.stderr)])
    await waitUntil(() => service.processes().some(({ command }) => command.includes('postgres -D')))
    child.kill('SIGINT')
    const [[code], said] = await ended
    assert.deepEqual([code, said, service.processes()], [130, '', []])
    await service.restart()
  })

  test('npm run admin shows plan and subscription, and warns that the subscription will replace a manually set plan', async () => {
    const shown = await runAdmin('plan', id)
    assert.match(shown.output, / is on the plan pro\.\n {2}projects: \d+ of 200\n[^]*subscription: none\n$/)
    const setOverdue = (overdueSince: string | null) =>
      service.query(
        `insert into billing_customers values ($1, 'cus_1', 'pro', 'active', '2026-12-26T12:00Z', false, $2, now(), now())
         on conflict (org_id) do update set overdue_since = excluded.overdue_since`,
        [id, overdueSince],
      )
    await setOverdue(null)
    assert.match((await runAdmin('plan', id)).output, /subscription: pro, renews 2026-12-26 12:00 UTC\n$/)
    await setOverdue('2026-11-26T12:00Z')
    assert.match(
      (await runAdmin('plan', id)).output,
      /subscription: pro, overdue, kept until 2026-12-03 12:00 UTC\n$/,
    )
    assert.match(
      (await runAdmin('set-plan', id, 'free')).output,
      /It pays for pro, which is set again by the next event/,
    )
    assert.doesNotMatch((await runAdmin('set-plan', id, 'enterprise')).output, /set again/)
    await service.query('delete from billing_customers')
  })

  test('npm run admin exits with 2 for a wrong command line, 1 for a failed command, 0 for help', async () => {
    const cases: [number, RegExp, ...string[]][] = [
      [2, /^Usage: npm run admin -- <command>/],
      [0, /^Usage: npm run admin -- <command>/, '--help'],
      [0, /^npm run admin -- set-plan <organization> <plan>\n/, 'set-plan', '--help'],
      [2, /^There is no command "toString"\./, 'toString'],
      [2, /^Usage: npm run admin -- set-plan <organization> <plan>/, 'set-plan', 'x'],
      [2, /^Unknown option '--no'\.\nUsage: npm run admin -- release <organization>/, 'release', 'x', '--no'],
      [2, /^Say why: --reason/, 'suspend', 'x'],
      [2, /^Say why: --reason/, 'pause'],
      [1, /^Builds are not paused\./, 'resume'],
      [2, /^Usage: npm run outbox -- list \| show <id>/, 'outbox', 'shw'],
      [1, /^There is no organization "x"\./, 'plan', 'x'],
      [1, /^There is no organization "x"\./, 'suspend', 'x', '--reason', 'y'],
      [1, /^There is no plan "gold"\. Plans are free, starter, pro, enterprise\./, 'set-plan', id, 'gold'],
      [1, /^There is no mail mail_0;/, 'outbox', 'show', 'mail_0'],
    ]
    for (const [code, words, ...args] of cases) {
      const answer = await runAdmin(...args)
      assert.equal(answer.code, code, args.join(' '))
      assert.match(answer.output, words)
    }
  })

  test('npm run admin warns about a misspelt setting, with which it would work on other data', async () => {
    const env = { ...service.env, SLIPWAY_DATADIR: join(empty, 'mine') }
    const { code, output } = await run(process.execPath, ['scripts/admin.ts', 'mails'], { env })
    assert.equal(code, 0)
    assert.match(output, /^SLIPWAY_DATADIR is not a setting; did you mean SLIPWAY_DATA_DIR\?\n/)
  })

  test('npm run admin ends without an error when the reader of its output has closed the pipe', async () => {
    const child = spawn(process.execPath, ['scripts/admin.ts', '--help'], {
      cwd: ROOT,
      env: service.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.stdout.destroy()
    const [[code], said] = await Promise.all([once(child, 'exit'), text(child.stderr)])
    assert.deepEqual([code, said], [0, ''])
  })

  test('npm run admin creates no database when none exists', async () => {
    const env = { ...service.env, SLIPWAY_DATA_DIR: join(empty, 'none') }
    const { code, output } = await run(process.execPath, ['scripts/admin.ts', 'organizations'], { env })
    assert.equal(code, 1)
    assert.match(output, /^There is no Slipway in .*none\. Set SLIPWAY_DATA_DIR/)
  })
})
